"""Bots that take hardly a point: their order is shown by points, and their Elo is a bound."""

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from arena.rating.anytime import fit_anytime
from arena.rating.comparisons import compute_comparison_errors, compute_rank_intervals, find_better
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounts, count_pairs
from arena.rating.separation import SeparationTest
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.coverage import measure
from benchmarks.coverage_hopeless import CYCLE, THIRD_BOTS, draw_hopeless
from benchmarks.coverage_laws import RANKS, play_tables
from benchmarks.coverage_names import BOUND, SHOWN

HOPELESS = np.array([60.0, 20, -20, -60, -800]) / ELO_PER_UNIT
LAST = 4


def play(seats: int, blocks: int, seed: int = 1) -> PairCounts:
    """Return the results of four bots near each other and one that hardly takes a point."""
    tables = list(combinations(range(5), seats))
    rng = np.random.default_rng(seed)
    return play_tables(lambda seatings: HOPELESS[seatings], 5, tables, blocks, rng).counts()


def score_of(counts: PairCounts) -> float:
    """Return the share of its points that the last bot took."""
    points = counts.points()
    return float(points[LAST].sum() / (points + points.T)[LAST].sum())


@pytest.mark.parametrize(("seats", "blocks"), [(2, 20), (3, 8), (4, 12)])
def test_a_bot_that_takes_hardly_a_point_is_last(seats: int, blocks: int) -> None:
    """Its error is far larger than that of the others, and by distance / error its order is hardly shown."""
    counts = play(seats, blocks)
    assert 0 < score_of(counts) < 0.02
    for fit in (fit_elo(counts), fit_anytime(counts)):
        ranks, bars = compute_rank_intervals(find_better(fit), fit.ranking), compute_comparison_errors(fit)
        assert ranks[LAST] == (5, 5)
        assert max(high for bot, (_, high) in ranks.items() if bot != LAST) == 4
        assert min(fit.los(bot, LAST) or 0 for bot in range(LAST)) > 0.999
        errors = [error or 0 for error in fit.error]
        assert errors[LAST] > 3 * max(errors[:LAST])
        top = fit.elo[LAST] + (bars[LAST] or 0)
        assert all(fit.elo[bot] - (bars[bot] or 0) > top for bot in range(LAST))


@pytest.mark.parametrize(("seats", "blocks"), [(2, 20), (3, 8), (4, 12)])
def test_where_all_tables_are_played_alike_points_are_compared_as_they_are(seats: int, blocks: int) -> None:
    """The refit for two equals then gives half the difference of points, and half of their scores."""
    counts = play(seats, blocks)
    fit = fit_elo(counts)
    assert {(test.bot, test.other) for test in fit.score_tests.results} == {
        (bot, LAST) for bot in range(LAST)
    }
    points = counts.points().sum(axis=1) * counts.weight
    taken = np.zeros((len(list(combinations(range(5), seats))), blocks, 5))
    for rows in counts.chunks():
        table, block = np.divmod(rows.cluster, blocks)
        np.add.at(taken, (table, block, rows.first), rows.won * counts.weight)
        np.add.at(taken, (table, block, rows.second), rows.lost * counts.weight)
    for test in fit.score_tests.results:
        lead = taken[:, :, test.bot] - taken[:, :, LAST]
        squares = ((lead - lead.mean(axis=1, keepdims=True)) ** 2).sum()
        assert test.excess == pytest.approx((points[test.bot] - points[LAST]) / 2)
        assert test.variance == pytest.approx(squares * blocks / (blocks - 1) / 4)


@pytest.mark.parametrize("field", ["one hopeless, others equal", "two equal hopeless", CYCLE, THIRD_BOTS])
@pytest.mark.parametrize(("seats", "blocks"), [(2, 20), pytest.param(3, 8, marks=pytest.mark.full), (4, 12)])
def test_orders_by_points_are_rarely_wrong(field: str, seats: int, blocks: int) -> None:
    """Of 30 fields a few may have a wrong order, at a nominal 5 %."""
    shares = measure(partial(draw_hopeless, field, seats, blocks, 0, False), 30, seed=2)
    assert shares[RANKS].mean >= 0.86


@pytest.mark.parametrize("is_anytime", [False, True])
def test_sampled_tables_and_anytime_errors_show_the_last_bot_too(is_anytime: bool) -> None:
    shares = measure(partial(draw_hopeless, "one hopeless of 10", 3, 6, 30, is_anytime), 10)
    assert shares[RANKS].mean == 1
    assert shares[SHOWN].mean >= (
        0.1 if is_anytime else 0.4
    )  # of 45 orders, nine are those of the hopeless one


def test_a_tournament_until_resolved_does_not_wait_for_the_distance_of_the_last() -> None:
    test = SeparationTest(play(2, 20), 0.99)
    worst = test.fit.ranking[-2]
    assert test.is_separated(worst, LAST)
    assert (test.los(worst, LAST) or 0) > 0.999
    assert test.error(worst, LAST) is None
    assert not test.is_separated(*test.fit.ranking[:2])


def test_a_bot_that_lost_everything_in_few_blocks_is_last() -> None:
    """24 blocks at one table of four; without virtual blocks, two bots would be enough for any number."""
    rng = np.random.default_rng(5)
    elo = np.array([60, 0, -60, -1500]) / ELO_PER_UNIT
    counts = play_tables(lambda seatings: elo[seatings], 4, [(0, 1, 2, 3)], 24, rng).counts()
    fit = fit_elo(counts)
    assert fit.mark[3] == "<"
    assert compute_rank_intervals(find_better(fit), fit.ranking)[3] == (4, 4)
    for blocks, is_shown in ((3, False), (30, True)):
        won = count_pairs("ab", 2, [(block, (0, 1), (1, 2)) for block in range(blocks)])
        assert find_better(fit_elo(won))[0, 1] == is_shown


def test_no_order_is_shown_where_points_and_elo_disagree() -> None:
    fit = fit_elo(play(2, 20))
    turned = replace(fit, elo=tuple(3000 - elo for elo in fit.elo))
    assert {ratio for pair, ratio in turned.score_ratios.items()} == {0.0}
    assert not find_better(turned)[:, LAST].any()
    assert not find_better(turned)[LAST].any()


def test_a_bound_is_given_to_bots_near_a_perfect_score_alone() -> None:
    counts = play(2, 20)
    fit = fit_elo(counts)
    *others, bound = fit.elo_bound
    assert others == [None] * 4
    assert bound is not None
    assert fit.elo[LAST] < bound < min(fit.elo[:LAST]) - 200
    wider = fit_anytime(counts).elo_bound[LAST]
    assert wider is not None
    assert wider > bound


def test_the_bound_of_the_stronger_of_two_mirrors_that_of_the_weaker() -> None:
    upset = [(2, 1)] + [(1, 2)] * 99
    fit = fit_elo(count_pairs("ab", 2, [(block, (0, 1), own) for block, own in enumerate(upset)]))
    above, below = fit.elo_bound
    assert above is not None
    assert below is not None
    assert above + below == pytest.approx(3000, abs=1e-3)
    assert fit.elo[1] < below < 1500


def test_bounds_hold() -> None:
    """At 97.5 %, for bots of which a point in a hundred is expected."""
    shares = measure(partial(draw_hopeless, "one hopeless", 2, 20, 0, False), 60)
    assert shares[BOUND].mean >= 0.95
