"""`arena run --commit`: a seed that is committed to before the bots are due, and revealed after the run."""

import json
import sqlite3
import stat
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

CONFIG = """
bots = ["greedy", "random"]
blocks = 2
[[variants]]
name = "cuccu"
players = 2
"""
BEACON = "drand 4242: 8d1f"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(CONFIG)
    return path


def commit(arena: Arena, config: Path, folder: Path) -> str:
    result = arena("run", config, "--commit", "--out", folder)
    assert result.exit_code == 0
    assert f"arena run {config} --out {folder} --mix TEXT" in result.stdout
    return result.stdout.splitlines()[0].removeprefix("Commitment: ")


def test_the_seed_is_the_one_committed_to(arena: Arena, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    commitment = commit(arena, config, folder)
    assert json.loads((folder / "commitment.json").read_text()) == {"commitment": commitment}
    assert stat.S_IMODE((folder / "seed.secret").stat().st_mode) == 0o600
    played = arena("run", config, "--out", folder, "--mix", BEACON, "--jobs", "1")
    assert played.exit_code == 0
    assert f"committed to as {commitment}" in played.stdout
    told = json.loads((folder / "commitment.json").read_text())
    assert told["commitment"] == commitment == sha256(told["secret"].encode()).hexdigest()
    assert told["seed"] == sha256(f"{told['secret']}\n{BEACON}".encode()).hexdigest()
    assert f'seed = "{told["seed"]}"' in (folder / "run.toml").read_text()
    assert commitment in (folder / "report.html").read_text()
    assert not (folder / "seed.secret").exists()
    assert arena("verify", folder, "--jobs", "1", "--commitment", commitment).exit_code == 0
    false = arena("verify", folder, "--jobs", "1", "--commitment", "00")
    assert (false.exit_code, f"committed to as {commitment}, not as 00" in false.stdout) == (1, True)


def test_a_seed_that_was_changed_is_found(arena: Arena, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    commit(arena, config, folder)
    assert arena("run", config, "--out", folder, "--jobs", "1").exit_code == 0
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = '\"other\"' WHERE name = 'seed'")
    result = arena("verify", folder, "--jobs", "1")
    assert (result.exit_code, "not the hash of the secret committed to" in result.stdout) == (1, True)


def test_a_commitment_is_not_replaced_or_bypassed(arena: Arena, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    commit(arena, config, folder)
    again = arena("run", config, "--commit", "--out", folder)
    assert (again.exit_code, "has a commitment already" in again.stderr) == (2, True)
    seeded = arena("run", config, "--out", folder, "--seed", "mine", "--jobs", "1")
    assert (seeded.exit_code, "was committed to" in seeded.stderr) == (2, True)
    (folder / "seed.secret").write_text("00\n")
    false = arena("run", config, "--out", folder, "--jobs", "1")
    assert (false.exit_code, "is not the secret" in false.stderr) == (1, True)


@pytest.mark.parametrize("text", ["", "a\nb", "\udcff", "x" * 201])
def test_a_text_that_cannot_be_copied_from_a_page_is_not_mixed_in(
    arena: Arena, config: Path, tmp_path: Path, text: str
) -> None:
    commit(arena, config, tmp_path / "cup")
    result = arena("run", config, "--out", tmp_path / "cup", "--mix", text)
    assert result.exit_code == 2
