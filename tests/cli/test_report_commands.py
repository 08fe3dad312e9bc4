"""`arena report` and `arena replay show --html`."""

from pathlib import Path

from tests.cli.conftest import Arena


def test_report_is_written_into_the_run_folder(arena: Arena, played: Path) -> None:
    result = arena("report", played)
    assert (result.exit_code, result.stdout) == (0, f"{played / 'report.html'}\n")
    first = (played / "report.html").read_bytes()
    arena("report", played)
    assert (played / "report.html").read_bytes() == first


def test_folder_without_a_run_has_no_report(arena: Arena, tmp_path: Path) -> None:
    result = arena("report", tmp_path)
    assert result.exit_code == 2
    assert "holds no run" in result.stderr


def test_match_page_goes_to_a_file_or_standard_output(arena: Arena, played: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    assert arena("replay", "show", played, "--match", 3, "--html", "--out", file).exit_code == 0
    shown = arena("replay", "show", played, "--match", 3, "--html").stdout
    assert file.read_text(encoding="utf-8") == shown
    assert "<title>lives(tokens=1), match 3</title>" in shown


def test_existing_file_is_not_overwritten(arena: Arena, played: Path, tmp_path: Path) -> None:
    (tmp_path / "match.html").write_text("mine")
    result = arena("replay", "show", played, "--html", "--out", tmp_path / "match.html")
    assert result.exit_code == 2
    assert (tmp_path / "match.html").read_text() == "mine"


def test_transcript_can_be_written_to_a_file(arena: Arena, played: Path, tmp_path: Path) -> None:
    arena("replay", "show", played, "--out", tmp_path / "match.txt")
    assert (tmp_path / "match.txt").read_text(encoding="utf-8").startswith("Match 1: ")


def test_shadow_takes_built_in_bots_and_html(arena: Arena, played: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    wrong = {
        "greedy": "--shadow requires --html",
        "gredy": "no bot is called 'gredy'",
        f"{tmp_path / 'mine.py'}:Mine": "is not built in",
    }
    for bot, words in wrong.items():
        html = [] if bot == "greedy" else ["--html"]
        result = arena("replay", "show", played, "--shadow", bot, *html)
        assert result.exit_code == 2
        assert words in result.stderr
    result = arena("replay", "show", played, "--html", "--shadow", "greedy,random")
    assert result.exit_code == 0
    assert '"others":["greedy","random"]' in result.stdout


def test_page_has_all_deals(arena: Arena, played: Path) -> None:
    result = arena("replay", "show", played, "--html", "--deal", 1)
    assert result.exit_code == 2
    assert "the page has all deals" in result.stderr
