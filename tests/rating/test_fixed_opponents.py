"""The Elo and the place of a bot against opponents whose Elo stays."""

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.fixed_opponents import place_bot
from arena.rating.pair_counts import PairCounts
from benchmarks.coverage import measure
from benchmarks.coverage_laws import play_tables
from benchmarks.coverage_names import AGREE, PLACE, PROVISIONAL
from benchmarks.coverage_ratings import draw_places
from tests.rating.conftest import LOST, WON, count_duels


def fit_ladder(rng: np.random.Generator) -> Fit:
    strength = np.array([0.5, 0, -0.5])
    tables = list(combinations(range(3), 2))
    return fit_elo(play_tables(lambda seatings: strength[seatings], 3, tables, 40, rng).counts())


def duel(wins: int, blocks: int) -> PairCounts:
    """Return matches of two bots, of which the first wins so many, one a block."""
    return count_duels(*[[WON]] * wins, *[[LOST]] * (blocks - wins))


def test_elo_is_that_of_the_score_against_the_opponent(rng: np.random.Generator) -> None:
    fit = fit_ladder(rng)
    placed = place_bot(duel(30, 40), 0, fit, [1], [0, 1, 2])
    odds = 30.5 / 10.5  # with one virtual draw
    assert placed.elo == pytest.approx(fit.elo[1] + 400 * math.log10(odds), abs=1e-3)
    assert placed.place == 1 + sum(elo > placed.elo for elo in fit.elo)


def test_errors_of_the_opponent_are_part_of_the_error(rng: np.random.Generator) -> None:
    """After many blocks of its own, a bot is known as well as its opponent."""
    fit = fit_ladder(rng)
    few, many = (place_bot(duel(blocks // 2, blocks), 0, fit, [1], [0, 1, 2]) for blocks in (20, 20_000))
    assert few.error is not None
    assert many.error is not None
    assert fit.error[1] is not None
    assert few.error > 2 * many.error
    assert many.error == pytest.approx(fit.error[1], rel=0.02)


@pytest.mark.parametrize(
    ("wins", "blocks", "best", "worst"), [(20, 20, 1, 3), (0, 20, 2, 4), (2, 4, 1, 4), (6, 6, 1, 4)]
)
def test_a_perfect_score_shows_no_more_than_who_took_every_point(
    wins: int, blocks: int, best: int, worst: int, rng: np.random.Generator
) -> None:
    placed = place_bot(duel(wins, blocks), 0, fit_ladder(rng), [1], [0, 1, 2])
    assert (placed.error, placed.best, placed.worst) == (None, best, worst)


@pytest.mark.parametrize(
    ("elo", "hero", "blocks"),
    [([100.0, 50, 0, -50, -100], 30.0, 12), ([450.0, 400, -350, -400, -450], 380.0, 4)],
)
def test_errors_and_ranges_hold(elo: list[float], hero: float, blocks: int) -> None:
    """Also where the distance of two parts of the ladder is hardly known."""
    shares = measure(partial(draw_places, elo, hero, 4, 0, blocks), 25)
    assert shares[PROVISIONAL].mean >= 0.9
    assert shares[PLACE].mean >= 0.95
    assert shares[AGREE].mean >= 0.95
