"""`arena verify`."""

import json
import shutil
from pathlib import Path

import zstandard

from tests.cli.conftest import Arena


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
