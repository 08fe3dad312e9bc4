"""Ratings: known answers, odd fields, and the origin of the scale."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from arena.rating.anytime import fit_anytime
from arena.rating.bradley_terry import estimate_ratings, estimate_strengths, fit_strengths, to_elo
from arena.rating.elo_fit import Fit, compute_variances_about_center, find_center, find_weights, fit_elo
from arena.rating.luck_adjustment import Controls, adjust_for_luck
from arena.rating.overall import compute_overall_ratings
from arena.rating.pair_counts import PairCounts, count_pairs
from arena.rating.sequential import is_separated
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.coverage_laws import play_tables
from tests.rating.conftest import LOST, TIED, WON, World, count_duels


def duel(wins: int, draws: int, losses: int) -> Fit:
    """Fit of two bots, one match a block."""
    return fit_elo(count_duels(*[[WON]] * wins, *[[TIED]] * draws, *[[LOST]] * losses))


def numbers(fit: Fit) -> list[float]:
    """All that a table or a program may print of a fit."""
    pairs = [(first, other) for first in range(len(fit.bots)) for other in range(len(fit.bots))]
    columns: list[Sequence[float | None]] = [
        fit.elo,
        fit.error,
        fit.standard_error,
        fit.score,
    ]
    columns += [[fit.los(*pair) for pair in pairs], [fit.pair_error(*pair) for pair in pairs]]
    return [number for column in columns for number in column if number is not None]


@pytest.mark.parametrize(("wins", "draws", "losses"), [(60, 0, 40), (30, 10, 60), (12, 80, 8)])
def test_two_bots_differ_by_their_score_and_one_virtual_draw(wins: int, draws: int, losses: int) -> None:
    fit = duel(wins, draws, losses)
    score = (wins + draws / 2 + 0.5) / (wins + draws + losses + 1)
    assert fit.elo[0] - fit.elo[1] == pytest.approx(-400 * math.log10(1 / score - 1), abs=1e-5)
    assert fit.elo[0] + fit.elo[1] == pytest.approx(3000)
    assert fit.score[0] == pytest.approx((wins + draws / 2) / (wins + draws + losses))


def test_two_bots_error_is_that_of_their_mean_score() -> None:
    fit, share = duel(600, 0, 400), 0.6
    by_delta_method = 400 / math.log(10) * math.sqrt(1 / (share * (1 - share) * 1000))
    assert fit.pair_standard_error(0, 1) == pytest.approx(by_delta_method, rel=0.005)
    assert fit.standard_error[0] == pytest.approx(by_delta_method / 2, rel=0.005)
    assert fit.error[0] == pytest.approx(1.962 * by_delta_method / 2, rel=0.005)
    assert fit.los(0, 1) == pytest.approx(1, abs=1e-6)


def test_a_hundred_wins_in_a_hundred_matches_is_920_elo() -> None:
    fit = duel(100, 0, 0)
    assert fit.elo[0] - fit.elo[1] == pytest.approx(920, abs=5)
    assert (fit.mark, fit.error, fit.los(0, 1)) == ((">", "<"), (None, None), None)


def test_a_hundred_wins_against_a_field_of_equals_is_920_elo_as_well() -> None:
    drawn = [(20 * first + other, (first, other), (1, 1)) for first in range(20) for other in range(first)]
    won = [(400 + block, (20, block % 20), (1, 2)) for block in range(100)]
    fit = fit_elo(count_pairs([str(bot) for bot in range(21)], 2, drawn + won))
    assert fit.elo[20] - fit.elo[0] == pytest.approx(920, abs=5)
    assert fit.ranking[0] == 20


def test_bots_with_equal_records_have_equal_ratings_and_stand_by_name() -> None:
    circle = [(block, (bot, (bot + 1) % 3), (1, 2)) for block in range(20) for bot in range(3)]
    fit = fit_elo(count_pairs(["c", "a", "b"], 2, circle))
    assert fit.elo == (1500, 1500, 1500)
    assert fit.ranking == (1, 2, 0)


def test_bots_that_did_not_play_change_no_rating() -> None:
    matches = [(block, (0, 1), (1, 2) if block % 3 else (2, 1)) for block in range(60)]
    alone = fit_elo(count_pairs("ab", 2, matches))
    beside = fit_elo(count_pairs("abcdefgh", 2, matches))
    assert beside.elo[:2] == alone.elo
    assert beside.error[:2] == alone.error
    assert beside.ranking[:2] == alone.ranking


def test_the_prior_does_not_tie_bots_that_never_met(rng: np.random.Generator) -> None:
    """A chain of 12 bots, each of which wins 64 of 100 games against the next: the ends are 1,100 apart."""
    chance = 1 / (1 + 10 ** (-100 / 400))
    apart = []
    for _ in range(40):
        wins = rng.random((11, 12)) < chance  # two games in each of six blocks
        matches = [
            (6 * step + game // 2, (step, step + 1), (1, 2) if won else (2, 1))
            for step, games in enumerate(wins)
            for game, won in enumerate(games)
        ]
        fit = fit_elo(count_pairs([str(bot) for bot in range(12)], 2, matches))
        apart.append(fit.elo[0] - fit.elo[11])
    assert 1000 < np.mean(apart) < 1250


def test_the_points_alone_give_the_same_elo(rng: np.random.Generator) -> None:
    sums = World(np.linspace(-2, 3, 6)).counts(rng, 50)
    moved = np.array(fit_elo(sums).elo) - to_elo(estimate_ratings(sums.points(), sums.weight))
    assert moved == pytest.approx([moved[0]] * 6, abs=2e-6)


def test_los_both_ways_adds_up_to_one(rng: np.random.Generator) -> None:
    fit = fit_elo(World(np.array([0.2, -0.6, 0.9, 0.0])).counts(rng, 40))
    assert fit.ranking[0] == 2
    for higher, lower in zip(fit.ranking, fit.ranking[1:], strict=False):
        assert (fit.los(higher, lower) or 0) + (fit.los(lower, higher) or 0) == pytest.approx(1)
    assert fit.los(1, 1) is None


def test_fewer_than_six_blocks_have_no_error_bar() -> None:
    assert duel(3, 0, 2).error == (None, None)
    assert duel(3, 0, 2).mark == ("", "")
    assert duel(3, 0, 3).error[0] is not None
    fit = fit_elo(count_duels(*[[WON, LOST] * 10] * 5))
    assert (fit.blocks, fit.matches, fit.error) == ((5, 5), (100, 100), (None, None)), "blocks are deals"


@pytest.mark.parametrize(
    "matches",
    [
        pytest.param([], id="no match"),
        pytest.param([(0, (0, 1), (1, 2))], id="one block"),
        pytest.param([(block, (0, 1), (1, 1)) for block in range(50)], id="no decisive match"),
        pytest.param([(block, (0, 1), (1, 2)) for block in range(200_000)], id="200,000 wins"),
        pytest.param([(block, (0, 0), (1, 2)) for block in range(50)], id="one bot alone"),
        pytest.param([(b, (b % 2 * 2, b % 2 * 2 + 1), (1, 2)) for b in range(50)], id="two groups"),
        pytest.param([(b, (b % 3, b % 3 + 1), (1, 2)) for b in range(300)], id="a ladder of perfect scores"),
    ],
)
def test_no_field_gives_a_nan_an_infinity_or_a_false_error_bar(matches: list[Any]) -> None:
    fit = fit_elo(count_pairs("abcd", 2, matches))
    assert all(math.isfinite(number) for number in numbers(fit))
    assert np.isfinite(fit.covariance).all()
    assert fit.error == (None,) * 4


def test_one_bot_alone_stands_at_the_mean() -> None:
    fit = fit_elo(count_pairs(["solo"], 2, [(0, (0, 0), (1, 2))]))
    assert (fit.elo, fit.error, fit.score, fit.matches) == ((1500,), (None,), (None,), (1,))


def test_groups_that_never_met_have_errors_about_their_own_mean(rng: np.random.Generator) -> None:
    pairs = [(block % 2 * 2, block % 2 * 2 + 1) for block in range(200)]
    placings = [(1, 2) if rng.random() < 0.6 else (2, 1) for _ in pairs]
    fit = fit_elo(count_pairs("abcd", 2, zip(range(200), pairs, placings, strict=True)))
    alone = fit_elo(count_pairs("ab", 2, list(zip(range(200), pairs, placings, strict=True))[::2]))
    assert fit.comparable_groups == ((0, 1), (2, 3))
    assert (sum(fit.elo[:2]), sum(fit.elo[2:])) == pytest.approx((3000, 3000))
    assert fit.error[0] == pytest.approx(alone.error[0], rel=0.02)
    assert fit.los(0, 1) == pytest.approx(alone.los(0, 1), abs=0.01)
    assert fit.los(0, 2) is None
    assert fit.pair_error(1, 3) is None


def test_a_perfect_winner_leaves_the_others_their_error_bars(rng: np.random.Generator) -> None:
    matches = [(block, (block % 2, 2), (2, 1)) for block in range(40)]
    matches += [(40 + block, (0, 1), (1, 2) if rng.random() < 0.5 else (2, 1)) for block in range(100)]
    fit = fit_elo(count_pairs("abc", 2, matches))
    assert fit.mark == ("", "", ">")
    assert fit.error[2] is None
    assert fit.error[0] is not None
    assert fit.los(0, 1) is not None
    assert fit.los(2, 0) is None


def test_newton_climbs_from_anywhere(rng: np.random.Generator) -> None:
    for size in (2, 5, 30):
        points = np.exp(rng.normal(scale=6, size=(size, size)))
        np.fill_diagonal(points, 0)
        strength = fit_strengths(points)
        chance = 1 / (1 + np.exp(strength - strength[:, None]))
        assert ((points + points.T) * chance).sum(axis=1) == pytest.approx(points.sum(axis=1), rel=1e-6)


def in_gauntlet(alike: tuple[int, int], blocks: int, rng: np.random.Generator) -> Fit:
    """Bot 0 against 1, each block of which is two matches and goes alike, and against 2, which varies."""
    matches = [(block, (0, 1), placing) for block in range(blocks) for placing in (alike, alike[::-1])]
    for block in range(blocks, 2 * blocks):
        matches += [(block, (0, 2), (1, 2) if rng.random() < 0.8 else (2, 1)) for _ in range(2)]
    return fit_elo(count_pairs("abc", 2, matches))


@pytest.mark.parametrize("alike", [(1, 1), (1, 2)], ids=["ties", "one match each"])
@pytest.mark.parametrize("blocks", [10, 100, 1000])
def test_blocks_that_all_went_alike_are_no_ground_for_an_error_or_for_los(
    alike: tuple[int, int], blocks: int, rng: np.random.Generator
) -> None:
    fit = in_gauntlet(alike, blocks, rng)
    assert (fit.los(0, 1), fit.pair_error(0, 1), fit.pair_standard_error(1, 0)) == (None, None, None)
    assert None not in (fit.los(0, 2), fit.pair_error(0, 2))
    assert (fit.error[1], fit.los(1, 2)) == (None, None)  # all it has is blocks that went alike
    assert fit.standard_error[0] == pytest.approx((fit.pair_standard_error(0, 2) or 0) / 2)
    assert not is_separated(fit, 0, 1, 0.95)
    assert is_separated(fit, 0, 2, 0.95) == (blocks >= 100)


def test_bots_that_never_met_are_never_separated() -> None:
    rng = np.random.default_rng(3)
    matches = [
        (2 * block + pair, (2 * pair, 2 * pair + 1), (1, 2) if rng.random() < 0.6 + 0.2 * pair else (2, 1))
        for block in range(60)
        for pair in range(2)
    ]
    fit = fit_elo(count_pairs("abcd", 2, matches))
    assert (fit.connected_groups, fit.is_connected) == (((0, 1), (2, 3)), False)
    assert is_separated(fit, 2, 3, 0.95)
    assert not is_separated(fit, 2, 0, 0.95)
    assert not is_separated(fit, 2, 1, 0.95)


def test_bots_that_always_tie_are_told_from_each_other_by_what_they_do_to_others() -> None:
    rng = np.random.default_rng(7)
    matches = [(block, (0, 1), (1, 1)) for block in range(100)]
    for block in range(100, 400):
        matches.append((block, (block % 2, 2), (1, 2) if rng.random() < 0.6 else (2, 1)))
    fit = fit_elo(count_pairs("abc", 2, matches))
    assert fit.varied_groups == ((0, 1, 2),)
    assert 0.02 < (fit.los(0, 1) or 0) < 0.98
    assert None not in fit.error


def test_a_score_that_is_always_the_same_has_no_error_bar_either() -> None:
    fit = fit_elo(count_duels(*[[WON, WON, WON, LOST]] * 400))
    assert fit.score == (0.75, 0.25)
    assert (fit.error, fit.los(0, 1)) == ((None, None), None)
    assert not is_separated(fit, 0, 1, 0.95)


def test_one_block_that_differs_is_an_observation_again() -> None:
    fit = duel(1, 99, 0)
    assert 0.8 < (fit.los(0, 1) or 0) < 0.9


def test_pairs_that_met_in_few_blocks_are_judged_by_all_others(rng: np.random.Generator) -> None:
    bots = range(12)
    pairs = [(bot, other) for bot in bots for other in bots if bot < other]
    matches = [(b, pair, (1, 2) if rng.random() < 0.5 else (2, 1)) for b, pair in enumerate(pairs)]
    fit = fit_elo(count_pairs([str(bot) for bot in bots], 2, matches))
    assert None not in fit.error
    assert None not in [fit.los(*pair) for pair in pairs]


def test_who_did_not_play_stands_last(rng: np.random.Generator) -> None:
    matches = [(block, (0, 2), (1, 2) if rng.random() < 0.7 else (2, 1)) for block in range(40)]
    fit = fit_elo(count_pairs("abc", 2, matches))
    assert (fit.ranking, fit.matches) == ((0, 2, 1), (40, 0, 40))


@pytest.mark.parametrize(("circle", "copies", "moved"), [(0, 9, 0), (35, 1, 15), (35, 9, 49)])
def test_copies_of_a_bot_move_others_only_where_results_are_a_circle(
    circle: float, copies: int, moved: int
) -> None:
    """The figures of docs/statistics.md: four bots, of which three beat each other in a circle."""
    strength = np.array([0.6, 0.2, -0.2, -0.6])
    lead = strength[:, None] - strength
    for bot, other in ((0, 1), (1, 2), (2, 0)):
        lead[bot, other] += circle / ELO_PER_UNIT
        lead[other, bot] -= circle / ELO_PER_UNIT

    def rate(bots: list[int]) -> list[float]:
        points = 1000 / (1 + np.exp(-lead[np.ix_(bots, bots)]))
        np.fill_diagonal(points, 0)
        rated: list[float] = (ELO_PER_UNIT * estimate_strengths(points, 1.0).strength).tolist()
        return rated

    before, after = rate([0, 1, 2, 3]), rate([0, 1, 2, 3, *[1] * copies])
    differences = [(after[a] - after[b]) - (before[a] - before[b]) for a, b in ((0, 2), (0, 3), (2, 3))]
    assert round(max(map(abs, differences))) == moved


FIELD = np.array([60, 20, 0, -20, -60, -900])


def play(elo: np.ndarray, blocks: int = 60, seed: int = 1) -> PairCounts:
    """Return the results of a round robin of two."""
    strength = elo / ELO_PER_UNIT
    tables = [*combinations(range(len(elo)), 2)]
    return play_tables(
        lambda bots: strength[bots], len(elo), tables, blocks, np.random.default_rng(seed)
    ).counts()


SMALL = [[0.0], [300, -50], [100, 0, -700], [2000, 0, -2000], [300, 0, -400]]
WIDE = [[500, 480, -500, -520], [500, 300, 100, -100, -300, -500], [-100.0 * step for step in range(12)]]


@pytest.mark.parametrize("elo", [*SMALL, *WIDE, FIELD.tolist(), [0, 0, 0, -900, -900]])
def test_the_centre_is_symmetric_and_its_weights_are_its_derivatives(elo: list[float]) -> None:
    field = np.array(elo)
    center, weights = find_center(field)
    assert find_center(-field).elo == pytest.approx(-center)
    assert find_center(field + 70).elo == pytest.approx(center + 70)
    assert weights.sum() == pytest.approx(1)
    for bot, step in enumerate(1e-3 * np.eye(len(field))):
        if np.count_nonzero(np.abs(field - field[bot]) < 1) == 1:  # else the median has no derivative
            moved = find_center(field + step).elo - find_center(field - step).elo
            assert moved / 2e-3 == pytest.approx(weights[bot], abs=1e-5)


def test_the_centre_of_two_is_their_mean_and_of_equals_each_weighs_the_same() -> None:
    assert find_center(np.array([3000.0, 0])).elo == 1500
    for equals in ([7.0, 7, 7], [5.0, 5, 2, 2]):
        assert find_center(np.array(equals)).weights == pytest.approx(np.full(len(equals), 1 / len(equals)))


@pytest.mark.parametrize(
    "others", [[150, 50, -50, -150], [60, 20, 0, -20, -60], [100, 0], [200, 150, 0, -100]]
)
def test_a_hopeless_bot_moves_nobody_by_joining_or_by_how_hopeless_it_is(others: list[float]) -> None:
    alone = find_center(np.array(others, np.float64)).elo
    for hopeless in ([-900], [-1100], [-1000, -1000] if len(others) > 2 else [-1000], [1100]):
        assert find_center(np.array([*others, *hopeless], np.float64)).elo == pytest.approx(alone, abs=8)


def test_the_centre_of_the_field_is_1500_also_for_all_looks() -> None:
    counts = play(FIELD, blocks=8, seed=3)
    fixed, anytime = fit_elo(counts), fit_anytime(counts)
    assert anytime.elo == fixed.elo
    assert find_center(np.array(fixed.elo)).elo == pytest.approx(1500, abs=1e-5)
    bounded = [[bound is not None for bound in fit.elo_bound] for fit in (fixed, anytime)]
    assert sum(bounded[1]) >= sum(bounded[0])


def test_the_first_point_of_a_hopeless_bot_does_not_move_the_others() -> None:
    """Before it, the mean was that of the others; with it in the mean all would be hundreds higher."""
    others = [(block, (block % 3, (block + 1) % 3), (1, 2) if block % 2 else (2, 1)) for block in range(60)]
    lost = [(100 + block, (block % 3, 3), (1, 2)) for block in range(30)]
    before = fit_elo(count_pairs("abcd", 2, [*others, *lost]))
    assert sum(before.elo[:3]) == pytest.approx(4500), "the mean is that of the bots without a bound"
    after = fit_elo(count_pairs("abcd", 2, [*others, *lost[:-1], (129, (2, 3), (2, 1))]))
    assert (before.mark[3], after.mark[3]) == ("<", "")
    assert np.array(after.elo[:3]) == pytest.approx(np.array(before.elo[:3]), abs=15)


def test_errors_about_the_centre_are_those_of_the_field_without_the_hopeless() -> None:
    with_hopeless, alone = fit_elo(play(FIELD)), fit_elo(play(FIELD[:5]))
    wide, narrow = (np.array(fit.standard_error[:5]) for fit in (with_hopeless, alone))
    assert wide == pytest.approx(narrow, rel=0.3)
    anytime = np.array(fit_anytime(play(FIELD)).standard_error[:5])
    assert anytime == pytest.approx(np.array(fit_anytime(play(FIELD[:5])).standard_error), rel=0.4)


def test_a_bound_in_one_game_makes_the_overall_a_bound() -> None:
    wide, narrow = fits = [fit_elo(play(FIELD)), fit_elo(play(FIELD / 4, seed=2))]
    *known, hopeless = compute_overall_ratings(fits)
    assert {(rating.mark, rating.bound) for rating in known} == {("", None)}
    assert wide.elo_bound[5] is not None
    assert narrow.elo_bound[5] is None
    assert hopeless.mark == "<"
    assert hopeless.bound == pytest.approx((wide.elo_bound[5] + narrow.elo[5]) / 2)
    assert hopeless.elo == pytest.approx((wide.elo[5] + narrow.elo[5]) / 2)


def test_an_error_is_that_of_the_distance_from_the_centre() -> None:
    fit = fit_elo(play(FIELD))
    for bot in range(6):
        contrast = np.eye(6)[bot] - find_center(np.array(fit.elo)).weights
        assert fit.standard_error[bot] == pytest.approx((contrast @ fit.covariance @ contrast) ** 0.5)


def test_an_adjustment_for_luck_keeps_the_origin() -> None:
    counts = play(FIELD)
    fit, rng = fit_elo(counts), np.random.default_rng(2)
    (rows,) = counts.chunks()
    control = Controls(
        rows.cluster, rows.first, rows.second, rng.normal(size=len(rows.first)), rows.cluster % 5
    )
    adjusted = adjust_for_luck(fit, counts, control).fit
    assert adjusted.elo != fit.elo
    assert find_center(np.array(adjusted.elo)).elo == pytest.approx(1500, abs=0.5)


def test_a_group_has_errors_about_its_own_centre() -> None:
    covariance = np.diag([4.0, 4.0, 9.0])
    weights = find_weights(np.array([1500.0, 1400, 1500]), ((0, 1),))
    assert compute_variances_about_center(covariance, ((0, 1),), weights)[:2] == pytest.approx([2.0, 2.0])
    assert np.isnan(compute_variances_about_center(covariance, ((0, 1),), weights)[2])
