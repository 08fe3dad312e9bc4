"""Error bars that can be believed: against resampling, and against a truth that is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit

from arena.rating.bradley_terry import fit_strengths
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounts, count_pairs
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.lopsided_coverage import measure_coverage


def points_by_cluster(sums: PairCounts) -> Any:
    """Points of row against column in each cluster."""
    (rows,) = sums.chunks()
    size = len(sums.bots)
    points = np.zeros((int(rows.cluster.max()) + 1, size, size))
    points[rows.cluster, rows.first, rows.second] = rows.won
    points[rows.cluster, rows.second, rows.first] = rows.lost
    return points


def test_the_sandwich_equals_a_bootstrap_over_blocks(world: Callable[..., Any]) -> None:
    rng = np.random.default_rng(4)
    sums = world(np.linspace(-0.8, 0.8, 6)).counts(rng, 240)
    fit = fit_elo(sums)
    points = points_by_cluster(sums)
    often = rng.multinomial(len(points), np.full(len(points), 1 / len(points)), size=800)
    resampled = np.tensordot(often, points, axes=1) * sums.weight + 0.1  # a virtual draw over five others
    elo = ELO_PER_UNIT * np.array([fit_strengths(sample) for sample in resampled])
    assert np.array(fit.standard_error) == pytest.approx(elo.std(axis=0, ddof=1), rel=0.1)
    pair = (elo[:, 0] - elo[:, 3]).std(ddof=1)
    assert fit.pair_standard_error(0, 3) == pytest.approx(pair, rel=0.1)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_95_percent_intervals_cover_the_truth_where_bots_like_some_deals(
    seats: int, world: Callable[..., Any]
) -> None:
    rng = np.random.default_rng(seats)
    inside = []
    for _ in range(60):
        place = world(rng.normal(scale=0.4, size=20), seats=seats)
        fit = fit_elo(place.counts(rng, 30 * 20 // seats))
        off = np.array(fit.elo) - 1500 - place.true_elo()
        inside.append(np.abs(off) <= np.array(fit.error))
    assert 0.90 <= np.mean(inside) <= 0.98


def test_matches_taken_as_independent_would_not_cover(world: Callable[..., Any]) -> None:
    """The guard of the test above: errors by match instead of by deal are seen to fail in this world."""
    rng = np.random.default_rng(9)
    inside = []
    for _ in range(40):
        place = world(rng.normal(scale=0.4, size=20))
        clusters, bots, placings = place.play(rng, 150)
        by_match = place.counted(np.arange(len(clusters)), bots, placings)
        fit = fit_elo(by_match)
        inside.append(np.abs(np.array(fit.elo) - 1500 - place.true_elo()) <= np.array(fit.error))
    assert np.mean(inside) < 0.90


def test_the_superiority_of_a_bot_over_its_clone_is_uniform(world: Callable[..., Any]) -> None:
    rng = np.random.default_rng(6)
    place = world(np.array([0.3, 0.3, -0.5, 0.1, 0.6, -0.9]))
    los = np.sort([fit_elo(place.counts(rng, 45)).los(0, 1) for _ in range(400)])
    distance = np.abs(los - (np.arange(400) + 0.5) / 400).max()
    assert distance < 1.36 / np.sqrt(400)  # Kolmogorov and Smirnov, 5 %
    assert 0.02 <= np.mean(los > 0.95) <= 0.08
    assert 0.02 <= np.mean(los < 0.05) <= 0.08


def test_deals_shared_by_many_tables_are_one_cluster_each(
    world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The covariance is the formula's, worked out here with whole matrices for each cluster."""
    monkeypatch.setattr("arena.rating.covariance.MAX_PRODUCTS", 1000)
    rng = np.random.default_rng(2)
    place = world(rng.normal(scale=0.4, size=15))
    clusters, bots, placings = place.play(rng, 800)
    sums = place.counted(clusters % 40, bots, placings)
    fit = fit_elo(sums)
    strength = (np.array(fit.elo) - 1500) / ELO_PER_UNIT
    chance = 1 / (1 + np.exp(strength - strength[:, None]))
    points = points_by_cluster(sums) * sums.weight
    surplus = (points * chance.T - points.transpose(0, 2, 1) * chance).sum(axis=2)
    total = points.sum(axis=0) + 1 / 28
    variance = (total + total.T) * chance * chance.T
    bread = np.linalg.pinv(np.diag(variance.sum(axis=1)) - variance)
    pull = bread @ (0.5 - chance).sum(axis=1) / 14
    covariance = 40 / 39 * bread @ surplus.T @ surplus @ bread + np.outer(pull, pull)
    assert max(fit.blocks) <= 40
    assert fit.covariance == pytest.approx(covariance * ELO_PER_UNIT**2)


def test_the_pull_of_the_prior_is_part_of_the_error() -> None:
    """The squared shift that the virtual draws make is added to the variance, worked out here by hand."""
    matches = [(block, (0, 1), (1, 2) if block % 10 else (2, 1)) for block in range(40)]
    few = fit_elo(count_pairs(["strong", "weak"], 2, matches))
    points = np.array([[0, 36.5], [4.5, 0]])  # with half a virtual draw of each bot
    information = 41 * points[0, 1] * points[1, 0] / 41**2
    pull = (0.5 - points[0, 1] / 41) / information  # of the difference, from one draw
    surplus = 36 * 0.1**2 + 4 * 0.9**2  # about the mean of the table
    expected = ELO_PER_UNIT * np.sqrt(40 / 39 * surplus / information**2 + pull**2)
    assert few.pair_standard_error(0, 1) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("upsets", [1, 2, 5, 30])
def test_no_more_degrees_of_freedom_than_blocks_with_upsets(upsets: int) -> None:
    matches = [(block, (0, 1), (1, 2) if block >= upsets else (2, 1)) for block in range(200)]
    matches += [(200 + block, (1, 2), (1 + block % 2, 2 - block % 2)) for block in range(100)]
    fit = fit_elo(count_pairs(["strong", "weak", "twin"], 2, matches))
    expected = max(2, upsets) if upsets <= 20 else 199  # a tenth of 200
    assert fit.freedom[0] == expected
    for pair, freedom in (((0, 1), expected), ((1, 2), 99)):
        standard_error, error = fit.pair_standard_error(*pair), fit.pair_error(*pair)
        assert standard_error is not None
        assert error == pytest.approx(float(stdtrit(freedom, 0.975)) * standard_error)


def test_a_lone_outsider_leaves_the_others_their_degrees_of_freedom() -> None:
    matches = [(block, (0, 1), (1 + block % 2, 2 - block % 2)) for block in range(40)]
    matches += [(40 + block, (0, 2), (1, 2) if block else (2, 1)) for block in range(20)]
    matches += [(60 + block, (1, 3), (1 + block % 2, 2 - block % 2)) for block in range(21)]
    fit = fit_elo(count_pairs(["a", "b", "outsider", "c"], 2, matches))
    assert fit.freedom == (58, 59, 2, 20)
    assert set(fit.mark) == {""}


@pytest.mark.parametrize(
    ("field", "seats", "blocks"),
    [
        ("one ahead", 2, 20),
        ("far", 4, 20),
        pytest.param("halves", 4, 10, marks=pytest.mark.full),
        pytest.param("one ahead", 6, 10, marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("trials", [100, pytest.param(200, marks=pytest.mark.full)])
def test_printed_errors_hold_in_lopsided_fields_with_few_blocks(
    field: str, seats: int, blocks: int, trials: int
) -> None:
    covered = measure_coverage(field, seats, blocks, trials)
    assert covered.printed >= 0.95
    assert 0.92 <= covered.stronger <= 0.99
    assert 0.92 <= covered.others <= 0.99
    assert 0.92 <= covered.pairs <= 0.99
    assert covered.twins_outside <= 0.1
