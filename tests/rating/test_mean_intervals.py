"""Means whose errors take a block for one observation, also of each pair of bots."""

import math
import tracemalloc

import numpy as np
import pytest

from arena.rating.mean_intervals import ClusteredMeans, compute_pair_scores
from arena.rating.pair_counts import count_pairs
from arena.rating.student_t import estimate_mean
from arena.rating.two_bots import compare_block_scores
from tests.rating.conftest import WON, block_scores, count_duels


def test_equal_blocks_give_the_interval_of_their_means() -> None:
    means = ClusteredMeans(1)
    for block in range(10):
        means.add([block] * 2, [0, 0], [block, block + 1])
    value, error, blocks = means.mean(0)
    assert (value, blocks) == (5.0, 10)
    deviation = math.sqrt(sum((block - 4.5) ** 2 for block in range(10)) / 9)
    assert error == pytest.approx(2.2622 * deviation / math.sqrt(10), abs=1e-3)
    assert estimate_mean([block + 0.5 for block in range(10)]) == pytest.approx((5.0, error, 10))


def test_groups_and_blocks_may_come_in_any_mixture_and_order() -> None:
    rng = np.random.default_rng(3)
    block, group = np.repeat(np.arange(30), 8), rng.integers(3, size=240)
    value = rng.integers(-5, 5, size=240)
    whole, parts = ClusteredMeans(3), ClusteredMeans(3)
    whole.add(block, group, value)
    for some in (block >= 20, block < 20):
        parts.add(block[some], group[some], value[some])
    assert [whole.mean(column) for column in range(3)] == [parts.mean(column) for column in range(3)]
    assert whole.mean(1).value == pytest.approx(value[group == 1].mean())


def test_intervals_cover_where_values_of_a_block_go_together() -> None:
    rng = np.random.default_rng(4)
    inside = 0
    for _ in range(400):
        means = ClusteredMeans(1)
        size = rng.integers(1, 5, size=40)
        luck = np.repeat(rng.integers(-6, 7, size=40), size)
        means.add(
            np.repeat(np.arange(40), size), np.zeros(size.sum(), int), luck + rng.integers(-2, 3, size.sum())
        )
        value, error, _ = means.mean(0)
        inside += abs(value or 0.0) <= (error or 0.0)
    assert 0.92 <= inside / 400 <= 0.975


@pytest.mark.parametrize("values", [[], [3], [1, 2, 3, 4, 5], [7] * 50])
def test_where_nothing_is_known_of_the_error_none_is_given(values: list[int]) -> None:
    means = ClusteredMeans(2)
    means.add(range(len(values)), [1] * len(values), values)
    assert means.mean(1).error is None
    assert estimate_mean(values).error is None
    assert means.mean(0) == (None, None, 0)


def test_blocks_far_apart_take_no_memory() -> None:
    means = ClusteredMeans(1)
    tracemalloc.start()
    means.add([0, 1 << 24], [0, 0], [1, 2])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert means.mean(0).value == 1.5
    assert peak < 1 << 20


def test_each_pair_that_met_is_there_both_ways_round() -> None:
    rng = np.random.default_rng(2)
    matches = [
        (block, tuple(rng.permutation(3)), tuple(rng.permutation(3))) for block in range(25) for _ in range(3)
    ]
    sums = count_pairs("abcd", 3, matches)
    pairs = {(score.bot, score.other): score for score in compute_pair_scores(sums)}
    assert set(pairs) == {(i, j) for i in range(3) for j in range(3) if i != j}
    for (bot, other), pair in pairs.items():
        by_block = compare_block_scores(block_scores(sums, bot, other))
        assert (pair.blocks, pair.score, pair.error) == pytest.approx((25, by_block.score, by_block.error))
        assert pair.score == pytest.approx(1 - pairs[other, bot].score)
        assert pair.error == pytest.approx(pairs[other, bot].error)


@pytest.mark.parametrize("blocks", [1, 5, 40])
def test_who_won_everything_or_met_seldom_has_no_error(blocks: int) -> None:
    pairs = compute_pair_scores(count_duels(*[[WON]] * blocks))
    assert [(pair.score, pair.error) for pair in pairs] == [(1, None), (0, None)]
