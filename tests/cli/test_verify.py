"""`arena verify` and `arena seal`, and runs of which a block was changed."""

import json
import os
import shutil
import sqlite3
import subprocess
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from tests.cli.conftest import Arena

FICKLE = """
import os

class Fickle:
    def act(self, view):
        return view.legal[int(os.environ["FICKLE"])]
"""


def test_verify_accepts_a_true_run(arena: Arena, played: Path) -> None:
    result = arena("verify", played, "--jobs", "1")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{played}: 12 blocks, 36 matches, ")
    assert result.stdout.endswith(" actions, 5 files, all true\n")
    told = json.loads(arena("verify", played, "--jobs", "1", "--json").stdout)
    assert (told["true"], told["blocks"], told["wrong"]) == (True, 12, [])


def test_verify_lists_each_error_and_exits_1(arena: Arena, played: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(played, tmp_path / "copy")
    (copy / "elo.csv").write_text("variant\n")
    result = arena("verify", copy, "--jobs", "1")
    assert result.exit_code == 1
    wrong, checked = result.stdout.splitlines()
    assert wrong == f"{copy / 'elo.csv'}, line 1: it differs from the store"
    assert checked.endswith(" 1 problem")
    told = json.loads(arena("verify", copy, "--jobs", "1", "--json").stdout)
    assert told["wrong"] == [{"file": "elo.csv", "what": "it differs from the store", "line": 1}]


def test_verify_reports_missing_replays(arena: Arena, played: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(played, tmp_path / "copy")
    replays = copy / "replays.jsonl.zst"
    text = zstandard.ZstdDecompressor().stream_reader(replays.read_bytes()).read()
    short = b"".join(text.splitlines(keepends=True)[:-1])
    replays.write_bytes(zstandard.compress(short))
    result = arena("replay", "verify", copy)
    assert (result.exit_code, result.stdout) == (1, f"{replays} holds 35 matches, the run has 36 for it\n")
    replays.write_bytes(b"")
    result = arena("replay", "verify", copy)
    assert (result.exit_code, result.stdout) == (1, f"{replays} is empty\n")


def test_blocks_that_are_played_again_give_the_same_bytes(arena: Arena, played: Path) -> None:
    result = arena("verify", played, "--jobs", "2", "--play-again", "5")
    assert result.exit_code == 0
    checked, drawn, chance = result.stdout.splitlines()
    assert checked.endswith(" files, 5 blocks played again, all true")
    assert chance.endswith("if 1 %, 5 %, 20 % of all blocks are forged: 41.7 %, 41.7 %, 84.1 %.")
    again = arena("verify", played, "--jobs", "1", "--play-again", "5", "--sample-seed", drawn.split()[-1])
    assert again.stdout == result.stdout
    told = json.loads(arena("verify", played, "--jobs", "1", "--play-again", "99", "--json").stdout)
    assert (told["true"], told["played_again"]) == (True, 12)


def test_no_two_checks_play_the_same_blocks_again(arena: Arena, played: Path) -> None:
    told = [
        json.loads(arena("verify", played, "--jobs", "1", "--play-again", "6", "--json").stdout)
        for _ in range(6)
    ]
    samples = [tuple(sampled["play_again_sample"]["blocks"]) for sampled in told]
    assert len(set(samples)) > 1  # by chance equal once in 924^5 times
    assert all(len(set(sample)) == 6 for sample in samples)


def test_a_bot_that_plays_otherwise_the_second_time_is_found(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FICKLE", "0")
    (tmp_path / "fickle.py").write_text(FICKLE)
    games = [{"name": "cuccu", "players": 2}]
    table = {"bots": ["fickle.py:Fickle", "random"], "variants": games, "blocks": 3, "isolation": "inline"}
    config = make_config(table, base=tmp_path, where="a test")
    folder = tmp_path / "run"
    Run.create(config, RunFolder.create(folder), choose_levels(config, confirmed="inline")).play(RunOptions())
    again = ("verify", folder, "--jobs", "1", "--play-again", "3")
    assert arena(*again, "--isolation", "inline").exit_code == 0
    refused = arena(*again)
    assert (refused.exit_code, "--isolation inline" in refused.stderr) == (2, True)
    monkeypatch.setenv("FICKLE", "1")
    result = arena(*again, "--isolation", "inline")
    assert result.exit_code == 1
    assert "block 0 (cuccu/2/" in result.stdout
    assert "match of rotation 0: played again it is another match" in result.stdout
    (tmp_path / "fickle.py").write_text(FICKLE + "\n")
    changed = arena(*again, "--isolation", "inline")
    assert (changed.exit_code, "changed since this run began" in changed.stderr) == (2, True)


def test_a_sample_is_called_one(arena: Arena, played: Path) -> None:
    result = arena("verify", played, "--jobs", "1", "--sample", "2")
    assert result.exit_code == 0
    checked, warning, drawn, chance = result.stdout.splitlines()
    assert checked.startswith(f"{played}: 12 blocks, 6 matches, ")
    assert warning.startswith("30 matches not replayed by the rules, ")
    assert drawn.startswith("Replayed: ")
    assert chance.endswith(": 16.7 %, 16.7 %, 45.5 %.")
    told = json.loads(arena("verify", played, "--jobs", "1", "--sample", "99", "--json").stdout)
    assert (told["matches"], told["not_replayed"]) == (36, 0)


def test_a_published_archive_is_verified_as_it_is(arena: Arena, played: Path, tmp_path: Path) -> None:
    archive = tmp_path / "cup.zip"
    assert arena("publish", played, "--with-bots", "--out", archive).exit_code == 0
    result = arena("verify", archive, "--jobs", "1", "--play-again", "2")
    assert (result.exit_code, result.stdout.split(", ")[0]) == (0, f"{archive}: 12 blocks")
    forged = tmp_path / "forged.zip"
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(forged, "w") as target:
        for info in source.infolist():
            changed = b"variant\n" if info.filename.endswith("elo.csv") else source.read(info)
            target.writestr(info.filename, changed)
    result = arena("verify", forged, "--jobs", "1")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        1,
        f"{forged / 'elo.csv'}, line 1: it differs from the store",
    )


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["../arena.db"], "is not safe to write elsewhere"),
        (["a/x.txt"], "is not an archive of `arena publish`"),
        (["a/arena.db", "b/arena.db"], "is not an archive of `arena publish`"),
        (["a/arena.db", "a/arena.db"], "is no zip archive, or cut off or damaged"),
        (["a/arena.db", "a/games/1/golf.py"], "begin the command with --trust-game"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_that_is_no_run_is_refused(
    arena: Arena, tmp_path: Path, names: list[str], message: str
) -> None:
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name in names:
            file.writestr(name, "text")
    result = arena("verify", archive)
    assert (result.exit_code, message in result.stderr) == (1, True), result.stderr
    assert not (tmp_path / "arena.db").exists()


def test_an_archive_that_is_cut_off_is_said_to_be_damaged(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and nothing else")
    result = arena("verify", tmp_path / "a.zip")
    assert (result.exit_code, "is no zip archive, or cut off or damaged" in result.stderr) == (1, True)


def test_tables_without_their_run_lead_to_what_checks_them(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "blocks.txt").write_text("00\n")
    result = arena("verify", tmp_path)
    assert (result.exit_code, "benchmarks.reference_run check" in result.stderr) == (2, True)


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
        "verify DIR --jobs 1",
    ],
)
def test_a_changed_block_is_refused(arena: Arena, damaged: Path, command: str) -> None:
    result = arena(*(word.replace("DIR", str(damaged)) for word in command.split()))
    assert result.exit_code == 1, result.output
    assert f"{damaged / 'arena.db'}, block 4 (" in result.output
    assert "its digest does not match its bytes" in result.output
    left = {path.name for path in damaged.iterdir()} - {"arena.db", "arena.log"}
    assert not left & {"elo.csv", "elo.md", "matches.csv", "report.html", "replays.jsonl.zst"}


def make_key(path: Path) -> Path:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("OpenSSH is not installed")
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
    good = arena("verify", sealed, "--jobs", "1", "--signer", f"{key}.pub")
    assert good.exit_code == 0
    assert f"Sealed under the root {root}, signed by the key asked for" in good.stdout
    assert f"<code>{root}</code>" in (sealed / "report.html").read_text()
    assert f"<code>{root}</code>" in arena("replay", "show", sealed, "--html").stdout
    other = make_key(tmp_path / "other")
    for folder, says in ((sealed, True), (played, False)):
        assert arena("publish", folder, "--out", tmp_path / f"{folder.name}.zip").exit_code == 0
        with zipfile.ZipFile(tmp_path / f"{folder.name}.zip") as archive:
            readme = archive.read("README.txt").decode()
        assert (f"arena verify {folder.name} --signer" in readme) == says
    false = arena("verify", sealed, "--jobs", "1", "--signer", f"{other}.pub")
    assert (false.exit_code, "seal.json.sig: it is not signed by the key in" in false.stdout) == (1, True)
    text = (sealed / "seal.json").read_text()
    (sealed / "seal.json").write_text(text.replace('"blocks": 12', '"blocks": 13'))
    changed = arena("verify", sealed, "--jobs", "1")
    assert changed.exit_code == 1
    assert "seal.json: its blocks is not the run's" in changed.stdout
    assert "seal.json.sig: it is not signed" in changed.stdout


def test_a_changed_block_is_not_the_sealed_one(arena: Arena, sealed: Path) -> None:
    with closing(sqlite3.connect(sealed / "arena.db")) as connection, connection:
        connection.execute("DELETE FROM block WHERE place = 11")
    assert arena("resume", sealed, "--jobs", "1").exit_code == 0
    assert arena("verify", sealed, "--jobs", "1").exit_code == 0  # it was played again to the same
    with closing(sqlite3.connect(sealed / "arena.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = json_set(value, '$.greedy', 'ff') WHERE name = 'bots'")
    result = arena("verify", sealed, "--jobs", "1")
    assert (result.exit_code, "seal.json: its bots is not the run's" in result.stdout) == (1, True)


def test_another_author_is_not_the_sealed_one(arena: Arena, sealed: Path) -> None:
    with closing(sqlite3.connect(sealed / "arena.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = '{\"greedy\": \"Mallory\"}' WHERE name = 'authors'")
    result = arena("verify", sealed, "--jobs", "1")
    assert (result.exit_code, "seal.json: its bots is not the run's" in result.stdout) == (1, True)


def test_an_unsigned_seal_says_so(arena: Arena, sealed: Path, key: Path) -> None:
    assert "not signed: whoever changes" in arena("seal", sealed, "--jobs", "1").stdout
    assert not (sealed / "seal.json.sig").exists()
    good = arena("verify", sealed, "--jobs", "1")
    assert (good.exit_code, "not signed: whoever changes" in good.stdout) == (0, True)
    asked = arena("verify", sealed, "--jobs", "1", "--signer", f"{key}.pub")
    assert (asked.exit_code, "the seal is not signed" in asked.stdout) == (1, True)


def test_what_cannot_be_sealed_or_signed_is_refused(arena: Arena, played: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(played, tmp_path / "run")
    (tmp_path / "key.pub").write_text("ssh-ed25519 AAAA\n")
    none = arena("verify", folder, "--jobs", "1", "--signer", tmp_path / "key.pub")
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
    checked = arena("verify", folder, "--jobs", "1")
    assert (checked.exit_code, "seal.json is a link or a device" in checked.stderr) == (1, True)
    assert arena("report", folder).exit_code == 0
    (folder / "seal.json").unlink()
    (folder / "seal.json").write_text('{"root": "trust me"}')
    assert "trust me" not in arena("replay", "show", folder, "--html").stdout
    assert arena("seal", folder, "--jobs", "1").exit_code == 0
    os.mkfifo(folder / "seal.json.sig")
    checked = arena("verify", folder, "--jobs", "1")
    assert (checked.exit_code, "seal.json.sig is a link or a device" in checked.stdout) == (1, True)
