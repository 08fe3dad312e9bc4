"""`arena verify`."""

import json
import shutil
import zipfile
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
    table = {
        "bots": ["fickle.py:Fickle", "random"],
        "variants": [{"name": "cuccu", "players": 2}],
        "blocks": 3,
        "isolation": "inline",
    }
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
