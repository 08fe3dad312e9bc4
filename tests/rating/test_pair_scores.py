"""Scores of each pair of bots."""

import numpy as np
import pytest

from arena.rating.mean_intervals import compute_pair_scores
from arena.rating.pair_counts import count_pairs
from arena.rating.two_bots import compare_block_scores
from tests.rating.block_scores import block_scores


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
    pairs = compute_pair_scores(count_pairs("ab", 2, [(block, (0, 1), (1, 2)) for block in range(blocks)]))
    assert [(pair.score, pair.error) for pair in pairs] == [(1, None), (0, None)]
