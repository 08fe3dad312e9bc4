"""Notes of bots: kept beside a run, shown in its replays, and nowhere in what is compared or published."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.tournament.run import Run
from tests.cli.conftest import Arena

PYTHON = """\
from arena import Bot
class Talker(Bot):
    def act(self, view):
        action = view.legal[len(view.legal) // 2]
        if self.info.settings["talks"]:
            self.note("forgotten")
            self.note(f"I hold {view.hand[0]}\\n" + "x" * 300)
        return action
"""
PROGRAM = """\
import itertools, json, sys
notes = itertools.cycle([NOTES])
for line in sys.stdin:
    message = json.loads(line)
    match message["t"]:
        case "hello":
            talks = message["settings"]["talks"]
            print('{"t":"ready","v":1,"events":false}', flush=True)
        case "act":
            legal = message["view"]["legal"]
            answer = {"t": "action", "m": message["m"], "action": len(legal) // 2}
            if talks:
                answer["note"] = next(notes)
            print(json.dumps(answer), flush=True)
        case "bye":
            break
"""
FILES = ("matches.csv", "elo.csv", "replays.jsonl.zst", "report.html", "standings.csv")
Play = Callable[..., Path]


@pytest.fixture
def play(arena: Arena, tmp_path: Path) -> Play:
    """Plays a short run of a bot against two others, and returns its folder."""

    def run(bot: str, talks: bool, isolation: str) -> Path:
        name = f"{'talks' if talks else 'silent'}-{isolation}"
        config = tmp_path / f"{name}.toml"
        config.write_text(
            f'bots = [{{bot = {bot!r}, name = "mine", talks = {str(talks).lower()}}}, "greedy", "random"]\n'
            f'blocks = 1\nseed = "s"\nisolation = "{isolation}"\n'
            '[[variants]]\nname = "lives"\nplayers = 3\ntokens = 1\n'
        )
        done = arena("run", config, "--out", tmp_path / name, "--jobs", "1", "--isolation", isolation)
        assert done.exit_code == 0, done.stderr
        return tmp_path / name

    return run


def packed(folder: Path) -> list[Any]:
    """Return what is stored of each block but its key, which has the bots' settings."""
    return [(block.address, result.matches) for block, result in Run.open(folder).played()]


def written(folder: Path) -> dict[str, bytes]:
    """Return the files of a run by name, without the setting by which they differ."""
    files = {name: folder / name for name in FILES if (folder / name).exists()}
    return {
        name: path.read_bytes().replace(b"talks = true", b"talks = false") for name, path in files.items()
    }


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_notes_change_no_block_and_no_file(play: Play, arena: Arena, tmp_path: Path, isolation: str) -> None:
    (tmp_path / "talker.py").write_text(PYTHON)
    talks, silent = (play(f"{tmp_path}/talker.py:Talker", talks, isolation) for talks in (True, False))
    assert packed(talks) == packed(silent)
    assert written(talks) == written(silent)
    [address, *_] = [block.address for block, _ in Run.open(talks).played()]
    notes = Run.open(talks).read_notes(address, 1)
    assert {note.seat for note in notes} == {1}
    assert all(len(note.text) == 200 and note.text.startswith("I hold ") for note in notes)
    assert "\n" not in notes[0].text
    assert Run.open(silent).read_notes(address, 1) == []
    shown = arena("replay", "show", talks, "--block", address, "--rotation", "1")
    assert shown.stdout.count("I hold ") == len(notes) > 0
    first = Run.open(talks).read_notes(address, 0)[0]
    moves = arena("replay", "show", talks, "--deal", first.deal + 1).stdout
    lines = [line for line in moves.splitlines() if first.text in line]
    assert lines[0].split()[:2] == [str(first.seat), "mine"]
    page = arena("replay", "show", talks, "--html").stdout
    assert "bot-note" in page
    assert "I hold" not in arena("replay", "show", talks / "replays.jsonl.zst").stdout


def test_published_runs_have_no_notes(play: Play, arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(PYTHON)
    folder = play(f"{tmp_path}/talker.py:Talker", True, "inline")
    done = arena("publish", folder, "--out", tmp_path / "cup.zip")
    assert done.exit_code == 0, done.stderr
    shutil.unpack_archive(tmp_path / "cup.zip", tmp_path / "cup")
    [database] = (tmp_path / "cup").rglob("arena.db")
    [address, *_] = [block.address for block, _ in Run.open(folder).played()]
    assert Run.open(folder).read_notes(address, 0)
    assert Run.open(database.parent).read_notes(address, 0) == []


def test_programs_send_notes_with_their_answers(play: Play, tmp_path: Path) -> None:
    """Each of the notes in turn; those that are no text, or too long to be one, are not kept."""
    notes = (
        *("'two ' + chr(0x1F600) * 190", "'z' * 300", "chr(27) + '[31mred'", "chr(0x1F600) * 300"),
        *("7", "['a']", "None", "''"),
    )
    shown = {"two " + "\U0001f600" * 190, "z" * 200, " [31mred"}
    (tmp_path / "talker.py").write_text(PROGRAM.replace("NOTES", ", ".join(notes)))
    folder = play(f"cmd:python3 {tmp_path}/talker.py", True, "process")
    played = list(Run.open(folder).played())
    assert not any(match.faults for _, result in played for match in result.matches)
    texts = {
        note.text
        for block, result in played
        for rotation in range(len(result.matches))
        for note in Run.open(folder).read_notes(block.address, rotation)
    }
    assert texts == shown
