"""`arena play`, `arena check --debug` and `arena watch` in a pseudo-terminal."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from arena.play.records.record_check import check_lines
from tests.cli.conftest import Arena

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

from tests.cli.terminal_window import COLUMNS, Window

FAMILIES = [
    ("lives", "tokens=1"),
    ("ready-money", "deals=2"),
    ("thirty-one", "tokens=1"),
    ("cuccu", "tokens=2"),
    ("cambio", "rounds=4"),
    ("cox", "deals=1"),
]


def answer(window: Window) -> str:
    """Input of a beginner: asks for a hint, and follows it."""
    last = "\n".join(window.plain.splitlines()[-4:])  # a reason may take two lines
    if "Enter for the next deal" in last:
        return ""
    if "Play again?" in last:
        return "n"
    said = re.search(r" would play (.*)$", last, re.MULTILINE)
    return said[1].lower() if said else "h"


@pytest.mark.parametrize(
    ("name", "option"),
    [
        pytest.param(
            name, option, marks=[pytest.mark.full] if name in ("thirty-one", "cuccu") else [], id=name
        )
        for name, option in FAMILIES
    ],
)
def test_match_of_each_family_is_played_in_a_terminal(tmp_path: Path, name: str, option: str) -> None:
    with Window("play", name, "--players", "3", "--seed", "x", "--set", option, folder=tmp_path) as window:
        while window.asks():
            window.type(answer(window))
        assert window.status() == 0
    assert "\nThe match is over\n" in window.plain
    assert "nothing you may do now" not in window.plain
    assert [line for line in window.plain.splitlines() if len(line) > COLUMNS] == []
    (kept,) = (tmp_path / "replays").iterdir()
    assert check_lines(str(kept), kept.read_bytes().splitlines()).matches == 1
    assert json.loads(kept.read_text())["faults"] == []


def test_suits_are_coloured_unless_the_terminal_refuses_colour(tmp_path: Path) -> None:
    with Window("play", "lives", "--seed", "x", folder=tmp_path) as window:
        assert window.asks()
        assert "\x1b[38;5;160m6♥\x1b[0m" in window.shown
    for refusal in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        with Window("play", "lives", "--seed", "x", folder=tmp_path, **refusal) as window:
            assert window.asks()
            assert "\x1b" not in window.shown
            assert "6♥" in window.shown


def test_suits_are_letters_where_the_encoding_has_no_symbols(tmp_path: Path) -> None:
    with Window("play", "lives", "--seed", "x", folder=tmp_path, PYTHONIOENCODING="latin-1") as window:
        assert window.asks()
        assert "6H 7C QS  point 23" in window.plain
        assert "-- Deal 1: " in window.plain


def test_rules_are_paged(tmp_path: Path) -> None:
    with Window("play", "lives", "--seed", "x", folder=tmp_path) as window:
        assert window.asks()
        window.type("?")
        assert window.asks()
        page = window.plain.rpartition("?\n")[2]
        assert page.endswith("-- Enter for more, q to stop -- ")
        assert len(page.splitlines()) <= 24
        window.type("q")
        assert window.asks()
        assert window.plain.endswith("> ")


@pytest.mark.parametrize("keys", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_ctrl_keys_leave_the_match_cleanly(tmp_path: Path, keys: bytes) -> None:
    with Window("play", "cuccu", "--seed", "x", folder=tmp_path) as window:
        while "Deal 1 is over" not in window.plain:
            assert window.asks()
            if "Deal 1 is over" not in window.plain:
                window.type("1")
        assert window.leave(keys) == 0
    assert "You left the table after 1 finished deal." in window.plain
    assert "Traceback" not in window.plain
    assert len(os.listdir(tmp_path / "replays")) == 1


def test_match_is_saved_when_the_window_is_closed(tmp_path: Path) -> None:
    with Window("play", "cuccu", "--seed", "x", folder=tmp_path) as window:
        while "Deal 1 is over" not in window.plain:
            assert window.asks()
            if "Deal 1 is over" not in window.plain:
                window.type("1")
        window.close()
    (kept,) = (tmp_path / "replays").iterdir()
    assert check_lines(str(kept), kept.read_bytes().splitlines()).deals == 1


FAILING = """
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


@pytest.fixture
def failing(here: Path) -> Path:
    """A folder with a bot whose second decision fails, and one without faults."""
    (here / "mine.py").write_text(FAILING)
    return here


DEBUG = ("--variant", "lives", "--matches", "1", "--isolation", "process", "--debug")


def test_failed_decision_is_played_again_under_pdb(failing: Path) -> None:
    with Window("check", "mine.py:Bot", *DEBUG, folder=failing) as window:
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


def test_without_a_failed_decision_there_is_nothing_to_debug(failing: Path) -> None:
    with Window("check", "mine.py:Fine", *DEBUG, folder=failing) as window:
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
    arena: Arena, failing: Path, bot: str, error: str
) -> None:
    result = arena("check", bot, *DEBUG)
    assert (result.exit_code, result.stdout) == (2, "")
    assert error in result.stderr


def test_terminal_is_redrawn_in_place(played: Path) -> None:
    with Window("watch", played.name, folder=played.parent) as window:
        assert window.status() == 0
    assert window.shown.startswith("\x1b[H\x1b[2J")
    assert "12 blocks, all played" in window.plain
    assert [line for line in window.plain.splitlines() if len(line) > 80] == []
