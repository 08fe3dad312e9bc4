"""Results counted from blocks of a schedule, and from stored ones."""

import struct
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.errors import StoreError
from arena.rating.pair_counts import count_pairs
from arena.rating.separation import ScoreSums
from arena.rating.student_t import estimate_mean
from arena.tournament.formats import make_format
from arena.tournament.results.results import ResultsReader
from arena.tournament.schedule import Block, RoundRobin
from arena.tournament.store import played_blocks as tally_module
from arena.tournament.store.codec import (
    OUTCOME,
    BlockResult,
    MatchResult,
    PackedBlock,
    pack,
    pack_seats,
    unpack_outcome,
)
from arena.tournament.store.played_blocks import (
    Game,
    Tally,
    add_blocks,
    add_outcomes,
    read_blocks,
    read_outcomes,
)
from arena.tournament.store.store import Store
from tests.tournament import fake_run
from tests.tournament.fake_formats import SEED, config, names, result
from tests.tournament.tallies import tally_blocks

BLOCKS = list(RoundRobin(config(4, 3, blocks=20), SEED))


def counted(blocks: list[Block]) -> Tally:
    return tally_blocks(((block, result(block)) for block in blocks), tuple(names(4)))["lives", 3]


def test_everything_is_counted_once() -> None:
    tally = counted(BLOCKS)
    assert tally.blocks == 80
    assert tally.pair_counts().matches == (180,) * 4
    assert [tally.placings.mean(bot).blocks for bot in range(4)] == [60] * 4
    of_bot0 = [
        sum(
            match.payoffs[seating.index("bot00")]
            for seating, match in zip(block.seatings, outcome.matches, strict=True)
        )
        / 3
        for block in BLOCKS
        for outcome in [result(block)]
        if "bot00" in block.bots
    ]
    assert tally.payoffs.mean(0) == pytest.approx(estimate_mean(of_bot0))


def test_it_does_not_matter_how_many_are_counted_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = counted(BLOCKS)
    monkeypatch.setattr(tally_module, "BATCH_BLOCKS", 7)
    parts = counted(BLOCKS)
    assert (whole.pair_counts().points() == parts.pair_counts().points()).all()
    assert [whole.payoffs.mean(bot) for bot in range(4)] == [parts.payoffs.mean(bot) for bot in range(4)]
    assert whole.duplicate_efficiency() == parts.duplicate_efficiency()


def test_it_can_be_asked_in_between() -> None:
    tallies: dict[Game, Tally] = {}
    for block in BLOCKS:
        add_blocks(tallies, [(block, result(block))], tuple(names(4)))
        tally = tallies["lives", 3]
        assert sum(tally.pair_counts().matches) == 9 * tally.blocks
    assert (tally.pair_counts().points() == counted(BLOCKS).pair_counts().points()).all()


def test_faults_are_those_of_the_bot_in_the_seat() -> None:
    faulty = MatchResult((1, 2), (0, 0), ((1, "illegal", 1), (1, "crash", 2)), b"")
    block = Block(0, "lives", 2, ("a", "b"), 0, (("a", "b"), ("b", "a")))
    tallies = tally_blocks([(block, BlockResult(0, (faulty, faulty)))], ("a", "b"))
    assert tallies["lives", 2].faults == [2, 2]


def test_each_variant_and_size_has_its_own() -> None:
    games = [{"name": "lives", "players": [2, 3]}, {"name": "pool", "players": 3}]
    made = RoundRobin(config(3, 3, variants=games, blocks=2), SEED)
    tallies = tally_blocks(((block, result(block)) for block in made), tuple(names(3)))
    assert set(tallies) == {("lives", 2), ("lives", 3), ("pool", 3)}
    assert [tallies[game].blocks for game in (("lives", 2), ("lives", 3))] == [6, 2]


def test_luck_that_goes_round_with_the_cards_is_worth_duplicate_deals() -> None:
    """One seat wins in all matches of a block: each bot has that luck once."""
    played = []
    for block in RoundRobin(config(3, 3, blocks=40), SEED):
        luck = block.index % 3
        places = tuple(1 if seat == luck else 2 for seat in range(3))
        spoilt = places if block.index % 5 else (1, 1, 1)
        matches = (MatchResult(places, (0, 0, 0), (), b""),) * 2 + (MatchResult(spoilt, (0, 0, 0), (), b""),)
        played.append((block, BlockResult(block.index, matches)))
    tally = tally_blocks(played, tuple(names(3)))["lives", 3]
    assert (tally.duplicate_efficiency() or 0) > 2


def test_blocks_that_share_a_table_out_say_nothing_of_duplicates() -> None:
    course = make_format(config(2, 4, format="comparison", max_blocks=40), SEED)
    stage = course.next_stage()
    assert stage is not None
    tally = tally_blocks(((block, result(block)) for block in stage), tuple(names(2)))["lives", 4]
    assert tally.duplicate_efficiency() is None
    assert tally.pair_counts().matches == (64, 64)


def test_the_pairs_are_those_of_the_rating() -> None:
    number = {name: place for place, name in enumerate(names(4))}
    matches = [
        (block.index, [number[bot] for bot in seating], match.placings)
        for block in BLOCKS
        for seating, match in zip(block.seatings, result(block).matches, strict=True)
    ]
    assert (count_pairs(names(4), 3, matches).points() == counted(BLOCKS).pair_counts().points()).all()


def count_stored(outcomes: list[PackedBlock], bots: tuple[str, ...]) -> dict[Game, Tally]:
    tallies: dict[Game, Tally] = {}
    add_outcomes(tallies, [(outcome, OUTCOME.decode(outcome.outcome)) for outcome in outcomes], bots)
    return tallies


def stored(blocks: list[Block], bots: tuple[str, ...]) -> list[PackedBlock]:
    """Blocks as a store gives them."""
    number = {bot: place for place, bot in enumerate(bots)}
    made = []
    for block in blocks:
        packed = pack(block.address, result(block)).outcome
        made.append(PackedBlock(block.index, block.address, packed, seats=pack_seats(block, number)))
    return made


def test_what_is_stored_comes_to_the_same() -> None:
    games = [{"name": "lives", "players": [2, 3], "tokens": 5}, {"name": "pool", "players": 3}]
    bots = tuple(names(4))
    blocks = list(RoundRobin(config(4, 3, variants=games, blocks=7), SEED))
    one_by_one = tally_blocks(((block, result(block)) for block in blocks), bots)
    at_once = count_stored(stored(blocks, bots), bots)
    assert list(at_once) == list(one_by_one) == [("lives(tokens=5)", 2), ("lives(tokens=5)", 3), ("pool", 3)]
    for game, tally in one_by_one.items():
        same = at_once[game]
        assert (same.blocks, same.faults) == (tally.blocks, tally.faults)
        assert (same.pair_counts().points() == tally.pair_counts().points()).all()
        assert same.pair_counts().matches == tally.pair_counts().matches
        assert [same.payoffs.mean(bot) for bot in range(4)] == [tally.payoffs.mean(bot) for bot in range(4)]
        assert [same.placings.mean(bot) for bot in range(4)] == [tally.placings.mean(bot) for bot in range(4)]
        assert same.duplicate_efficiency() == tally.duplicate_efficiency()


def test_faults_are_found_in_what_is_stored() -> None:
    block = Block(0, "lives", 2, ("a", "b"), 0, (("a", "b"), ("b", "a")))
    faulty = MatchResult((1, 2), (300, -70_000), ((1, "illegal", 1), (1, "crash", 2)), b"")
    fair = MatchResult((1, 2), (1, -1), (), b"")
    packed = pack(block.address, BlockResult(0, (faulty, fair))).outcome
    outcome = PackedBlock(0, block.address, packed, seats=struct.pack("<4H", 0, 1, 1, 0))
    tally = count_stored([outcome], ("a", "b"))["lives", 2]
    assert tally.faults == [0, 2]
    assert (tally.payoffs.total(0), tally.payoffs.total(1)) == (299, -69_999)


def test_damaged_outcomes_are_named() -> None:
    good = stored(BLOCKS[:3], tuple(names(4)))
    cut, other = replace(good[1], outcome=good[1].outcome[:-4]), replace(good[1], seats=b"\xff" * 18)
    reader = ResultsReader(config(4, 3), lambda _: SEED, [good[0], cut, good[2]])
    with pytest.raises(StoreError, match=r"^block 1 \(.*\) is damaged; `arena verify` shows all damage: "):
        reader.results(lambda game: False)
    reader = ResultsReader(config(4, 3), lambda _: SEED, [good[0], other, good[2]])
    with pytest.raises(StoreError, match=r"^blocks 0 to 2 cannot be counted; `arena verify` shows what is "):
        reader.results(lambda game: False)


def test_scores_are_kept_as_sums_by_table_and_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[ScoreSums] = []
    monkeypatch.setattr(tally_module, "estimate_duplicate_efficiency", passed.extend)
    counted(BLOCKS).duplicate_efficiency()
    halves: dict[tuple[tuple[str, ...], str], list[list[int]]] = {}
    for block in BLOCKS:
        for bot in block.bots:
            own = []
            for seating, match in zip(block.seatings, result(block).matches, strict=True):
                place = match.placings[seating.index(bot)]
                own.append(sum((other > place) - (other < place) + 1 for other in match.placings) - 1)
            halves.setdefault((block.bots, bot), []).append(own)
    assert passed == [
        ScoreSums(
            len(own),
            3,
            sum(map(sum, own)),
            sum(x * x for values in own for x in values),
            sum(sum(x) ** 2 for x in own),
        )
        for _, own in sorted(halves.items())
    ]


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
