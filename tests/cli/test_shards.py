"""`arena run --shard` and `arena merge`: shards make the same files as a run that was played at once."""

import shutil
import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.tournament.store.store import Store
from tests.cli.conftest import Arena
from tests.tournament.made_runs import CARELESS

FILES = ("run.toml", "matches.csv", "elo.csv", "elo.md", "replays.jsonl.zst", "report.html")
CONFIG = """\
{seed}
bots = ["{first}", "random", "{bot}"]
blocks = 4
{more}
[[variants]]
name = "lives"
players = 2
tokens = 1
"""


@pytest.fixture(autouse=True)
def folder(here: Path) -> None:
    """An empty folder with a config of 12 blocks."""
    write_config()


def write_config(
    more: str = "", seed: str = 'seed = "any text"', bot: str = "stand-pat", first: str = "greedy"
) -> None:
    Path("it.toml").write_text(CONFIG.format(more=more, seed=seed, bot=bot, first=first))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of the whole run and of its two shards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("shards"))
        write_config()
        for name, shard in (("whole", []), ("1-of-2", ["--shard", "1/2"]), ("2-of-2", ["--shard", "2/2"])):
            call = ["run", "it.toml", "--jobs", "1", "--quiet", "--out", name, *shard]
            assert CliRunner().invoke(main, call).exit_code == 0
        return Path.cwd()


@pytest.fixture
def shards(template: Path) -> list[str]:
    """The two shards of the run, beside the whole run."""
    shutil.copytree(template, ".", dirs_exist_ok=True)
    return ["1-of-2", "2-of-2"]


def play(arena: Arena, *more: str) -> Result:
    return arena("run", "it.toml", "--jobs", "1", "--quiet", *more)


def play_shards(arena: Arena, shards: int, *more: str) -> list[str]:
    """Play all shards; return their folders."""
    folders = [f"{number}-of-{shards}" for number in range(1, shards + 1)]
    for number, name in enumerate(folders, 1):
        assert play(arena, "--shard", f"{number}/{shards}", "--out", name, *more).exit_code == 0
    return folders


def merge(arena: Arena, *folders: str, out: str = "merged", options: tuple[str, ...] = ()) -> Result:
    return arena("merge", *folders, "--jobs", "1", "--out", out, *options)


def same(*folders: str, files: tuple[str, ...] = FILES) -> bool:
    first, *others = ([Path(folder, name).read_bytes() for name in files] for folder in folders)
    return all(first == other for other in others)


def test_merged_shards_are_the_whole_run(arena: Arena, shards: list[str]) -> None:
    merged = merge(arena, *reversed(play_shards(arena, 5)))
    assert merged.exit_code == 0
    assert same("whole", "merged")
    assert arena("verify", "merged", "--jobs", "1").exit_code == 0


def test_shard_says_what_it_is_and_is_complete_by_itself(arena: Arena) -> None:
    result = arena("run", "it.toml", "--jobs", "1", "--shard", "2/5", "--out", "part")
    assert "Playing shard 2/5, 3 blocks into part" in result.stderr
    assert (
        "Shard 2/5 is done, in part. When all 5 are, `arena merge DIR...` makes them one run."
        in result.stdout
    )
    verified = arena("verify", "part", "--jobs", "1")
    assert verified.exit_code == 0
    assert "more to play" not in verified.output


def test_merge_names_missing_blocks_and_their_shards(arena: Arena) -> None:
    first, _, third = play_shards(arena, 3)
    result = merge(arena, first, third)
    assert result.exit_code == 1
    assert "4 of 12 blocks are missing: block 1, block 4, block 7 and block 10, of shard 2/3 (not given)" in (
        result.stderr
    )
    assert not Path("merged").exists()


def test_merge_counts_blocks_given_twice(arena: Arena, shards: list[str]) -> None:
    first, second = shards
    shutil.copytree(first, "copy")
    result = merge(arena, first, second, "copy")
    assert "6 blocks are in several folders, with equal results." in result.stderr
    assert same("whole", "merged")


def test_merge_refuses_two_results_of_one_block(arena: Arena, shards: list[str]) -> None:
    first, second = shards
    shutil.copytree(first, "copy")
    with closing(sqlite3.connect("copy/arena.db")) as database, database:
        database.execute(
            """UPDATE block SET (outcome, actions, digest) =
            (SELECT outcome, actions, digest FROM block WHERE place = 2) WHERE place = 0"""
        )
    result = merge(arena, first, second, "copy")
    assert result.exit_code == 1
    assert (
        "block 0 (lives(tokens=1)/2/greedy+random/0) has other results in copy than in 1-of-2"
        in result.stderr
    )


def test_merge_refuses_other_runs_and_says_what_differs(arena: Arena, shards: list[str]) -> None:
    first, _ = shards
    assert play(arena, "--shard", "2/2", "--out", "other", "--seed", "another").exit_code == 0
    result = merge(arena, first, "other")
    assert result.exit_code == 2
    assert "other and 1-of-2 are not shards of one run: they differ in the seed" in result.stderr


def test_interrupted_shard_is_resumed(arena: Arena, shards: list[str]) -> None:
    assert play(arena, "--shard", "1/2", "--out", "one", "--time-limit", "0.000001").exit_code == 1
    assert arena("resume", "one", "--jobs", "1").exit_code == 0
    assert merge(arena, "one", shards[1]).exit_code == 0
    assert same("whole", "merged")


TUNING = 'format = "tuning"\nparameters = ["care=0..1"]\ngenerations = 1\nfinal_blocks = 6'


@pytest.mark.parametrize(
    ("keys", "first", "stages"),
    [('format = "swiss"\nrounds = 2', "greedy", 2), (TUNING, "careless.py:Bot", 3)],
)
def test_adaptive_format_is_sharded_stage_by_stage(arena: Arena, keys: str, first: str, stages: int) -> None:
    if keys == TUNING:
        pytest.importorskip("cma")
    Path("careless.py").write_text(CARELESS)
    write_config(keys, first=first)
    inline = ("--isolation", "inline")
    assert play(arena, "--out", "whole", *inline).exit_code == 0
    shards = play_shards(arena, 2, *inline)
    for stage in range(1, stages):
        merged = merge(arena, *shards, options=inline)
        assert merged.exit_code == 1, merged.stderr
        assert "Stopped early; resume with `arena resume merged" in merged.stdout, merged.stderr
        shutil.move("merged", f"stage-{stage}")
        for shard in shards:
            resumed = arena("resume", shard, "--reuse", f"stage-{stage}", "--jobs", "1", *inline)
            assert resumed.exit_code == 0, resumed.output
    assert merge(arena, *shards, options=inline).exit_code == 0
    assert same("whole", "merged")
    assert arena("verify", "merged", "--jobs", "1", "--play-again", "9", *inline).exit_code == 0


@pytest.mark.full
def test_blocks_with_a_bot_that_all_shards_disqualify_are_played_again(arena: Arena) -> None:
    Path("bad.py").write_text("raise ValueError\n")
    write_config('isolation = "process"', bot="bad.py:Bot")
    options = ("--isolation", "process", "--keep-going")
    assert play(arena, "--out", "whole", *options).exit_code == 0
    shards = play_shards(arena, 3, *options)
    merged = arena("merge", *shards, "--jobs", "1", "--out", "merged", "--isolation", "process")
    assert merged.exit_code == 0
    assert "9 blocks imported from 3 shards, 3 played" in Path("merged/arena.log").read_text()
    assert "disqualified" in Path("merged/elo.csv").read_text()
    assert same("whole", "merged", files=FILES[:-1])  # the report counts also the failures in the shards


class Killed(BaseException):
    """End of a command as by a kill: at once, at any place."""


def kill_at(monkeypatch: pytest.MonkeyPatch, place: str, call: int) -> None:
    """Have a call of a function, the first is 1, end the command before it does anything."""
    owner, name = place.rsplit(".", 1)
    module, _, cls = owner.partition(":")
    holder: Any = getattr(import_module(module), cls) if cls else import_module(module)
    genuine, calls = getattr(holder, name), []

    def killing(*args: Any, **kwargs: Any) -> Any:
        calls.append(name)
        if len(calls) == call:
            raise Killed
        return genuine(*args, **kwargs)

    monkeypatch.setattr(holder, name, killing)


@pytest.mark.parametrize(
    ("place", "call", "continues"),
    [
        ("arena.tournament.store.store.add_failures", 1, "merge"),
        ("arena.tournament.store.store.add_failures", 2, "merge"),  # with the first batch; earlier, by shard
        ("arena.tournament.store.store:Store.add", 3, "resume"),
        ("arena.tournament.run.write_pieces", 2, "resume"),
        ("arena.tournament.store.store:Store.end_merge", 1, "merge"),
    ],
)
def test_killed_merge_continues_and_counts_faults_once(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, place: str, call: int, continues: str
) -> None:
    Path("bad.py").write_text("class Bot:\n    def act(self, view):\n        return 'nonsense'\n")
    write_config('isolation = "inline"', bot="bad.py:Bot")
    monkeypatch.setattr("arena.tournament.merged_shards.IMPORT_BATCH", 2)
    options = ("--isolation", "inline")
    shards = play_shards(arena, 2, *options)
    assert merge(arena, *shards, out="undisturbed", options=options).exit_code == 0
    with monkeypatch.context() as patch:
        kill_at(patch, place, call)
        with pytest.raises(Killed):
            merge(arena, *shards, options=options)
    if continues == "resume":
        result = arena("resume", "merged", "--jobs", "1", *options)
    else:
        result = merge(arena, *shards, options=options)
    assert result.exit_code == 0, result.output
    assert same("undisturbed", "merged")
    assert Path("merged/arena.log").read_text().splitlines()[-1].endswith("tables and replays are written")
    assert ", 0 played" in Path("merged/arena.log").read_text()
    with Store.open(Path("undisturbed")) as expected, Store.open(Path("merged")) as merged:
        assert merged.failures() == expected.failures() != {}
        assert not merged.metadata.merging


def test_merge_that_is_done_is_left_as_it_is(arena: Arena, shards: list[str]) -> None:
    assert merge(arena, *shards).exit_code == 0
    shutil.copytree("merged", "before")
    for again in (shards, [*shards, "merged"]):  # a pattern may have the merged folder too
        result = merge(arena, *again)
        assert result.exit_code == 0, result.output
        assert "Results are in merged" in result.stdout
    assert same("before", "merged")
    assert merge(arena, "merged").exit_code == 2


def test_half_merged_run_takes_no_other_shards_and_no_changes(
    arena: Arena, shards: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        kill_at(patch, "arena.tournament.run.write_pieces", 1)
        with pytest.raises(Killed):
            merge(arena, *shards)
    shutil.copytree(shards[0], "copy")
    others = merge(arena, "copy", *shards)
    assert others.exit_code == 1
    assert "merged is half merged from" in others.stderr
    assert "name these folders again, or a new one with --out" in others.stderr
    changed = arena("resume", "merged", "--reuse", shards[0])
    assert changed.exit_code == 2
    assert "the shards of merged are not all merged yet: `arena resume merged` completes it" in changed.stderr
    shutil.rmtree(shards[1])
    lost = arena("resume", "merged", "--jobs", "1")
    assert lost.exit_code == 1
    assert "the shards of merged are not all merged yet, and one is missing" in lost.stderr


def test_shard_with_another_address_is_named_and_leaves_no_folder(arena: Arena, shards: list[str]) -> None:
    with closing(sqlite3.connect(f"{shards[1]}/arena.db")) as database, database:
        database.execute("UPDATE block SET address = 'elsewhere' WHERE place = 3")
    result = merge(arena, *shards)
    assert result.exit_code == 1
    assert "2-of-2: block 3 is elsewhere, in the schedule it is lives(tokens=1)/2/" in result.stderr
    assert not Path("merged").exists()
