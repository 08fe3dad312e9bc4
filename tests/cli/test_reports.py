"""`arena report`, `arena figure`, `arena export`, `arena watch` and `arena why`."""

import base64
import csv
import json
import re
import shlex
import shutil
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Arena


def read_svg(path: Path) -> ElementTree.Element:
    """Return the root of a document."""
    return ElementTree.fromstring(path.read_bytes())


@pytest.mark.parametrize("kind", ["ratings", "matrix", "seats"])
def test_every_figure_of_a_run_is_a_document(arena: Arena, played: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / "figures" / f"{kind}.svg"
    game = ("--variant", "pool", "--style", "print", "--colors", "#123456", "--font", "Courier")
    result = arena("figure", played, "--kind", kind, *game, "--out", out)
    assert (result.exit_code, result.stdout) == (0, f"{out}\n"), result.output
    root = read_svg(out)
    assert (root.get("font-family") or "").startswith("'Courier', ")
    assert root.get("width") == "190.00mm" or kind == "matrix"
    assert ("#123456" in out.read_text()) == (kind != "matrix")


def test_ratings_are_those_over_all_games_unless_one_is_named(
    arena: Arena, played: Path, tmp_path: Path
) -> None:
    out = tmp_path / "elo.svg"
    assert arena("figure", played, "--out", out).exit_code == 0
    assert (read_svg(out).get("aria-label") or "").startswith("Elo over all games")
    assert arena("figure", played, "--variant", "lives", "--out", out).exit_code == 0
    assert (read_svg(out).get("aria-label") or "").startswith("Elo at lives(tokens=1), 3 players")


def test_a_folder_of_something_else_is_refused(arena: Arena, tmp_path: Path) -> None:
    result = arena("figure", tmp_path, "--out", tmp_path / "elo.svg")
    assert result.exit_code == 1
    assert "holds no run, league, track or tuning" in result.stderr


def test_report_is_written_into_the_run_folder(arena: Arena, played: Path) -> None:
    result = arena("report", played)
    assert (result.exit_code, result.stdout) == (0, f"{played / 'report.html'}\n")
    first = (played / "report.html").read_bytes()
    arena("report", played)
    assert (played / "report.html").read_bytes() == first


def test_export_writes_to_the_folder_of_the_run_and_lists_the_files(
    arena: Arena, played: Path, tmp_path: Path
) -> None:
    run = shutil.copytree(played, tmp_path / "run")
    folder = run / "export"
    done = arena("export", run, "--format", "csv")
    assert done.exit_code == 0
    games = ("lives-tokens=1-3", "pool-3")
    names = ["matches.csv", "deals.csv", *(f"decisions-{game}.csv" for game in games)]
    assert done.stdout.split() == [str(folder / name) for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert "12 of 12 blocks" in done.stderr
    again = arena("export", run, "--format", "csv")
    assert (again.exit_code, again.stderr.splitlines()[-1]) == (
        2,
        f"arena: {folder} is not empty: name a new folder",
    )


def test_a_killed_export_is_repeated(arena: Arena, played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for name in ("arena.lock", "deals.csv", "decisions-pool-3.csv.part"):  # as a killed one leaves
        (folder / name).write_bytes(b"")
    done = arena("export", played, "--format", "csv", "--only", "matches", "--out", folder)
    assert done.exit_code == 0, done.stderr
    assert [path.name for path in folder.iterdir()] == ["matches.csv"]


def test_export_selects_rows_and_a_game(arena: Arena, played: Path, tmp_path: Path) -> None:
    options = ("--format", "csv", "--only", "matches", "--only", "decisions", "--variant", "lives")
    done = arena("export", played, "--out", tmp_path / "out", *options)
    matches, decisions = done.stdout.split()
    with open(matches, encoding="utf-8", newline="") as file:
        assert {line["variant"] for line in csv.DictReader(file)} == {"lives(tokens=1)"}
    assert Path(decisions).name == "decisions-lives-tokens=1-3.csv"


def test_export_takes_the_latest_run(arena: Arena, played: Path, here: Path) -> None:
    (here / "results").mkdir()
    (here / "results/first").symlink_to(played)
    done = arena("export", "--format", "csv", "--only", "matches", "--out", "out")
    assert (done.exit_code, done.stdout) == (0, "out/matches.csv\n")
    assert "The latest run is results/first" in done.stderr


def test_export_without_pyarrow_says_what_to_install(
    arena: Arena, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = arena("export", played, "--out", tmp_path / "out")
    assert done.exit_code == 2
    advice = "pip install 'commerce-arena[parquet]' (in a clone: make extra-parquet)"
    assert done.stderr == f"arena: pyarrow is not installed: {advice}\n"
    done = arena("export", played, "--out", tmp_path / "out", "--only", "records")
    assert done.stdout == f"{tmp_path}/out/records.jsonl.zst\n"


def test_finished_run_is_shown_once(arena: Arena, played: Path) -> None:
    result = arena("watch", played)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{played}  round-robin\n12 blocks, all played\n0 faults\n")
    assert "\nlives(tokens=1), 3 players\n" in result.stdout
    assert arena("watch", played, "--once").stdout == result.stdout


@pytest.mark.usefixtures("here")
def test_a_conclusion_and_three_examples_come_first_and_the_rest_by_all(arena: Arena, compared: Path) -> None:
    result = arena("why", "greedy", "stand-pat", str(compared))
    lines = result.stdout.splitlines()
    assert lines[0].startswith("greedy leads stand-pat by ")
    same = "percentage points in the same seats on the same cards (12 blocks)."
    assert lines[0].endswith(same)
    behind = arena("why", "stand-pat", "greedy", str(compared)).stdout.splitlines()
    assert behind[0] == lines[0].replace("greedy leads stand-pat", "stand-pat loses to greedy")
    [title, *_] = [line for line in behind if ", seat " in line]
    assert re.search(r", stand-pat loses [0-9]+\.[0-9]{2}$", title)
    assert "Deals in which greedy gained most on stand-pat after they first acted differently:" in lines
    commands = [line.partition(": ")[2] for line in lines if "arena replay show" in line]
    assert 2 <= len(commands) <= 6
    assert arena(*shlex.split(commands[0])[1:]).exit_code == 0
    assert lines[-1].startswith("--all lists")
    assert len(lines) < 25
    complete = arena("why", "greedy", "stand-pat", str(compared), "--all").stdout
    assert complete.startswith(lines[0])
    assert len(complete) > 2 * len(result.stdout)
    assert "Lead in score of greedy over stand-pat, in the same seats on the same" in complete
    swings = [line for line in complete.splitlines() if line.strip().startswith("arena replay show")]
    assert [arena(*shlex.split(command)[1:]).exit_code for command in swings[:2]] == [0, 0]
    assert sorted(path.name for path in Path().iterdir()) == ["swing-1a.html", "swing-1b.html"]
    assert "What cost stand-pat most, where greedy decided otherwise on the same cards:" in complete
    [line] = [line for line in complete.splitlines() if line.startswith("  stand-pat: arena replay show")][:1]
    assert arena(*shlex.split(line.partition(": ")[2])[1:]).exit_code == 0


def test_a_page_has_the_situations_and_the_deals_to_step_through(
    arena: Arena, compared: Path, tmp_path: Path
) -> None:
    page = tmp_path / "why.html"
    options = ("--chances", "2", "--by", "prudent")
    made = arena("why", "greedy", "stand-pat", str(compared), "--html", "--out", page, *options)
    assert made.exit_code == 0, made.output
    text = page.read_text()
    assert "What cost stand-pat most, where greedy decided otherwise" in text
    matches = {int(number) for number in re.findall('href="#match=([0-9]+)&amp;deal=', text)}
    script = re.search('id="matches">(.*?)</script>', text, re.DOTALL)
    assert script
    replays = json.loads(script[1])
    assert [replay["number"] for replay in replays] == list(range(1, len(replays) + 1))
    assert matches <= {replay["number"] for replay in replays}
    deals = json.loads(zlib.decompress(base64.b64decode(replays[0]["packed"])))
    assert "chances" in deals[0]
    assert replays[0]["others"] == ["prudent"]
    assert any("prudent" in frame.get("others", {}) for deal in deals for frame in deal["frames"])
    assert (
        "already exists" in arena("why", "greedy", "stand-pat", str(compared), "--html", "--out", page).stderr
    )


def test_programs_get_leads_that_are_those_of_the_comparison_and_mirror_each_other(
    arena: Arena, compared: Path
) -> None:
    first, other = (
        json.loads(arena("why", *bots, str(compared), "--json").stdout)
        for bots in (("greedy", "stand-pat"), ("stand-pat", "greedy"))
    )
    assert first["lessons"] == other["lessons"][::-1]
    assert all(
        lesson["deals"] >= 8 > 0 > lesson["lead"] for lessons in first["lessons"] for lesson in lessons
    )
    assert any(first["lessons"])
    leads = {(part["part"], part["name"]): part["lead"] for part in first["parts"]}
    assert set(leads) == {
        *(
            ("game", "lives(tokens=1), 2 players"),
            ("position", "2"),
            ("position", "1"),
            ("opponent", "random"),
        )
    }
    table = arena("table", str(compared), "--standings", "--format", "json").stdout
    score = max(row["score"] for row in json.loads(table))
    assert abs(leads["game", "lives(tokens=1), 2 players"]) == pytest.approx(score - 50, abs=0.06)
    assert leads["game", "lives(tokens=1), 2 players"] == pytest.approx(
        (leads["position", "2"] + leads["position", "1"]) / 2
    )
    assert {(part["name"], -part["lead"]) for part in other["parts"]} == {
        (part["name"], part["lead"]) for part in first["parts"]
    }
    sizes = [abs(swing["scores"][0] - swing["scores"][1]) for swing in first["swings"]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0
