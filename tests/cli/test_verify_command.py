"""A whole run is played again from the command line."""

import json
import shutil
from pathlib import Path

import zstandard

from tests.cli.conftest import Arena


def test_a_true_run_is_said_to_be_true(arena: Arena, played: Path) -> None:
    result = arena("verify", played, "--jobs", "1")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{played}: 12 blocks, 36 matches, ")
    assert result.stdout.endswith(" actions, 5 files, all true\n")
    told = json.loads(arena("verify", played, "--jobs", "1", "--json").stdout)
    assert (told["true"], told["blocks"], told["wrong"]) == (True, 12, [])


def test_what_is_wrong_has_its_line_and_the_status_is_one(arena: Arena, played: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(played, tmp_path / "copy")
    (copy / "elo.csv").write_text("variant\n")
    result = arena("verify", copy, "--jobs", "1")
    assert result.exit_code == 1
    wrong, checked = result.stdout.splitlines()
    assert wrong == f"{copy / 'elo.csv'}, line 1: it is not what the store gives"
    assert checked.endswith(" 1 thing wrong")
    told = json.loads(arena("verify", copy, "--jobs", "1", "--json").stdout)
    assert told["wrong"] == [{"file": "elo.csv", "what": "it is not what the store gives", "line": 1}]


def test_replays_of_a_run_are_never_silently_short(arena: Arena, played: Path, tmp_path: Path) -> None:
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
