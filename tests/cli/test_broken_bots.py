"""Bots that cannot start: a run refuses them before its first block, unless it is told to keep going."""

from pathlib import Path

import pytest

from tests.cli.conftest import Arena

BOTS = {
    "typo.py": "class Mine:\n    def act(self, view):\n        return view.legal[0]\n",
    "syntax.py": "class Mine:\n    def act(self, view)\n        return view.legal[0]\n",
    "missing.py": "import numpie\n\n\nclass Mine:\n    def act(self, view):\n        return view.legal[0]\n",
    "unmade.py": "class Mine:\n    def __init__(self, info):\n        self.depth = info.settings['depth']\n\n"
    "    def act(self, view):\n        return view.legal[0]\n",
}
RUN = ("run", "--bot", "greedy", "--players", "2", "--blocks", "1", "--jobs", "1", "--out", "run")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with broken bots."""
    monkeypatch.chdir(tmp_path)
    for name, code in BOTS.items():
        (tmp_path / name).write_text(code)
    return tmp_path


@pytest.mark.parametrize("level", ["process", "inline"])
@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("typo.py:Mime", "has no class Mime; the nearest is 'Mine'"),
        ("syntax.py:Mine", "SyntaxError: expected ':'"),
        ("missing.py:Mine", "No module named 'numpie'"),
        ("unmade.py:Mine", "KeyError: 'depth'"),
    ],
)
def test_run_with_a_bot_that_cannot_start_is_refused(
    arena: Arena, here: Path, level: str, bot: str, why: str
) -> None:
    result = arena(*RUN, "--bot", bot, "--isolation", level)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith("arena: ")
    assert why in last
    assert "Traceback" not in last
    assert not (here / "run").exists()


def test_all_bots_that_cannot_start_are_named_with_their_tracebacks(arena: Arena) -> None:
    result = arena(*RUN, "--bot", "missing.py:Mine", "--bot", "unmade.py:Mine", "--isolation", "process")
    *details, last = result.stderr.splitlines()
    assert last.startswith("arena: 2 of 3 bots do not start: missing.py:Mine (")
    assert last.endswith(
        "; fix them, leave them out with --without missing.py:Mine --without unmade.py:Mine, or play on with "
        "--keep-going"
    )
    assert any(line.strip() == "self.depth = info.settings['depth']" for line in details)


@pytest.mark.parametrize("words", [["bots"], ["bots/broken.py", "bots/good.py", "bots/none.py", "greedy"]])
def test_a_folder_of_bots_is_played_and_all_that_are_broken_are_named(
    arena: Arena, here: Path, words: list[str]
) -> None:
    (here / "bots/folder").mkdir(parents=True)
    good = "class Good:\n    def act(self, view):\n        return view.legal[0]\n"
    for name in ("good.py", "_shared.py", "test_good.py", "folder/bot.py"):
        (here / "bots" / name).write_text(good)
    (here / "bots/broken.py").write_text("def (\n")
    (here / "bots/none.py").write_text("x = 1\n")
    (here / "bots/notes.txt").write_text("notes")
    common = ("run", *words, "--isolation", "inline", "--blocks", "2", "--players", "2", "--jobs", "1")
    refused = arena(*common)
    assert refused.exit_code == 2
    assert refused.stderr.splitlines() == [
        "bots/broken.py: broken.py, line 1: invalid syntax",
        "bots/none.py: none.py has no class with a method act(self, view), which makes a bot",
        "arena: 2 of 4 bots cannot be played: fix them, or leave them out with --without bots/broken.py "
        "--without bots/none.py",
    ]
    played = arena(*common, "--keep-going", "--out", "rest")
    assert played.exit_code == 0, played.output
    assert played.stderr.startswith(
        "bots/broken.py is left out: broken.py, line 1: invalid syntax\nbots/none.py is "
    )
    played = arena(*common, "--without", "bots/broken.py", "--without", "none.py", "--out", "some")
    assert played.exit_code == 0, played.output
    one_less = "folder" if words == ["bots"] else "greedy"
    names = {line.split(",")[5] for line in (here / "some/matches.csv").read_text().splitlines()[1:]}
    assert names == {"bots/good.py", one_less}


def test_run_says_that_a_dry_run_lists_all_errors(arena: Arena, here: Path) -> None:
    (here / "wrong.toml").write_text(
        'bots = ["greedy", "gredy"]\nblocks = "many"\n[[variants]]\nname = "livs"\nplayers = 2\n'
    )
    assert arena("run", "wrong.toml").stderr.endswith("; --dry-run lists all 3 errors\n")
    assert len(arena("run", "wrong.toml", "--dry-run").stdout.splitlines()) == 3


def test_keep_going_plays_with_bots_that_cannot_start(arena: Arena, here: Path) -> None:
    result = arena(*RUN, "--bot", "unmade.py:Mine", "--isolation", "process", "--keep-going")
    assert result.exit_code == 0, result.output
    rows = (here / "run/matches.csv").read_text().splitlines()
    assert {row.endswith(",1") for row in rows if ",unmade.py:Mine," in row} == {True}


def test_keep_going_leaves_out_bots_of_a_config_that_cannot_be_read(arena: Arena, here: Path) -> None:
    (here / "c.toml").write_text(
        'bots = ["greedy", "syntax.py", "random"]\nblocks = 1\nvariants = [{name = "lives", players = 2}]\n'
    )
    call = ("run", "c.toml", "--jobs", "1", "--out", "run")
    assert arena(*call).exit_code == 2
    result = arena(*call, "--keep-going")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("syntax.py is left out: syntax.py, line 2: expected ':'\n")
    assert "syntax.py" not in (here / "run/matches.csv").read_text()
    alone = arena("run", "syntax.py", "greedy", "--keep-going")
    assert (alone.exit_code, "syntax.py, line 2: expected ':'" in alone.stderr) == (2, True)


def test_compare_and_resume_refuse_bots_that_cannot_start(arena: Arena, here: Path) -> None:
    compared = arena("compare", "greedy", "typo.py:Mime", "--isolation", "process")
    assert compared.exit_code == 2
    assert "the nearest is 'Mine'" in compared.stderr
    stopped = arena(*RUN, "--bot", "unmade.py:Mine", "--keep-going", "--time-limit", "1e-9")
    assert stopped.exit_code == 1
    assert arena("resume", "run", "--jobs", "1").exit_code == 2
    assert arena("resume", "run", "--jobs", "1", "--keep-going").exit_code == 0
