"""Ratings of several games on one scale."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena.rating import Fit, compute_overall_ratings, count_pairs, fit_elo, standardize_fits


@pytest.fixture
def fits(world: Callable[..., Any], rng: np.random.Generator) -> list[Fit]:
    """A game with much luck, and one with little in which the order is the reverse."""
    skill = np.array([0.6, 0.2, -0.2, -0.6])
    return [
        fit_elo(world(skill, chance=4.0).counts(rng, 900)),
        fit_elo(world(-2 * skill, interaction=0.1).counts(rng, 300)),
    ]


def test_a_game_with_little_luck_does_not_decide_the_overall(fits: list[Fit]) -> None:
    plain = [rating.elo or 0 for rating in compute_overall_ratings(fits)]
    assert plain[3] - plain[0] > 200
    standardized = standardize_fits(fits)
    even = [rating.elo for rating in compute_overall_ratings(standardized)]
    assert even == pytest.approx([1500] * 4, abs=40)
    spreads = [np.std(fit.elo) for fit in fits]
    assert [np.std(fit.elo) for fit in standardized] == pytest.approx([np.mean(spreads)] * 2)


def test_fields_that_cannot_be_scaled_stay_as_they_are(fits: list[Fit]) -> None:
    two = [fit_elo(count_pairs("ab", 2, [(block, (0, 1), (1, 2)) for block in range(9)]))] * 2
    even = fit_elo(count_pairs(fits[0].bots, 4, [(0, (0, 1, 2, 3), (1, 1, 1, 1))]))
    fewer = fit_elo(count_pairs(fits[0].bots, 3, [(0, (0, 1, 2), (1, 2, 3))]))
    for games in (two, [fits[0], even], [fits[0], fewer], []):
        assert standardize_fits(games) == tuple(games)


def test_one_game_keeps_its_ratings_and_their_errors(fits: list[Fit]) -> None:
    (alone,) = standardize_fits(fits[:1])
    assert alone.elo == pytest.approx(fits[0].elo)
    assert alone.error == pytest.approx(fits[0].error)
    assert alone.los(0, 1) == pytest.approx(fits[0].los(0, 1))


def test_its_intervals_cover(world: Callable[..., Any]) -> None:
    rng = np.random.default_rng(3)
    games = [world(np.linspace(-1, 1, 5), chance=3.0), world(np.array([0.2, 1.5, -1, 0, -0.7]), seats=3)]
    spreads = [np.std(game.true_elo()) for game in games]
    truth = 1500 + np.mean(spreads) * np.mean(
        [game.true_elo() / spread for game, spread in zip(games, spreads, strict=True)], axis=0
    )
    inside = []
    for _ in range(150):
        rated = compute_overall_ratings(standardize_fits([fit_elo(game.counts(rng, 60)) for game in games]))
        inside += [
            abs((rating.elo or 0) - true) <= (rating.error or 0)
            for rating, true in zip(rated, truth, strict=True)
        ]
    assert 0.92 <= np.mean(inside) <= 0.98
