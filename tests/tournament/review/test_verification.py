"""A run that is true is found so, and whatever is changed in it is named with its place."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import StoreError
from arena.games import Match
from arena.tournament.engine.block_player import BlockPlayer
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.workers import make_workers
from arena.tournament.review.verification import BlockSample, Problem, Verification, draw_sample, verify
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.store.codec import MatchResult, digest, pack, unpack
from arena.tournament.store.store import Store
from tests.tournament.made_runs import make_run

pytestmark = pytest.mark.xdist_group("verified run")  # played once

Change = Callable[[Path], object]

CONFIG: dict[str, Any] = {
    "bots": ["greedy", "random", "stand-pat"],
    "variants": [{"name": "lives", "players": 2, "tokens": 1}, {"name": "cambio", "players": 3}],
    "blocks": 3,
}


def begun(folder: Path, **changes: object) -> Run:
    return make_run(folder, **{**CONFIG, **changes})


@pytest.fixture(scope="session")
def true_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of 12 blocks with 27 matches."""
    folder = tmp_path_factory.mktemp("true") / "run"
    begun(folder).play(RunOptions())
    return folder


@pytest.fixture
def folder(true_run: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return shutil.copytree(true_run, tmp_path / "run")


def verified(folder: Path, jobs: int = 1) -> Verification:
    with make_workers(jobs) as hands:
        return verify(Run.open(folder), hands)


def only(folder: Path) -> Problem:
    """The one thing that is wrong with a run."""
    (wrong,) = verified(folder).wrong
    return wrong


def change(folder: Path, sql: str, *values: object) -> None:
    connection = sqlite3.connect(folder / "arena.db", isolation_level=None)
    connection.create_function("digest", 2, digest)
    connection.execute(sql, values)
    connection.close()


def forge(folder: Path, place: int, **changes: object) -> None:
    """Change the first match of a block, with the digest that belongs to it."""
    with Store.open(folder) as store:
        stored = list(store.read(is_checked=False))[place]
    result = unpack(stored)
    first, *others = result.matches
    forged = msgspec.structs.replace(first, **changes)
    packed = pack(stored.address, msgspec.structs.replace(result, matches=(forged, *others)))
    assert packed.digest == digest(packed.outcome, packed.actions)
    sql = "UPDATE block SET outcome = ?, actions = ?, digest = ? WHERE place = ?"
    change(folder, sql, packed.outcome, packed.actions, packed.digest, place)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_true_run_is_found_true(true_run: Path, jobs: int) -> None:
    verdict = verified(true_run, jobs)
    assert (verdict.wrong, verdict.blocks, verdict.missing, verdict.matches) == ([], 12, 0, 27)
    assert verdict.files == 5
    assert verdict.deals < verdict.actions


def test_a_run_that_was_stopped_is_true_as_far_as_it_goes(tmp_path: Path) -> None:
    assert begun(tmp_path / "run").play(RunOptions(time_limit_s=1e-9)) == "interrupted"
    verdict = verified(tmp_path / "run")
    assert (verdict.wrong, verdict.blocks, verdict.missing) == ([], 0, 12)


def test_of_a_run_that_is_being_played_the_blocks_are_checked(folder: Path) -> None:
    (folder / "elo.csv").unlink()
    with Store.resume(folder):
        verdict = verified(folder)
    assert (verdict.wrong, verdict.playing, verdict.blocks, verdict.files) == ([], True, 12, 0)
    (folder / "arena.lock").touch()  # as a run that was killed leaves it
    assert [wrong.file for wrong in verified(folder).wrong] == ["elo.csv"]


def test_a_tournament_in_stages_is_true_from_stage_to_stage(tmp_path: Path) -> None:
    variants = [{"name": "lives", "players": 2, "tokens": 1}]
    bots = ["greedy", "random", "stand-pat", "prudent"]
    run = begun(tmp_path / "run", format="swiss", rounds=3, blocks=1, bots=bots, variants=variants)
    run.play(RunOptions())
    verdict = verified(tmp_path / "run")
    assert (verdict.wrong, verdict.blocks, verdict.files) == ([], 6, 7)
    change(tmp_path / "run", "UPDATE block SET digest = x'00' WHERE place = 1")
    first, later = verified(tmp_path / "run").wrong
    assert (first.index, later.what) == (1, "4 later blocks were not checked, because these decide them")


@pytest.mark.parametrize("is_damaged", [pytest.param(False, marks=pytest.mark.full), True])
def test_blocks_after_a_forged_one_are_checked(tmp_path: Path, is_damaged: bool) -> None:
    """Results decide after 4, 8 and 16 blocks, where bots may be disqualified, how the others are played."""
    folder = tmp_path / "run"
    begun(folder, isolation="process").play(RunOptions())
    assert verified(folder).wrong == []
    for place in (1, 10):
        forge(folder, place, payoffs=(5, -5) if place == 1 else (1, 0, -1))
    if is_damaged:
        change(folder, "UPDATE block SET digest = x'00' WHERE place = 1")
    verdict = verified(folder)
    assert {problem.index for problem in verdict.wrong} == {1, 10}
    assert verdict.blocks == 12


def test_a_block_of_another_place_is_noticed(folder: Path) -> None:
    change(folder, "UPDATE block SET place = -place WHERE place IN (2, 3)")
    change(folder, "UPDATE block SET place = 5 + place WHERE place < 0")
    wrong = verified(folder).wrong
    assert [problem.index for problem in wrong] == [2, 3]
    assert wrong[0].what.startswith("it is stored as ")


def test_a_block_too_many_is_noticed(folder: Path) -> None:
    change(folder, "UPDATE block SET place = 99 WHERE place = 4")
    wrong, record = verified(folder).wrong
    assert wrong.index == 99
    assert wrong.what == "it is not in the schedule, which ends before it or has not decided it yet"
    assert record.what.startswith("it is not the record of this match; the store lacks")


def test_a_deleted_block_is_said_to_be_lacking(folder: Path) -> None:
    change(folder, "DELETE FROM block WHERE place = 2")
    record = verified(folder).wrong[0]
    assert record.what == "it is not the record of this match; the store lacks blocks that were due (1)"


@pytest.mark.parametrize("column", ["outcome", "actions"])
def test_a_flipped_bit_in_a_block_is_noticed(folder: Path, column: str) -> None:
    with Store.open(folder) as store:
        blob = bytearray(getattr(list(store.read(is_checked=False))[7], column))
    blob[-1] ^= 1
    change(folder, f"UPDATE block SET {column} = ? WHERE place = 7", bytes(blob))
    wrong = verified(folder).wrong
    assert {problem.index for problem in wrong} == {7}
    assert any(
        "its digest does not match its bytes" in problem.what or "damaged" in problem.what
        for problem in wrong
    )


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"placings": (1, 1)}, "the placings are ["),
        ({"payoffs": (5, -5)}, "the payoffs are ["),
        ({"faults": ((2, "illegal", 0),)}, "there is no fault 'illegal' of seat 2 in deal 0"),
        ({"faults": ((1, "laziness", 0),)}, "there is no fault 'laziness' of seat 1 in deal 0"),
        ({"actions": b"\xfe"}, "action 1 of the match is none of the legal ones"),
        ({"actions": b""}, "the match is not over after 0 actions"),
    ],
)
def test_a_forged_match_is_named_whatever_its_digest_says(
    folder: Path, changes: dict[str, object], what: str
) -> None:
    forge(folder, 0, **changes)
    wrong = only(folder)
    assert (wrong.file, wrong.index, wrong.rotation) == ("arena.db", 0, 0)
    assert wrong.what.startswith(what)


def edited(name: str, edit: Callable[[bytes], bytes]) -> Change:
    def change_file(folder: Path) -> None:
        (folder / name).write_bytes(edit((folder / name).read_bytes()))

    return change_file


@pytest.mark.parametrize(
    ("damage", "file", "line", "what"),
    [
        (lambda folder: (folder / "elo.csv").unlink(), "elo.csv", None, "it cannot be read: No such file"),
        (
            edited("elo.md", lambda text: text.replace(b"| bot", b"| cat", 1)),
            "elo.md",
            3,
            "it differs from the store",
        ),
        (edited("elo.csv", lambda text: text + b"more\n"), "elo.csv", 11, "it is longer than expected"),
        (edited("matches.csv", lambda text: text[:-100]), "matches.csv", None, "it ends too soon"),
        (edited("matches.csv", lambda text: text[:100]), "matches.csv", 2, "it ends too soon"),
        (edited("run.toml", lambda text: b"\n" + text), "run.toml", 1, "it differs from the store"),
    ],
)
def test_a_table_that_is_not_what_the_store_gives_is_named(
    folder: Path, damage: Change, file: str, line: int | None, what: str
) -> None:
    damage(folder)
    wrong = only(folder)
    assert wrong.file == file
    assert line in (None, wrong.line)
    assert wrong.what.startswith(what)


@pytest.mark.parametrize("left", [0, 1, 100, -1])
def test_replays_that_were_cut_off_are_noticed(folder: Path, left: int) -> None:
    edited("replays.jsonl.zst", lambda data: data[:left])(folder)
    wrong = only(folder)
    assert wrong.file == "replays.jsonl.zst"


def test_replays_that_are_whole_and_others_are_noticed(folder: Path, tmp_path: Path) -> None:
    few = begun(tmp_path / "few", replays=5)
    few.play(RunOptions())
    assert verified(tmp_path / "few").wrong == []
    (folder / "replays.jsonl.zst").write_bytes((tmp_path / "few/replays.jsonl.zst").read_bytes())
    assert only(folder).what == "it ends after 5 matches, the store has more"
    many = (tmp_path / "few/replays.jsonl.zst", folder.parent / "other/replays.jsonl.zst")
    begun(tmp_path / "other", seed="another").play(RunOptions())
    many[0].write_bytes(many[1].read_bytes())
    assert only(tmp_path / "few") == Problem(
        file="replays.jsonl.zst", line=1, what="it is not the record of this match"
    )


def test_replays_that_go_on_are_noticed(folder: Path, tmp_path: Path) -> None:
    begun(tmp_path / "few", replays=5).play(RunOptions())
    (tmp_path / "few/replays.jsonl.zst").write_bytes((folder / "replays.jsonl.zst").read_bytes())
    assert only(tmp_path / "few") == Problem(
        file="replays.jsonl.zst", line=6, what="the store has no match for this line"
    )


def test_a_damaged_database_is_named(folder: Path) -> None:
    data = bytearray((folder / "arena.db").read_bytes())
    pages = len(data) // 4096
    data[(pages - 1) * 4096 :] = bytes(4096)
    (folder / "arena.db").write_bytes(data)
    assert {wrong.file for wrong in verified(folder).wrong} == {"arena.db"}


def test_a_block_with_the_actions_of_another_is_named_when_it_is_written(folder: Path) -> None:
    run = Run.open(folder)
    other = "(SELECT actions FROM block WHERE address LIKE 'cambio/%' ORDER BY place LIMIT 1)"
    change(
        folder,
        f"""UPDATE block SET actions = {other}, digest = digest(outcome, {other})
            WHERE address LIKE 'cambio/%'""",
    )
    with pytest.raises(
        StoreError, match=r"block \d+ \(cambio/.+\) is damaged: .+; run `arena verify` for more"
    ):
        run.write()


def test_pipe_in_the_place_of_a_table_does_not_block(folder: Path) -> None:
    (folder / "matches.csv").unlink()
    os.mkfifo(folder / "matches.csv")
    assert "matches.csv is a link or a device" in only(folder).what


def test_of_a_sample_all_is_checked_but_the_rules_of_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[int] = []

    def count_replays(player: BlockPlayer, block: Block, result: MatchResult) -> Match:
        replayed.append(block.index)
        return replay(player, block, result)

    replay = BlockPlayer.replay_match
    monkeypatch.setattr(BlockPlayer, "replay_match", count_replays)
    drawn = set()
    for _ in range(30):
        replayed.clear()
        with make_workers(1) as hands:
            verdict = verify(Run.open(folder), hands, sample=2)
        assert (verdict.wrong, verdict.blocks, verdict.files) == ([], 12, 5)
        assert (len(set(replayed)), len(replayed)) == (2, verdict.matches)
        assert verdict.matches + verdict.not_replayed == 27
        drawn.update(replayed)
    assert len(drawn) > 6  # others each time


@pytest.mark.parametrize("file", ["elo.csv", "matches.csv"])
def test_a_sample_still_finds_changed_files_and_damaged_bytes(folder: Path, file: str) -> None:
    (folder / file).write_bytes((folder / file).read_bytes()[:-1] + b"0")
    with make_workers(1) as hands:
        assert [wrong.file for wrong in verify(Run.open(folder), hands, sample=1).wrong] == [file]
    change(folder, "UPDATE block SET digest = x'00'")
    with make_workers(1) as hands:
        problems = verify(Run.open(folder), hands, sample=1).wrong
    assert sum("digest" in wrong.what for wrong in problems) == 12 or "not checked" in problems[-1].what


def test_a_seed_draws_the_same_blocks_again() -> None:
    drawn = draw_sample(range(100), 10, None, "play-again")
    assert len(drawn.blocks) == 10
    assert draw_sample(reversed(range(100)), 10, drawn.seed, "play-again") == drawn
    assert draw_sample(range(100), 10, drawn.seed, "replay").blocks != drawn.blocks
    assert draw_sample(range(100), 10, None, "play-again").blocks != drawn.blocks


def test_every_block_is_drawn_equally_often() -> None:
    drawn = [draw_sample(range(10), 3, str(seed), "replay").blocks for seed in range(2000)]
    for index in range(10):
        assert 500 < sum(index in blocks for blocks in drawn) < 700  # 600, standard deviation 20


@pytest.mark.parametrize(
    ("drawn", "share", "chance"),
    [(10, 0.0, 0.0), (10, 0.01, 0.1), (2, 0.05, 1 - 95 * 94 / (100 * 99)), (2, 0.995, 1.0)],
)
def test_the_chance_is_hypergeometric(drawn: int, share: float, chance: float) -> None:
    assert BlockSample("", tuple(range(drawn)), 100).detection(share) == pytest.approx(chance)
