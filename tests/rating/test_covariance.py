"""Covariance of ratings: clusters are what was sampled, and error bars hold against a truth that is known."""

from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit

from arena.rating.bradley_terry import fit_strengths
from arena.rating.covariance import design_clusters
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounts, count_pairs
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.coverage import measure
from benchmarks.coverage_laws import DIFFERENCE, ERROR, LAWS, judge
from benchmarks.lopsided_coverage import measure_coverage
from tests.rating.conftest import LOST, WON, World, count_duels

Match = tuple[int, tuple[int, ...], tuple[int, ...]]


def drawn_matches(tables: int, blocks: int, rng: np.random.Generator, size: int = 12) -> list[Match]:
    """Matches of different tables of three, in blocks numbered table by table."""
    every = rng.permutation(list(combinations(range(size), 3)))[:tables].tolist()
    return [
        (at * blocks + block, tuple(table), tuple((1 + rng.permutation(3)).tolist()))
        for at, table in enumerate(every)
        for block in range(blocks)
    ]


def test_the_sum_of_products_is_the_formula() -> None:
    """Two tables of eight blocks, whose means are subtracted, and one of three."""
    rng = np.random.default_rng(1)
    pairs = [(0, 1)] * 8 + [(1, 2)] * 8 + [(0, 2)] * 3
    counts = count_pairs("abc", 2, [(block, pair, (1, 2)) for block, pair in enumerate(pairs)])
    scores = rng.normal(size=(19, 3))
    first, second, few = scores[:8], scores[8:16], scores[16:]
    expected = 19 / 18 * few.T @ few
    for part in (first, second):
        centred = part - part.mean(axis=0)
        expected += 8 / 7 * centred.T @ centred
    fixed = design_clusters(counts, are_tables_drawn=False)
    assert fixed.sum_products(scores) == pytest.approx(expected)


def test_a_drawn_table_is_one_observation(rng: np.random.Generator) -> None:
    """Errors are those of the same matches if each table were a block."""
    matches = drawn_matches(40, 7, rng)
    bots = [str(bot) for bot in range(12)]
    by_table = fit_elo(count_pairs(bots, 3, matches), are_tables_drawn=True)
    merged = fit_elo(count_pairs(bots, 3, [(block // 7, table, result) for block, table, result in matches]))
    assert by_table.covariance == pytest.approx(merged.covariance)
    assert by_table.freedom == merged.freedom
    assert max(by_table.blocks) == 7 * max(merged.blocks)


def test_too_few_drawn_tables_have_no_error(rng: np.random.Generator) -> None:
    matches = drawn_matches(24, 50, rng)
    counts = count_pairs([str(bot) for bot in range(12)], 3, matches)
    fit = fit_elo(counts, are_tables_drawn=True)
    tables = np.bincount([bot for _, table, _ in matches for bot in table]) / 50
    assert tables.min() < 6 <= tables.max()
    assert [error is None for error in fit.error] == (tables < 6).tolist()
    assert None not in fit_elo(counts).error


def test_a_sample_of_all_tables_is_none(rng: np.random.Generator) -> None:
    counts = count_pairs("abcd", 3, drawn_matches(4, 30, rng, size=4))
    drawn = fit_elo(counts, are_tables_drawn=True)
    assert not drawn.are_tables_drawn
    assert drawn.error == fit_elo(counts).error


@pytest.mark.parametrize(
    "law",
    [
        "rock, paper, scissors at 76 %, 40 blocks a table",
        pytest.param(
            "20 bots, 4 seats, 40 tables drawn, 50 blocks, third bots move 26 Elo", marks=pytest.mark.full
        ),
        "chain of 12, 100 Elo a step, 12 blocks a table",
    ],
)
@pytest.mark.parametrize("trials", [40, pytest.param(60, marks=pytest.mark.full)])
def test_errors_hold_where_those_of_plain_blocks_did_not(law: str, trials: int) -> None:
    shares = measure(partial(judge, LAWS[law]), trials)
    assert 0.91 <= shares[ERROR].mean <= 0.985
    assert 0.91 <= shares[DIFFERENCE].mean <= 0.985


def test_chunks_of_input_never_change_an_error(
    monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    counts = World(np.linspace(-1, 1, 6)).counts(rng, 400)
    whole = [fit_elo(counts, are_tables_drawn=drawn) for drawn in (False, True)]
    monkeypatch.setattr("arena.rating.pair_counts.ROWS_PER_CHUNK", 50)
    for fit, drawn in zip(whole, (False, True), strict=True):
        again = fit_elo(counts, are_tables_drawn=drawn)
        assert again.covariance == pytest.approx(fit.covariance)
        assert (again.blocks, again.freedom) == (fit.blocks, fit.freedom)


def points_by_cluster(sums: PairCounts) -> Any:
    """Points of row against column in each cluster."""
    (rows,) = sums.chunks()
    size = len(sums.bots)
    points = np.zeros((int(rows.cluster.max()) + 1, size, size))
    points[rows.cluster, rows.first, rows.second] = rows.won
    points[rows.cluster, rows.second, rows.first] = rows.lost
    return points


def test_the_sandwich_equals_a_bootstrap_over_blocks() -> None:
    rng = np.random.default_rng(4)
    sums = World(np.linspace(-0.8, 0.8, 6)).counts(rng, 240)
    fit = fit_elo(sums)
    points = points_by_cluster(sums)
    often = rng.multinomial(len(points), np.full(len(points), 1 / len(points)), size=800)
    resampled = np.tensordot(often, points, axes=1) * sums.weight + 0.1  # a virtual draw over five others
    elo = ELO_PER_UNIT * np.array([fit_strengths(sample) for sample in resampled])
    assert np.array(fit.standard_error) == pytest.approx(elo.std(axis=0, ddof=1), rel=0.1)
    pair = (elo[:, 0] - elo[:, 3]).std(ddof=1)
    assert fit.pair_standard_error(0, 3) == pytest.approx(pair, rel=0.1)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_95_percent_intervals_cover_the_truth_where_bots_like_some_deals(seats: int) -> None:
    rng = np.random.default_rng(seats)
    inside = []
    for _ in range(60):
        place = World(rng.normal(scale=0.4, size=20), seats=seats)
        fit = fit_elo(place.counts(rng, 30 * 20 // seats))
        off = np.array(fit.elo) - 1500 - place.true_elo()
        inside.append(np.abs(off) <= np.array(fit.error))
    assert 0.90 <= np.mean(inside) <= 0.98


def test_matches_taken_as_independent_would_not_cover() -> None:
    """The guard of the test above: errors by match instead of by deal are seen to fail in this world."""
    rng = np.random.default_rng(9)
    inside = []
    for _ in range(40):
        place = World(rng.normal(scale=0.4, size=20))
        clusters, bots, placings = place.play(rng, 150)
        by_match = place.counted(np.arange(len(clusters)), bots, placings)
        fit = fit_elo(by_match)
        inside.append(np.abs(np.array(fit.elo) - 1500 - place.true_elo()) <= np.array(fit.error))
    assert np.mean(inside) < 0.90


@pytest.mark.parametrize("fields", [150, pytest.param(400, marks=pytest.mark.full)])
def test_the_superiority_of_a_bot_over_its_clone_is_uniform(fields: int) -> None:
    rng = np.random.default_rng(6)
    place = World(np.array([0.3, 0.3, -0.5, 0.1, 0.6, -0.9]))
    los = np.sort([fit_elo(place.counts(rng, 45)).los(0, 1) for _ in range(fields)])
    distance = np.abs(los - (np.arange(fields) + 0.5) / fields).max()
    assert distance < 1.36 / np.sqrt(fields)  # Kolmogorov and Smirnov, 5 %
    assert 0.02 <= np.mean(los > 0.95) <= 0.08
    assert 0.02 <= np.mean(los < 0.05) <= 0.08


def test_deals_shared_by_many_tables_are_one_cluster_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """The covariance is the formula's, worked out here with whole matrices for each cluster."""
    monkeypatch.setattr("arena.rating.covariance.MAX_PRODUCTS", 1000)
    rng = np.random.default_rng(2)
    place = World(rng.normal(scale=0.4, size=15))
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
    few = fit_elo(count_duels(*[[WON]] * 36, *[[LOST]] * 4))
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
