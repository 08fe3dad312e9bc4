"""`arena play` in a pseudo-terminal: a match of each family, paging, keys that leave."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from arena.play.records.record_check import check_lines

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
