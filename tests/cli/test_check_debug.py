"""`arena check --debug` in a pseudo-terminal: the decision that failed, under pdb."""

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

from tests.cli.terminal_window import Window

CODE = """
class Bot:
    def __init__(self):
        self.asked = 0
    def act(self, view):
        self.asked += 1
        if self.asked == 2:
            secret = 4321
            return view.legal[secret]
        return view.legal[0]
class Fine:
    def act(self, view):
        return view.legal[0]
"""
CHECK = ("--variant", "lives", "--matches", "1", "--isolation", "process", "--debug")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(CODE)
    return tmp_path


def test_failed_decision_is_played_again_under_pdb(folder: Path) -> None:
    with Window("check", "mine.py:Bot", *CHECK, folder=folder) as window:
        assert window.asks()
        assert "Debugging decision 2 of match 1 at lives, 4 players, seat 0 (crash)." in window.plain
        assert "mine.py(6)act()" in window.plain
        window.type("p self.asked + 100")
        assert window.asks()
        assert window.plain.rstrip().endswith("101\n(Pdb)")
        window.type("c")
        assert window.asks()  # at the exception
        assert "IndexError: tuple index out of range" in window.plain
        window.type("p secret")
        assert window.asks()
        assert "4321" in window.plain
        window.type("q")
        assert window.status() == 1


def test_without_a_failed_decision_there_is_nothing_to_debug(folder: Path) -> None:
    with Window("check", "mine.py:Fine", *CHECK, folder=folder) as window:
        assert window.status() == 0
    assert "There is nothing to debug: no decision failed." in window.plain


@pytest.mark.parametrize(
    ("bot", "error"),
    [
        ("mine.py:Bot", "--debug asks for commands: call it in a terminal, without --json."),
        ("submitted:mine", "a submission is not your own code"),
    ],
)
def test_debugging_needs_a_terminal_and_code_of_ones_own(
    arena: Arena, folder: Path, monkeypatch: pytest.MonkeyPatch, bot: str, error: str
) -> None:
    monkeypatch.chdir(folder)
    result = arena("check", bot, *CHECK)
    assert (result.exit_code, result.stdout) == (2, "")
    assert error in result.stderr
