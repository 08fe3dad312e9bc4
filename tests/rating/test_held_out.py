"""Predictions of blocks that a model was not fitted to."""

import numpy as np
import pytest

from arena.rating import PairCounts, Rankings, compare_models, count_pairs, measure_calibration
from arena.rating.bradley_terry import estimate_strengths
from arena.rating.plackett_luce import fit_plackett_luce
from tests.rating.test_model_fit import play


def two_seats(rng: np.random.Generator, blocks: int, circle: float) -> tuple[PairCounts, Rankings]:
    """Three bots of which each beats the next by `circle` units of strength, and the matches."""
    matches = []
    for block in range(3 * blocks):
        bot = block // blocks
        won = rng.random() < 1 / (1 + np.exp(-circle))
        matches.append((block, (bot, (bot + 1) % 3), (1, 2) if won else (2, 1)))
    columns = (np.array(column) for column in zip(*matches, strict=True))
    return count_pairs("abc", 2, matches), Rankings(*columns)


def test_a_circle_is_predicted_better_by_the_pairwise_table(rng: np.random.Generator) -> None:
    ratings, table = compare_models(*two_seats(rng, 200, 1.5))
    assert [loss.model for loss in (ratings, table)] == ["Bradley-Terry", "pairwise table"]
    assert ratings.loss == pytest.approx(np.log(2), abs=0.02)
    assert table.loss == pytest.approx(0.474, abs=0.05)
    assert table.error is not None
    assert table.difference + table.error < 0
    assert (ratings.error, ratings.blocks) == (None, 600)


def test_on_pairs_both_models_of_strength_are_the_same(rng: np.random.Generator) -> None:
    counts, rankings = two_seats(rng, 40, 0.4)
    points = counts.points()
    strength = estimate_strengths(points, 1.0).strength
    assert fit_plackett_luce(rankings, points) == pytest.approx(strength - strength.mean(), abs=1e-4)


def test_plackett_luce_finds_the_strengths_of_its_own_law(rng: np.random.Generator) -> None:
    skill = np.array([1.0, 0.3, -0.3, -1.0])
    luck = skill + rng.gumbel(size=(4000, 4))
    placings = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)
    rankings = Rankings(np.arange(4000), np.tile(np.arange(4), (4000, 1)), placings)
    counts = count_pairs("abcd", 4, zip(*(column.tolist() for column in rankings), strict=True))
    assert fit_plackett_luce(rankings, counts.points()) == pytest.approx(skill, abs=0.08)


def test_ratings_of_their_own_law_are_calibrated() -> None:
    inside = []
    for seed in range(40):
        counts = play(np.random.default_rng(seed), 4, 2, 60)
        bins = measure_calibration(counts)
        assert [chance_bin.low for chance_bin in bins] == sorted(chance_bin.low for chance_bin in bins)
        assert all(
            chance_bin.low - 1e-6 <= chance_bin.predicted <= chance_bin.low + 0.1 for chance_bin in bins
        )
        inside += [
            abs(chance_bin.observed - chance_bin.predicted) <= (chance_bin.error or 0)
            for chance_bin in bins
            if chance_bin.blocks > 40
        ]
    assert 0.85 <= np.mean(inside) <= 0.99


def test_few_blocks_have_no_error_and_none_no_bins(rng: np.random.Generator) -> None:
    counts, rankings = two_seats(rng, 1, 0.4)
    assert {model.error for model in compare_models(counts, rankings)} == {None}
    empty = count_pairs("ab", 2, [])
    none = np.zeros((0, 2), np.int64)
    assert compare_models(empty, Rankings(np.zeros(0, np.int64), none, none)) == ()
    assert measure_calibration(empty) == ()
