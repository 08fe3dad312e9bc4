import tracemalloc
import zlib

import msgspec
import pytest

from arena.errors import StoreError
from arena.tournament.store.codec import (
    WINDOW_BITS,
    BlockResult,
    MatchResult,
    PackedBlock,
    pack,
    unpack,
    unpack_outcome,
)
from tests.tournament import fake_run


def test_a_result_comes_back_as_it_was_packed() -> None:
    match = MatchResult((1, 3, 1), (40, -100, 60), ((1, "timeout", 2), (1, "illegal", 1)), bytes(range(256)))
    result = BlockResult(12, (match, msgspec.structs.replace(match, actions=b"")))
    packed = pack("lives/3/…", result)
    assert (packed.index, packed.address) == (12, "lives/3/…")
    assert unpack(packed) == result


def test_the_outcome_is_read_without_the_actions() -> None:
    result = fake_run.result(fake_run.block(3))
    outcome = unpack_outcome(pack("there", result))
    assert [match.placings for match in outcome.matches] == [match.placings for match in result.matches]
    assert [match.faults for match in outcome.matches] == [match.faults for match in result.matches]
    assert {match.actions for match in outcome.matches} == {b""}


def test_long_actions_come_back_too() -> None:
    long = MatchResult((1, 2), (0, 0), (), bytes(range(256)) * 1000)
    assert unpack(pack("there", BlockResult(0, (long,)))).matches == (long,)


@pytest.mark.parametrize("part", ["outcome", "actions"])
def test_damage_is_noticed_and_named(part: str) -> None:
    packed = pack("lives/4/all/7", fake_run.result(fake_run.block(7)))
    cut = msgspec.structs.replace(packed, **{part: getattr(packed, part)[:-5]})
    with pytest.raises(StoreError, match=r"block 7 \(lives/4/all/7\) is damaged"):
        unpack(cut)


def test_as_many_actions_as_outcomes_are_wanted() -> None:
    first, second = (pack("there", fake_run.result(fake_run.block(index))) for index in range(2))
    packed_first = pack("there", BlockResult(0, unpack(second).matches[:1]))
    with pytest.raises(StoreError, match="is damaged"):
        unpack(msgspec.structs.replace(first, actions=packed_first.actions))


def test_actions_that_inflate_beyond_what_was_packed_are_refused() -> None:
    deflate = zlib.compressobj(9, zlib.DEFLATED, WINDOW_BITS)
    bomb = deflate.compress(bytes(50 << 20)) + deflate.flush()
    tracemalloc.start()
    with pytest.raises(StoreError, match="larger than anything that was packed"):
        unpack(PackedBlock(0, "bomb", b"", bomb, b""))
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()
