"""Comparisons in tables: bars and ranks of all bots hold together, also of bots that take hardly a point."""

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.special import stdtrit

from arena.rating.anytime import fit_anytime
from arena.rating.comparisons import (
    ComparableBots,
    compute_comparison_errors,
    compute_rank_intervals,
    find_better,
    list_comparable,
)
from arena.rating.covariance import compute_comparison_bars, fit_bars
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.separation import SeparationTest
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.coverage import measure
from benchmarks.coverage_hopeless import CYCLE, THIRD_BOTS, draw_hopeless
from benchmarks.coverage_laws import APART, DIFFERENCE, LAWS, OVERLAP, RANKS, judge, play_tables
from benchmarks.coverage_names import BOUND, SHOWN
from tests.rating.conftest import LOST, WON, count_duels


def draw_half_widths(size: int, rng: np.random.Generator) -> FloatArray:
    """Return the half widths of a field whose ratings have a random covariance."""
    root = rng.uniform(0.5, 2, (size, 1)) * rng.normal(size=(size, 10 * size))
    covariance = 10 * root @ root.T / size
    own = covariance.diagonal()
    half_widths: FloatArray = 2 * np.sqrt(own[:, None] + own - 2 * covariance)
    return half_widths


def count_misleading(elo: FloatArray, half_widths: FloatArray, bars: FloatArray) -> tuple[int, int, int]:
    """Return the pairs: apart without being separated, separated with an overlap, and all of them."""
    first, second = np.triu_indices(len(elo), 1)
    distances = np.abs(elo[first] - elo[second])
    is_separated, is_apart = distances > half_widths[first, second], distances > bars[first] + bars[second]
    return int((is_apart & ~is_separated).sum()), int((is_separated & ~is_apart).sum()), len(first)


@pytest.mark.parametrize("size", [2, 3, 5, 12, 30])
def test_bars_are_apart_only_where_bots_are_separated(size: int) -> None:
    rng = np.random.default_rng(size)
    overlapping = 0
    for _ in range(20):
        half_widths = draw_half_widths(size, rng)
        elo = rng.normal(0, half_widths[0, 1], size)
        bars = compute_comparison_bars(elo, half_widths)
        wrong, right_but_overlapping, pairs = count_misleading(elo, half_widths, bars)
        assert wrong == 0
        overlapping += right_but_overlapping
    assert overlapping <= (0 if size <= 5 else 0.01 * 20 * pairs)


@pytest.mark.parametrize(
    "law",
    [
        "chain of 12, 100 Elo a step, 12 blocks a table",
        "one of 6 takes 99 %, 4 seats, 10 blocks a table",
    ],
)
def test_bars_of_tournaments_mislead_about_hardly_any_pair(law: str) -> None:
    """Bars show whether a pair is separated by its own interval; also in a chain."""
    shares = measure(partial(judge, LAWS[law]), 10, seed=3)
    assert shares[APART].mean == 0
    assert shares[OVERLAP].mean <= 0.03


def test_an_outsider_widens_no_bar_but_its_own() -> None:
    """The half widths of a field with a bot that is known badly: the others' bars are those without it."""
    close, far = 20.0, 120.0
    half_widths = np.full((5, 5), close)
    half_widths[4] = half_widths[:, 4] = far
    bars = fit_bars(half_widths)
    assert bars == pytest.approx([close / 2] * 4 + [far - close / 2], rel=1e-4)
    assert fit_bars(half_widths[:4, :4]) == pytest.approx(bars[:4], rel=1e-4)


def test_a_gap_between_two_clusters_lengthens_no_bar() -> None:
    """The distance of the clusters is known badly, but is many times that half width: who leads is plain."""
    elo = np.array([1952.6, 1930.0, 1077.1, 1040.3])
    half_widths = np.full((4, 4), 225.0)
    half_widths[:2, :2] = half_widths[2:, 2:] = 37.0
    bars = compute_comparison_bars(elo, half_widths)
    assert bars == pytest.approx([37 / 2] * 4, rel=0.15)
    assert count_misleading(elo, half_widths, bars)[:2] == (0, 0)


def test_pairs_near_their_half_width_have_bars_that_add_up_to_it() -> None:
    """No lengths suit all: each bot is near the half width of the next one only."""
    elo = np.arange(0.0, 600.0, 100.0)
    distances = np.abs(elo[:, None] - elo)
    half_widths = 90 + distances**2 / 1000
    bars = compute_comparison_bars(elo, half_widths)
    unweighted = fit_bars(half_widths)
    surplus = bars[:-1] + bars[1:] - half_widths.diagonal(1)
    assert np.abs(surplus).max() < 30
    assert np.abs(unweighted[:-1] + unweighted[1:] - half_widths.diagonal(1)).max() > 80


def test_pairs_without_an_interval_overlap_and_count_for_no_other() -> None:
    half_widths = np.array([[0, np.nan, 30, 30], [np.nan, 0, 30, 30], [30, 30, 0, 30], [30, 30, 30, 0.0]])
    assert fit_bars(half_widths) == pytest.approx([15] * 4, rel=1e-4)
    bars = compute_comparison_bars(np.array([0.0, 50, 200, 230.5]), half_widths)
    assert bars[0] + bars[1] >= 50
    assert bars[2] + bars[3] < 30.5
    assert fit_bars(np.full((2, 2), np.nan)).tolist() == [0, 0]


def test_bars_of_hundreds_of_bots() -> None:
    rng = np.random.default_rng(1)
    half_widths, elo = draw_half_widths(300, rng), rng.normal(0, 100, 300)
    assert count_misleading(elo, half_widths, compute_comparison_bars(elo, half_widths))[0] == 0


def test_ranks_are_shared_where_no_order_was_shown() -> None:
    better = np.zeros((4, 4), np.bool_)
    better[0, 2:] = better[1, 3] = True
    assert compute_rank_intervals(better, [0, 1, 2, 3]) == {0: (1, 2), 1: (1, 3), 2: (2, 4), 3: (3, 4)}
    assert compute_rank_intervals(better, [1, 3]) == {1: (1, 1), 3: (2, 2)}


@pytest.mark.parametrize("trials", [100, pytest.param(200, marks=pytest.mark.full)])
def test_ranks_of_all_bots_hold_together(trials: int) -> None:
    """Nominal 95 %; in fields with five equals and one far ahead."""
    shares = measure(partial(judge, LAWS["one of 6 takes 99 %, 4 seats, 10 blocks a table"]), trials)
    assert 0.90 <= shares[RANKS].mean <= 0.99
    assert 0.93 <= shares[DIFFERENCE].mean <= 0.97


@pytest.mark.parametrize(("field", "seats"), [("six equals", 6), ("ten equals", 10)])
def test_equals_at_one_table_are_ordered_in_one_of_twenty_after_six_blocks(field: str, seats: int) -> None:
    shares = measure(partial(draw_hopeless, field, seats, 6, 0, False), 120, seed=5)
    assert shares[RANKS].mean >= 0.92


def test_orders_that_are_shown_leave_more_error_to_the_others() -> None:
    """The closest of three pairs differs by 2.1 standard errors: enough for one, but not for one of three."""
    freedom, variances = np.full((3, 3), 1000), 100.0 * (1 - np.eye(3))
    bots = ComparableBots([0, 1, 2], np.array([1550.0, 1529, 1500]), 50 * np.eye(3), freedom, variances)
    assert bots.find_better(0.95).sum() == 3
    closer = bots._replace(elo=np.array([1521.0, 1500, 1500]))
    assert not closer.find_better(0.95).any()


def test_no_order_is_shown_where_no_difference_varies() -> None:
    """As after a few blocks that all went alike."""
    nothing = np.zeros((3, 3))
    bots = ComparableBots([0, 1, 2], np.array([1600.0, 1500, 1400]), nothing, nothing + 6, nothing)
    assert not bots.find_better(0.95).any()


def test_orders_need_more_than_a_single_pair_does() -> None:
    """An order that is shown is shown by its own interval, too, which is narrower than those of all pairs."""
    fit, _ = LAWS["12 bots over 600 Elo, 6 seats, 100 tables drawn, 1 block"](np.random.default_rng(2))
    better = find_better(fit)
    (group,) = list_comparable(fit)
    half_widths = stdtrit(group.freedom, 0.975) * np.sqrt(group.variances)
    assert (group.elo[:, None] - group.elo > half_widths)[better].all()
    assert 0 < better.sum() < (group.elo[:, None] - group.elo > half_widths).sum()


HOPELESS = np.array([60.0, 20, -20, -60, -800]) / ELO_PER_UNIT
LAST = 4


def play_hopeless(seats: int, blocks: int, seed: int = 1) -> PairCounts:
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
    counts = play_hopeless(seats, blocks)
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
    counts = play_hopeless(seats, blocks)
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
    test = SeparationTest(play_hopeless(2, 20), 0.99)
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
        assert find_better(fit_elo(count_duels(*[[WON]] * blocks)))[0, 1] == is_shown


def test_no_order_is_shown_where_points_and_elo_disagree() -> None:
    fit = fit_elo(play_hopeless(2, 20))
    turned = replace(fit, elo=tuple(3000 - elo for elo in fit.elo))
    assert {ratio for pair, ratio in turned.score_ratios.items()} == {0.0}
    assert not find_better(turned)[:, LAST].any()
    assert not find_better(turned)[LAST].any()


def test_a_bound_is_given_to_bots_near_a_perfect_score_alone() -> None:
    counts = play_hopeless(2, 20)
    fit = fit_elo(counts)
    *others, bound = fit.elo_bound
    assert others == [None] * 4
    assert bound is not None
    assert fit.elo[LAST] < bound < min(fit.elo[:LAST]) - 200
    wider = fit_anytime(counts).elo_bound[LAST]
    assert wider is not None
    assert wider > bound


def test_the_bound_of_the_stronger_of_two_mirrors_that_of_the_weaker() -> None:
    fit = fit_elo(count_duels([LOST], *[[WON]] * 99))
    above, below = fit.elo_bound
    assert above is not None
    assert below is not None
    assert above + below == pytest.approx(3000, abs=1e-3)
    assert fit.elo[1] < below < 1500


def test_bounds_hold() -> None:
    """At 97.5 %, for bots of which a point in a hundred is expected."""
    shares = measure(partial(draw_hopeless, "one hopeless", 2, 20, 0, False), 60)
    assert shares[BOUND].mean >= 0.95
