"""`arena report` and `arena replay show --html`."""

import base64
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.output.pages.replay_data import ReplayData, read_replays
from tests.cli.conftest import Arena

PROGRAM = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print('{"t":"ready","v":1}', flush=True)
    if message["t"] == "act":
        print(json.dumps({"t": "action", "m": message["m"], "action": 0}), flush=True)
"""


def test_report_is_written_into_the_run_folder(arena: Arena, played: Path) -> None:
    result = arena("report", played)
    assert (result.exit_code, result.stdout) == (0, f"{played / 'report.html'}\n")
    first = (played / "report.html").read_bytes()
    arena("report", played)
    assert (played / "report.html").read_bytes() == first


def test_match_page_goes_to_a_file_or_standard_output(arena: Arena, played: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    assert arena("replay", "show", played, "--match", 3, "--html", "--out", file).exit_code == 0
    shown = arena("replay", "show", played, "--match", 3, "--html").stdout
    assert file.read_text(encoding="utf-8") == shown
    assert "<title>lives(tokens=1), match 3</title>" in shown


def test_transcript_can_be_written_to_a_file(arena: Arena, played: Path, tmp_path: Path) -> None:
    arena("replay", "show", played, "--out", tmp_path / "match.txt")
    assert (tmp_path / "match.txt").read_text(encoding="utf-8").startswith("Match 1: ")


def test_shadow_takes_bots_as_arena_run_does(
    arena: Arena, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, folder, program = tmp_path / "mine.py", tmp_path / "folder", tmp_path / "it.py"
    file.write_text("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "foldable"\nclass = "bot.py:Mine"\n')
    (folder / "bot.py").write_text(file.read_text())
    program.write_text(PROGRAM)
    assert arena("submit", "./folder").exit_code == 0
    shadows = (
        *("--shadow", "greedy, mine.py:Mine", "--shadow", "random(seed=7)", "--shadow", "./folder"),
        *("--shadow", f"cmd:python3 -S {program}", "--shadow", "submitted:foldable"),
    )
    result = arena("replay", "show", played, "--html", *shadows)
    assert (result.exit_code, result.stderr) == (0, "")
    [replay] = read_replays(result.stdout)
    assert len(replay.others) == 5
    assert replay.others[:4] == ["greedy", "mine.py:Mine", "random(seed=7)", "foldable"]
    frames = [frame for deal in unpack(replay) for frame in deal["frames"] if frame.get("others")]
    assert len(frames) >= 5
    for frame in frames:
        given = dict(frame["others"])
        assert {fault for _, fault in given.values()} == {""}
        assert given["mine.py:Mine"] == given["foldable"] == given[replay.others[4]], given


def test_shadow_has_the_limits_of_the_run(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "it.toml").write_text(
        'bots = ["greedy", "random"]\nblocks = 1\nlimits = {faults = 7}\n'
        '[[variants]]\nname = "lives"\nplayers = 2\n'
    )
    run, mine = tmp_path / "run", tmp_path / "mine.py"
    assert arena("run", tmp_path / "it.toml", "--jobs", "1", "--out", run).exit_code == 0
    mine.write_text(
        "from arena import Bot\n\n\nclass Mine(Bot):\n    def act(self, view):\n"
        "        raise ValueError(self.info.limits.faults)\n"
    )
    shadow = ("--html", "--shadow", f"{mine}:Mine")
    for source, faults in ((run, 7), (run / "replays.jsonl.zst", 3)):
        [replay] = read_replays(arena("replay", "show", source, *shadow).stdout)
        given = [frame["others"] for deal in unpack(replay) for frame in deal["frames"] if "others" in frame]
        reported = {fault for answers in given for _, fault in answers.values() if fault}
        assert reported == {f"crash: ValueError: {faults} (mine.py:6)"}


def test_machine_that_cannot_start_a_shadow_is_an_error(
    arena: Arena, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr("arena.play.bot_processes.process_pool.start", refuse)
    result = arena("replay", "show", played, "--html", "--shadow", "greedy", "--isolation", "process")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Cannot allocate memory" in result.stderr


def unpack(replay: ReplayData) -> list[Any]:
    """Return the deals of a replay."""
    deals: list[Any] = msgspec.json.decode(zlib.decompress(base64.b64decode(replay.packed)))
    return deals
