from pathlib import Path

import msgspec
import pytest

from arena.errors import StoreError
from arena.tournament.store.codec import pack, unpack_outcome
from arena.tournament.store.played_blocks import read_blocks, read_outcomes
from arena.tournament.store.store import Store
from tests.tournament import fake_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Blocks 4, 1 and 3 of the make-believe schedule."""
    store = Store.create(tmp_path, fake_run.METADATA)
    blocks = [fake_run.block(index) for index in (4, 1, 3)]
    store.add(pack(block.address, fake_run.result(block)) for block in blocks)
    return store


def test_played_blocks_come_with_their_results_in_the_order_of_the_schedule(store: Store) -> None:
    with store:
        expected = [(fake_run.block(index), fake_run.result(fake_run.block(index))) for index in (1, 3, 4)]
        assert list(read_blocks(fake_run.schedule(9), store)) == expected


def test_outcomes_are_the_same_without_actions(store: Store) -> None:
    with store:
        [(block, outcome), *_] = read_outcomes(fake_run.schedule(9), store)
        assert outcome == unpack_outcome(pack(block.address, fake_run.result(block)))


def test_a_store_of_another_schedule_is_refused(store: Store) -> None:
    others = [msgspec.structs.replace(block, variant="pool") for block in fake_run.schedule(9)]
    with (
        store,
        pytest.raises(StoreError, match=r"block 1 of the store is lives/.*, in the schedule it is pool/"),
    ):
        list(read_blocks(others, store))


def test_a_block_beyond_the_schedule_is_refused(store: Store) -> None:
    with (
        store,
        pytest.raises(StoreError, match=r"block 4 of the store is .*, in the schedule it does not exist"),
    ):
        list(read_blocks(fake_run.schedule(4), store))
