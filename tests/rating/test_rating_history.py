"""Ratings over blocks are the fits that would have been made at the time."""

import pytest

from arena.rating.elo_fit import fit_elo
from arena.rating.overall import compute_rating_history
from arena.rating.pair_counts import count_pairs

MATCHES = [
    (block, [block % 3, (block + 1) % 3], [1, 2] if block * 7 % 5 < 3 else [2, 1])
    for block in range(0, 60, 2)
    for _ in range(2)
]
BOTS = ("a", "b", "c")


def test_after_all_blocks_they_are_the_ratings() -> None:
    sums = count_pairs(BOTS, 2, MATCHES)
    assert compute_rating_history(sums, [30]) == [fit_elo(sums).elo]


@pytest.mark.parametrize("blocks", [3, 7, 29])
def test_after_some_blocks_they_are_the_ratings_of_those_alone(blocks: int) -> None:
    first = fit_elo(count_pairs(BOTS, 2, MATCHES[: 2 * blocks])).elo
    sums = count_pairs(BOTS, 2, MATCHES)
    after = compute_rating_history(sums, [blocks, 30])[0]
    assert after == pytest.approx(first, abs=1e-6)


def test_a_bot_has_no_rating_before_it_has_met_anybody() -> None:
    sums = count_pairs((*BOTS, "d"), 2, [*MATCHES, (100, [0, 3], [1, 2])])
    before, after = compute_rating_history(sums, [30, 31])
    assert before[3] is None
    assert after[3] is not None


def test_nobody_jumps_when_a_hopeless_bot_takes_its_first_point() -> None:
    hopeless = [(100 + block, [block % 3, 3], [2, 1] if block == 25 else [1, 2]) for block in range(30)]
    sums = count_pairs((*BOTS, "d"), 2, [*MATCHES, *hopeless])
    before, after, last = compute_rating_history(sums, [55, 56, 60])
    assert last == fit_elo(sums).elo
    for elo in (before, after):
        assert [rating for rating in elo[:3] if rating] == pytest.approx(last[:3], abs=40)


def test_groups_that_never_met_are_as_they_were_at_the_time() -> None:
    names = [str(bot) for bot in range(40)]
    pairs = [(block, [2 * block % 40, (2 * block + 1) % 40], [1, 2]) for block in range(40)]
    sums = count_pairs(names, 2, pairs)
    history = compute_rating_history(sums, [3, 10, 30])
    for blocks, elo in zip((3, 10, 30), history, strict=True):
        whole = fit_elo(count_pairs(names, 2, pairs[:blocks])).elo
        assert [rating for rating in elo if rating] == pytest.approx(
            [*whole[: min(2 * blocks, 40)]], abs=1e-5
        )


def test_blocks_of_a_history_may_come_in_several_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = count_pairs(BOTS, 2, MATCHES)
    whole = compute_rating_history(sums, [3, 7, 8, 30, 31])
    monkeypatch.setattr("arena.rating.pair_counts.ROWS_PER_CHUNK", 4)
    assert compute_rating_history(sums, [3, 7, 8, 30, 31]) == whole
