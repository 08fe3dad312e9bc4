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
    assert last.endswith("; fix or leave them out, or play on with --keep-going")
    assert any(line.strip() == "self.depth = info.settings['depth']" for line in details)


def test_keep_going_plays_with_bots_that_cannot_start(arena: Arena, here: Path) -> None:
    result = arena(*RUN, "--bot", "unmade.py:Mine", "--isolation", "process", "--keep-going")
    assert result.exit_code == 0, result.output
    rows = (here / "run/matches.csv").read_text().splitlines()
    assert {row.endswith(",1") for row in rows if ",unmade.py:Mine," in row} == {True}


def test_compare_and_resume_refuse_bots_that_cannot_start(arena: Arena, here: Path) -> None:
    compared = arena("compare", "greedy", "typo.py:Mime", "--isolation", "process")
    assert compared.exit_code == 2
    assert "the nearest is 'Mine'" in compared.stderr
    stopped = arena(*RUN, "--bot", "unmade.py:Mine", "--keep-going", "--time-limit", "1e-9")
    assert stopped.exit_code == 1
    assert arena("resume", "run", "--jobs", "1").exit_code == 2
    assert arena("resume", "run", "--jobs", "1", "--keep-going").exit_code == 0
