import gc
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest

from arena.play.referee import GC_THRESHOLD_OBJECTS
from arena.tournament.engine.block_player import ChunkQueue, PlayedChunk, play_and_pack
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, pack
from arena.tournament.store.store import IndexSet
from tests.tournament import fake_run


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
