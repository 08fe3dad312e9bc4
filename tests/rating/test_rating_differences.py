"""Bars and ranks in tables: bars overlap where bots are not separated, ranks of all bots hold together."""

from functools import partial

import numpy as np
import pytest
from scipy.special import stdtrit

from arena.rating.comparisons import ComparableBots, compute_rank_intervals, find_better, list_comparable
from arena.rating.covariance import compute_comparison_bars, fit_bars
from arena.rating.pair_counts import FloatArray
from benchmarks.coverage import measure
from benchmarks.coverage_hopeless import draw_hopeless
from benchmarks.coverage_laws import APART, DIFFERENCE, LAWS, OVERLAP, RANKS, judge


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
