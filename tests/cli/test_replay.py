"""`arena replay`: list, show, verify and export; pages of matches, other bots beside them, and notes."""

import base64
import json
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from arena.output.pages.replay_data import ReplayData, read_replays
from arena.tournament.run import Run
from tests.cli.conftest import Arena

RECORD = (
    '{"v":1,"variant":"lives","options":{},"players":3,"bots":["greedy","random","prudent"],'
    '"deals":[{"dealer":0,"hands":["TD 6C 2H","9H 9C 4D","KS QS 5H"],"table":"JS 9D 3C","stock":"",'
    '"actions":["1:4D>9D","2:5H>JS","0:2H>4D","1:knock","2:pass","0:4D>5H"],"result":{"tokens":[-1,0,0]}}]}\n'
)

SHOWN = """\
Match 1: lives, 3 players

Deal 1: greedy deals

  1  random   9H 9C 4D  3 tokens
  2  prudent  KS QS 5H  3 tokens
  0  greedy   TD 6C 2H  3 tokens
     widow    JS 9D 3C

  1  random   takes 9D for 4D  4D>9D  9H 9C 9D  JS 4D 3C
  2  prudent  takes JS for 5H  5H>JS  KS QS JS  5H 4D 3C
  0  greedy   takes 4D for 2H  2H>4D  TD 6C 4D  5H 2H 3C
  1  random   knocks           knock
  2  prudent  passes           pass
  0  greedy   takes 5H for 4D  4D>5H  TD 6C 5H  4D 2H 3C

  1  random   9H 9C 9D  three nines
  2  prudent  KS QS JS  sequence to the king
  0  greedy   TD 6C 5H  point 21              loses 1 token, has 2
"""


def test_match_is_printed_without_colour_outside_a_terminal(arena: Arena) -> None:
    result = arena("replay", "show", "-", stdin=RECORD.encode())
    assert (result.exit_code, result.stdout) == (0, SHOWN)


def test_terminal_output_is_coloured_unless_no_color_is_set(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        "\x1b[38;5;33mTD\x1b[0m \x1b[38;5;28m6C\x1b[0m \x1b[38;5;160m2H"
        in arena("replay", "show", "-", stdin=RECORD.encode(), color=True).stdout
    )
    monkeypatch.setenv("NO_COLOR", "1")
    assert arena("replay", "show", "-", stdin=RECORD.encode(), color=True).stdout == SHOWN


def test_replay_without_a_command_prints_help(arena: Arena) -> None:
    result = arena("replay")
    assert (result.exit_code, result.stdout) == (0, arena("replay", "--help").stdout)


def test_replays_of_a_run_verify(arena: Arena, played: Path) -> None:
    result = arena("replay", "verify", played)
    name, counts = result.stdout.split(": ")
    assert (result.exit_code, name) == (0, str(played / "replays.jsonl.zst"))
    assert counts.startswith("36 matches, ")
    assert counts.endswith(" actions, all true\n")


def test_each_file_gets_a_line_and_a_wrong_one_fails(arena: Arena, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl.zst"
    good.write_text(RECORD)
    bad.write_bytes(zstandard.compress(RECORD.replace("2:pass", "2:KS>4D").encode()))
    result = arena("replay", "verify", bad, good)
    assert result.exit_code == 1
    wrong, true = result.stdout.splitlines()
    assert wrong.startswith(f"{bad}, line 1: deal 1: action 5, '2:KS>4D': ")
    assert true == f"{good}: 1 match, 1 deal, 6 actions, all true"


def test_list_prints_a_table_or_json(arena: Arena, played: Path) -> None:
    lines = arena("replay", "list", played).stdout.splitlines()
    assert lines[-1] == f"Show one: arena replay show {played} --match 1"
    assert len(lines) == 2 + 36 + 2
    listed = json.loads(arena("replay", "list", played, "--json").stdout)
    assert [row["match"] for row in listed] == list(range(1, 37))
    assert listed[0]["block"] == lines[2].split()[1]
    assert listed[0]["bots"] == json.loads(next(records(arena, played)))["bots"]


def test_list_can_be_filtered(arena: Arena, played: Path) -> None:
    def numbers(*args: str) -> list[int]:
        return [row["match"] for row in json.loads(arena("replay", "list", played, "--json", *args).stdout)]

    listed = json.loads(arena("replay", "list", played, "--json").stdout)
    pool = [row["match"] for row in listed if row["variant"] == "pool"]
    assert numbers("--variant", "pool") == pool
    assert numbers("--variant", "lives(tokens=1)") == numbers("--variant", "lives")
    assert numbers("--block", listed[0]["block"]) == [1, 2, 3]
    assert numbers("--bot", "greedy", "--bot", "random") == list(range(1, 37))
    assert numbers("--fault", "any") == []
    worst = numbers("--worst", "random", "--variant", "pool")
    payoffs = {row["match"]: dict(zip(row["bots"], row["payoffs"], strict=True))["random"] for row in listed}
    assert [payoffs[number] for number in worst] == sorted(payoffs[number] for number in pool)
    nothing = arena("replay", "list", played, "--bot", "greedy", "--fault", "crash")
    assert (nothing.exit_code, nothing.stdout) == (0, "No match meets these conditions.\n")


def test_empty_file_is_not_reported_as_verified(arena: Arena, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    result = arena("replay", "verify", empty)
    assert (result.exit_code, result.stdout) == (0, f"{empty}: holds no match, so nothing was checked\n")


def test_listed_match_can_be_shown(arena: Arena, played: Path) -> None:
    listed = json.loads(arena("replay", "list", played, "--json").stdout)
    row = listed[7]
    by_number = arena("replay", "show", played, "--match", "8").stdout
    by_block = arena(
        "replay", "show", played, "--block", row["block"], "--rotation", str(row["rotation"])
    ).stdout
    assert by_number == by_block
    assert by_number.startswith(f"Match 8: {row['variant']}, 3 players\n\n  Block {row['block']}, rotation ")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--match", "99"], "has no such match; list its matches with `arena replay list`"),
        (["--deal", "99"], "there is no deal 99"),
    ],
)
def test_missing_match_is_reported(arena: Arena, played: Path, args: list[str], message: str) -> None:
    result = arena("replay", "show", played, *args)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def records(arena: Arena, played: Path, *args: str) -> Iterator[str]:
    return iter(arena("replay", "export", played, *args).stdout.splitlines())


def test_export_has_all_matches_of_the_run(arena: Arena, played: Path, tmp_path: Path) -> None:
    whole = zstandard.ZstdDecompressor().stream_reader((played / "replays.jsonl.zst").read_bytes()).read()
    assert "\n".join(records(arena, played)) + "\n" == whole.decode()
    file = tmp_path / "pool.jsonl.zst"
    result = arena("replay", "export", played, "--variant", "pool", "--out", file)
    assert (result.exit_code, result.output) == (0, "")
    assert arena("replay", "verify", file).stdout.startswith(f"{file}: 18 matches, ")


def test_run_without_replays_says_so(arena: Arena, tmp_path: Path) -> None:
    result = arena("replay", "list", tmp_path)
    assert result.exit_code == 1
    assert result.stderr == f"arena: {tmp_path} has no replays: replays.jsonl.zst is missing\n"


LONG = "\u202e" + "x" * 1_000_000
WITH_LONG_TEXT = {
    "block": {"block": LONG},
    "variant": {"variant": LONG},
    "seed": {"seed": LONG},
    "bots": {"bots": [LONG, "b", "c"]},
    "options": {"options": {LONG: 1}},
    "value": {"options": {"bank": LONG}},
    "start": {"start": {LONG: 1}},
    "stock": {"deals": [{**json.loads(RECORD)["deals"][0], "stock": LONG}]},
    "action": {"deals": [{**json.loads(RECORD)["deals"][0], "actions": [f"1:{LONG}"]}]},
    "faults": {"faults": [{"seat": seat, "kind": "illegal", "deal": 0} for seat in range(100_000)]},
}
"""Changes of a record."""


@pytest.mark.parametrize("change", WITH_LONG_TEXT.values(), ids=WITH_LONG_TEXT)
@pytest.mark.parametrize("command", [["list"], ["show"], ["show", "--html"], ["verify"]], ids=" ".join)
def test_text_of_a_million_characters_is_not_printed(
    arena: Arena, tmp_path: Path, change: dict[str, object], command: list[str]
) -> None:
    (tmp_path / "long.jsonl").write_text(json.dumps({**json.loads(RECORD), **change}))
    printed = arena("replay", *command, tmp_path / "long.jsonl").output
    assert 0 < len(printed) < 200_000
    assert "\u202e" not in printed


def test_chances_are_drawn_on_a_page_and_listed_on_a_terminal(
    arena: Arena, played: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    result = arena("replay", "show", played, "--html", "--chances", 2, "--out", page)
    assert (result.exit_code, result.output) == (0, "")
    assert "chanceCurve" in page.read_text(encoding="utf-8")
    text = arena("replay", "show", played, "--chances", 2, "--by", "stand-pat", "--deal", 1).output
    heading, _, table = text.partition("Chance of each seat to be placed ahead of another, in percent")
    assert "Deal 1" in heading
    assert "two standard errors are at most" in table
    assert "at first" in table
    assert "Chance of each seat" not in arena("replay", "show", played, "--deal", 1).output


FIRST_ACTION = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print('{"t":"ready","v":1}', flush=True)
    if message["t"] == "act":
        print(json.dumps({"t": "action", "m": message["m"], "action": 0}), flush=True)
"""


def test_match_page_goes_to_a_file_or_standard_output(arena: Arena, played: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    assert arena("replay", "show", played, "--match", 3, "--html", "--out", file).exit_code == 0
    shown = arena("replay", "show", played, "--match", 3, "--html").stdout
    assert file.read_text(encoding="utf-8") == shown
    assert "<title>lives(tokens=1), match 3</title>" in shown


def test_transcript_can_be_written_to_a_file(arena: Arena, played: Path, tmp_path: Path) -> None:
    arena("replay", "show", played, "--out", tmp_path / "match.txt")
    assert (tmp_path / "match.txt").read_text(encoding="utf-8").startswith("Match 1: ")


def test_shadow_takes_bots_as_arena_run_does(arena: Arena, played: Path, here: Path) -> None:
    file, folder, program = here / "mine.py", here / "folder", here / "it.py"
    file.write_text("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "foldable"\nclass = "bot.py:Mine"\n')
    (folder / "bot.py").write_text(file.read_text())
    program.write_text(FIRST_ACTION)
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


@pytest.mark.parametrize("isolation", ["inline", pytest.param("process", marks=pytest.mark.full)])
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
