"""Error bars that can be believed: against resampling, and against a truth that is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena.rating import Fit, PairCounts, count_pairs, fit_elo
from arena.rating.elo import ELO_PER_UNIT, fit_strengths
from benchmarks.lopsided_coverage import DISTANCES, measure_lopsided_coverage


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
    monkeypatch.setattr("arena.rating.elo.MAX_PRODUCTS", 1000)
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
    assert max(fit.blocks) <= 40
    assert fit.covariance == pytest.approx(40 / 39 * bread @ surplus.T @ surplus @ bread * ELO_PER_UNIT**2)


def play_two_classes(gap: float, blocks: int, rng: np.random.Generator) -> Fit:
    """Return the fit of three strong and three weak bots, with luck as in the model."""
    strengths = np.array([gap / 2] * 3 + [-gap / 2] * 3)
    tables = [rng.permutation(6)[:4] for _ in range(blocks * 6 // 4)]
    matches = [
        (block, table.tolist(), (1 + np.argsort(np.argsort(-luck))).tolist())
        for block, table in enumerate(tables)
        for luck in strengths[table] + rng.gumbel(size=(4, 4))
    ]
    return fit_elo(count_pairs([f"bot {number}" for number in range(6)], 4, matches))


@pytest.mark.parametrize("blocks", [6, 12])
def test_lopsided_short_runs_have_a_mark_instead_of_a_narrow_error(blocks: int) -> None:
    rng = np.random.default_rng(5)
    fits = [play_two_classes(5, blocks, rng) for _ in range(40)]
    whole = [fit for fit in fits if len(fit.varied_groups) == 1]  # else ± is about the mean of each part
    assert len(whole) > 10
    for fit in whole:
        assert fit.error == (None,) * 6
        assert [mark == "~" for mark in fit.mark] == [played >= 6 for played in fit.blocks]


@pytest.mark.parametrize("blocks", [12, 24])
def test_printed_errors_hold_where_two_halves_hardly_ever_tie(blocks: int) -> None:
    found = measure_lopsided_coverage(blocks, 300, DISTANCES["500 to 1,200"])
    assert found.coverage >= 0.93
    assert found.printed >= 0.15
    assert found.marked_coverage <= 0.85
    assert found.twins_outside <= 0.08


def test_a_lone_outsider_leaves_the_others_their_errors() -> None:
    matches = [(block, (0, 1), (1 + block % 2, 2 - block % 2)) for block in range(40)]
    matches += [(40 + block, (0, 2), (1, 2) if block else (2, 1)) for block in range(20)]
    matches += [(60 + block, (1, 3), (1 + block % 2, 2 - block % 2)) for block in range(21)]
    fit = fit_elo(count_pairs(["a", "b", "outsider", "c"], 2, matches))
    assert fit.mark == ("", "", "~", "")
    assert [error is None for error in fit.error] == [False, False, True, False]
    assert fit.pair_error(0, 2) is not None


def test_balanced_runs_have_no_such_mark() -> None:
    fit = play_two_classes(1, 24, np.random.default_rng(6))
    assert set(fit.mark) == {""}
    assert None not in fit.error
