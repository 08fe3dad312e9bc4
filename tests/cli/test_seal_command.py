"""`arena seal` and `arena verify --sealed`."""

import json
import os
import shutil
import sqlite3
import subprocess
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH is not installed")


def make_key(path: Path) -> Path:
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a test", "-f", path], check=True, timeout=60
    )
    return path


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_key(tmp_path_factory.mktemp("keys") / "id")


@pytest.fixture
def sealed(arena: Arena, played: Path, tmp_path: Path, key: Path) -> Path:
    """The folder of a signed run."""
    folder = shutil.copytree(played, tmp_path / "run")
    assert arena("seal", folder, "--key", key, "--jobs", "1").exit_code == 0
    return folder


def test_a_signed_run_is_checked_with_the_organisers_key(
    arena: Arena, sealed: Path, played: Path, key: Path, tmp_path: Path
) -> None:
    root = json.loads((sealed / "seal.json").read_text())["root"]
    good = arena("verify", sealed, "--jobs", "1", "--sealed", "--signer", f"{key}.pub")
    assert good.exit_code == 0
    assert f"Sealed under the root {root}, signed by the key asked for" in good.stdout
    assert f"<code>{root}</code>" in (sealed / "report.html").read_text()
    assert f"<code>{root}</code>" in arena("replay", "show", sealed, "--html").stdout
    other = make_key(tmp_path / "other")
    for folder, says in ((sealed, True), (played, False)):
        assert arena("publish", folder, "--out", tmp_path / f"{folder.name}.zip").exit_code == 0
        with zipfile.ZipFile(tmp_path / f"{folder.name}.zip") as archive:
            readme = archive.read("README.txt").decode()
        assert (f"arena verify {folder.name} --sealed" in readme) == says
    false = arena("verify", sealed, "--jobs", "1", "--sealed", "--signer", f"{other}.pub")
    assert (false.exit_code, "seal.json.sig: it is not signed by the key in" in false.stdout) == (1, True)
    text = (sealed / "seal.json").read_text()
    (sealed / "seal.json").write_text(text.replace('"blocks": 12', '"blocks": 13'))
    changed = arena("verify", sealed, "--jobs", "1", "--sealed")
    assert changed.exit_code == 1
    assert "seal.json: its blocks is not the run's" in changed.stdout
    assert "seal.json.sig: it is not signed" in changed.stdout


def test_a_changed_block_is_not_the_sealed_one(arena: Arena, sealed: Path) -> None:
    with closing(sqlite3.connect(sealed / "arena.db")) as connection, connection:
        connection.execute("DELETE FROM block WHERE place = 11")
    assert arena("resume", sealed, "--jobs", "1").exit_code == 0
    assert (
        arena("verify", sealed, "--jobs", "1", "--sealed").exit_code == 0
    )  # it was played again to the same
    with closing(sqlite3.connect(sealed / "arena.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = json_set(value, '$.greedy', 'ff') WHERE name = 'bots'")
    result = arena("verify", sealed, "--jobs", "1", "--sealed")
    assert (result.exit_code, "seal.json: its bots is not the run's" in result.stdout) == (1, True)


def test_another_author_is_not_the_sealed_one(arena: Arena, sealed: Path) -> None:
    with closing(sqlite3.connect(sealed / "arena.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = '{\"greedy\": \"Mallory\"}' WHERE name = 'authors'")
    result = arena("verify", sealed, "--jobs", "1", "--sealed")
    assert (result.exit_code, "seal.json: its bots is not the run's" in result.stdout) == (1, True)


def test_an_unsigned_seal_says_so(arena: Arena, sealed: Path, key: Path) -> None:
    assert "not signed: whoever changes" in arena("seal", sealed, "--jobs", "1").stdout
    assert not (sealed / "seal.json.sig").exists()
    good = arena("verify", sealed, "--jobs", "1", "--sealed")
    assert (good.exit_code, "not signed: whoever changes" in good.stdout) == (0, True)
    asked = arena("verify", sealed, "--jobs", "1", "--sealed", "--signer", f"{key}.pub")
    assert (asked.exit_code, "the seal is not signed" in asked.stdout) == (1, True)


def test_what_cannot_be_sealed_or_signed_is_refused(arena: Arena, played: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(played, tmp_path / "run")
    none = arena("verify", folder, "--jobs", "1", "--sealed")
    assert (none.exit_code, "has no seal" in none.stderr) == (1, True)
    assert "blocks" not in none.stderr  # nothing was replayed before
    (tmp_path / "key").write_text("no key\n")
    false = arena("seal", folder, "--key", tmp_path / "key", "--jobs", "1")
    assert (false.exit_code, "could not sign with" in false.stderr) == (1, True)
    assert not (folder / "seal.json").exists()
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        connection.execute("DELETE FROM block WHERE place = 11")
    missing = arena("seal", folder, "--jobs", "1")
    assert (missing.exit_code, "is not finished" in missing.stderr) == (1, True)


def test_a_pipe_or_another_text_in_the_place_of_a_seal_stops_no_command(
    arena: Arena, played: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(played, tmp_path / "run")
    os.mkfifo(folder / "seal.json")
    checked = arena("verify", folder, "--jobs", "1", "--sealed")
    assert (checked.exit_code, "seal.json is a link or a device" in checked.stderr) == (1, True)
    assert arena("report", folder).exit_code == 0
    (folder / "seal.json").unlink()
    (folder / "seal.json").write_text('{"root": "trust me"}')
    assert "trust me" not in arena("replay", "show", folder, "--html").stdout
    assert arena("seal", folder, "--jobs", "1").exit_code == 0
    os.mkfifo(folder / "seal.json.sig")
    checked = arena("verify", folder, "--jobs", "1", "--sealed")
    assert (checked.exit_code, "seal.json.sig is a link or a device" in checked.stdout) == (1, True)
