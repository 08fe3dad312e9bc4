"""Commands that count blocks refuse a run of which a block changed after it was played."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Arena


@pytest.fixture
def damaged(played: Path, tmp_path: Path) -> Path:
    """The folder of a run with one placing changed, and with no file that was written from its database."""
    folder = shutil.copytree(played, tmp_path / "run")
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        [(outcome,)] = connection.execute("SELECT outcome FROM block WHERE place = 4").fetchall()
        changed = outcome[:3] + bytes([outcome[3] % 3 + 1]) + outcome[4:]
        connection.execute("UPDATE block SET outcome = ? WHERE place = 4", [changed])
    for path in folder.iterdir():
        if path.name != "arena.db":
            path.unlink()
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "resume DIR --jobs 1",
        "table DIR",
        "table DIR --seats",
        "report DIR",
        "plan DIR",
        "why greedy random DIR",
        "replay export DIR --out DIR/all.jsonl",
    ],
)
def test_a_changed_block_is_refused(arena: Arena, damaged: Path, command: str) -> None:
    result = arena(*(word.replace("DIR", str(damaged)) for word in command.split()))
    assert result.exit_code == 1, result.output
    assert f"{damaged / 'arena.db'}, block 4 (" in result.output
    assert "its digest does not match its bytes" in result.output
    left = {path.name for path in damaged.iterdir()} - {"arena.db", "arena.log"}
    assert not left & {"elo.csv", "elo.md", "matches.csv", "report.html", "replays.jsonl.zst"}


def test_verify_names_the_changed_block(arena: Arena, damaged: Path) -> None:
    result = arena("verify", damaged, "--jobs", "1")
    assert result.exit_code == 1
    assert f"{damaged / 'arena.db'}, block 4 (" in result.stdout
    assert "): its digest does not match its bytes\n" in result.stdout
