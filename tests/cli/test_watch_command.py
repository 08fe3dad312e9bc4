"""`arena watch`."""

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arena


def test_finished_run_is_shown_once(arena: Arena, played: Path) -> None:
    result = arena("watch", played)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{played}  round-robin\n12 blocks, all played\n0 faults\n")
    assert "\nlives(tokens=1), 3 players\n" in result.stdout
    assert arena("watch", played, "--once").stdout == result.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_terminal_is_redrawn_in_place(played: Path) -> None:
    from tests.cli.terminal_window import Window

    with Window("watch", played.name, folder=played.parent) as window:
        assert window.status() == 0
    assert window.shown.startswith("\x1b[H\x1b[2J")
    assert "12 blocks, all played" in window.plain
    assert [line for line in window.plain.splitlines() if len(line) > 80] == []
