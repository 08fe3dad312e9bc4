"""Bots of a match get what is theirs and nothing of each other's; chunks hold as much work as they should."""

import gc
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.play.isolation import Level
from arena.play.referee import GC_THRESHOLD_OBJECTS
from arena.tournament.engine.block_player import BlockPlayer, ChunkQueue, PlayedChunk, RunPlan, play_and_pack
from arena.tournament.schedule import Block, RoundRobin
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import BlockResult, pack
from arena.tournament.store.store import IndexSet
from bots.plain import Random
from tests.tournament import fake_run


def test_no_seat_can_foretell_what_another_draws() -> None:
    bots = [{"bot": "random", "name": name} for name in "abcd"]
    config = make_config({"bots": bots, "variants": [{"name": "lives"}]}, base=Path(), where="here")
    player = BlockPlayer(RunPlan.from_config(config, "4711"))
    block = next(iter(RoundRobin(config, "4711")))
    _, players = player._make_match(block, 0, {})
    keys = [seated.bot.key for seated in players if isinstance(seated.bot, Random)]
    parts = {part for key in keys for part in key.split(b"/")}
    assert len(keys) == 4
    assert all(len(part) == 32 for part in parts), "a key has a part that can be counted through"
    assert len(parts) == 4, "keys share a part"


def test_rotations_of_a_block_share_its_shuffles_and_other_blocks_do_not() -> None:
    config = make_config(
        {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}]}, base=Path(), where="h"
    )
    player = BlockPlayer(RunPlan.from_config(config, "4711"))
    block, other = list(RoundRobin(config, "4711"))[:2]
    matches = [player._make_match(block, rotation, {})[0] for rotation in (0, 1)]
    assert matches[0].shuffler is matches[1].shuffler
    assert player._make_match(other, 0, {})[0].shuffler is not matches[0].shuffler


def test_processes_of_other_rotations_meet_the_blocks_in_another_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = make_config(
        {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}], "blocks": 12},
        base=Path(),
        where="here",
    )
    blocks = list(RoundRobin(config, "4711"))
    player = BlockPlayer(RunPlan.from_config(config, "4711", {"random": "process"}))
    met, make_match = defaultdict(list), player._make_match

    def make_and_note(block: Block, rotation: int, *rest: Any) -> Any:
        met[rotation].append(block.index)
        return make_match(block, rotation, *rest)

    monkeypatch.setattr(player, "_make_match", make_and_note)
    try:
        hosted = list(player.play_all(blocks))
    finally:
        player.close()
    assert [sorted(order) for order in met.values()] == [list(range(12))] * 2
    assert met[0] != met[1]
    inline = BlockPlayer(RunPlan.from_config(config, "4711")).play_all(blocks)
    assert [[match.actions for match in result.matches] for result in hosted] == [
        [match.actions for match in result.matches] for result in inline
    ]


PICKER = """
class Picker:
    def __init__(self, info):
        self.place = info.settings["place"]
    def act(self, view):
        return view.legal[self.place]
"""


@pytest.mark.parametrize("level", ["inline", "process"])
def test_bots_have_the_settings_of_a_block_and_then_their_own(tmp_path: Path, level: Level) -> None:
    (tmp_path / "picker.py").write_text(PICKER)
    table = {
        "bots": [{"bot": "picker.py:Picker", "name": "picker", "place": 0}, "greedy"],
        "variants": [{"name": "lives", "players": 2, "tokens": 1}],
    }
    config = make_config(table, base=tmp_path, where="here")
    [block, *_] = RoundRobin(config, "4711")
    other = msgspec.structs.replace(block, settings={"picker": {"place": -1}})
    with closing(
        BlockPlayer(RunPlan.from_config(config, "4711", {"picker": level, "greedy": "inline"}))
    ) as player:
        first, changed, again = (player.play(played).matches for played in (block, other, block))
    assert [match.actions for match in first] == [match.actions for match in again]
    assert [match.actions for match in first] != [match.actions for match in changed]


def after(seconds: float, blocks: list[Block]) -> PlayedChunk:
    """Return a worker's results after so many seconds."""
    return PlayedChunk([pack(block.address, fake_run.result(block)) for block in blocks], seconds)


def test_chunks_cover_what_is_missing_in_order() -> None:
    done = IndexSet()
    for index in (0, 2, 3):
        done.add(index)
    chunks = ChunkQueue(fake_run.schedule(7), done, target_s=0.05)
    assert [[block.index for block in chunks.take()] for _ in range(5)] == [[1], [4], [5], [6], []]


def test_chunks_grow_to_the_work_they_are_meant_to_hold() -> None:
    chunks = ChunkQueue(fake_run.schedule(10_000), IndexSet(), target_s=0.05)
    for _ in range(30):
        blocks = chunks.take()
        chunks.observe(after(0.001 * len(blocks), blocks))
    assert len(chunks.take()) == 50


def test_chunks_shrink_when_blocks_get_slower() -> None:
    chunks = ChunkQueue(fake_run.schedule(10_000), IndexSet(), target_s=0.05)
    for _ in range(30):
        blocks = chunks.take()
        chunks.observe(after(0.001 * len(blocks), blocks))
    for _ in range(30):
        blocks = chunks.take()
        chunks.observe(after(3.0 * len(blocks), blocks))
    assert len(chunks.take()) == 1


def test_a_slow_bot_that_answers_many_at_once_gets_many_blocks() -> None:
    chunks = ChunkQueue(fake_run.schedule(5000), IndexSet(), target_s=0.05)
    blocks = chunks.take()
    chunks.observe(msgspec.structs.replace(after(60.0, blocks), is_batched=True))
    assert (len(blocks), len(chunks.take())) == (1, 128)


def test_a_chunk_is_bounded_however_quick_blocks_are() -> None:
    chunks = ChunkQueue(fake_run.schedule(5000), IndexSet(), target_s=0.05)
    for _ in range(12):
        blocks = chunks.take()
        chunks.observe(after(1e-9, blocks))
    assert len(chunks.take()) == 1000


def test_bots_have_the_same_settings_in_a_chunk() -> None:
    calm, hasty = ({"a": {"pace": pace}} for pace in (1, 2))
    blocks = [
        msgspec.structs.replace(block, settings=settings)
        for block, settings in zip(
            fake_run.schedule(6), [None, calm, dict(calm), hasty, hasty, None], strict=True
        )
    ]
    chunks = ChunkQueue(blocks, IndexSet(), target_s=0.05)
    chunks.observe(after(1e-9, blocks))
    assert [[block.index for block in chunks.take()] for _ in range(5)] == [[0], [1, 2], [3, 4], [5], []]


def test_a_played_chunk_is_packed_where_it_was_played(tmp_path: Path) -> None:
    blocks = list(fake_run.schedule(3))
    played = play_and_pack(partial(fake_run.play, tmp_path), blocks)
    assert played.blocks == after(0, blocks).blocks
    assert played.seconds > 0


def test_a_chunk_with_a_result_missing_is_an_error() -> None:
    def all_but_one(blocks: Sequence[Block]) -> list[BlockResult]:
        return [fake_run.result(block) for block in blocks[1:]]

    with pytest.raises(ValueError, match="shorter"):
        play_and_pack(all_but_one, list(fake_run.schedule(3)))


def test_garbage_is_collected_once_a_chunk_at_most() -> None:
    before, seen = gc.get_threshold(), []

    def watch(blocks: Sequence[Block]) -> Iterator[BlockResult]:
        for block in blocks:
            seen.append(gc.get_threshold()[0])
            yield fake_run.result(block)

    play_and_pack(watch, list(fake_run.schedule(3)))
    assert (seen, gc.get_threshold()) == ([GC_THRESHOLD_OBJECTS] * 3, before)
