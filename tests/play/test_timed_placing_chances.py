"""Chances from playouts of a strong bot, paired with those of the heuristic."""

from collections.abc import Iterator, Sequence
from itertools import count
from math import sqrt
from statistics import fmean, stdev

import pytest

from arena.games import Deal, variant
from arena.games.action import Action
from arena.games.match import Policy
from arena.games.view import View
from arena.play.chances import MIN_PLAYOUTS, estimate_chances, estimate_strong_chances, play_to_end
from arena.play.heuristics import make_heuristic
from tests.play.test_placing_chances import play

PLAYOUTS = 20


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    """A match of lives for three with one token each."""
    return play(variant("lives", tokens=1))[0]


def choose_last(view: View) -> Action:
    return view.legal[-1]


def make_others(number: int) -> list[Policy]:
    return [choose_last] * 3


def test_a_bot_that_plays_as_the_heuristic_changes_nothing(deals: list[Deal]) -> None:
    def make_same(number: int) -> Sequence[Policy]:
        return [make_heuristic(deals[0].opening.rules).act] * 3

    estimate = estimate_strong_chances(deals, make_same, PLAYOUTS, 1e9)
    assert (estimate.playouts, estimate.is_whole) == (PLAYOUTS, True)
    for steps, expected in zip(estimate.chances, estimate_chances(deals, PLAYOUTS), strict=True):
        for step, quick in zip(steps, expected, strict=True):
            assert step.by_seat == pytest.approx(quick.by_seat)
            assert step.errors == pytest.approx(quick.errors)


def test_with_as_many_playouts_of_both_the_chances_are_those_of_the_strong_bot(deals: list[Deal]) -> None:
    estimate = estimate_strong_chances(deals, make_others, PLAYOUTS, 1e9)
    state, start, policies = next(iter(deals[0].replay())), deals[0].opening.holdings, make_others(0)
    scores = [play_to_end(state, start, policies, policies, number)[0] for number in range(PLAYOUTS)]
    first = estimate.chances[0][0]
    assert first.by_seat[0] == pytest.approx(fmean(scores))
    assert first.errors[0] == pytest.approx(stdev(scores) / sqrt(PLAYOUTS))
    assert first.by_seat != pytest.approx(estimate_chances(deals, PLAYOUTS)[0][0].by_seat)
    assert sum(first.by_seat) == pytest.approx(1.5)


def make_clock(step: float) -> Iterator[float]:
    """Yield the times of a clock that runs on by a step each time it is looked at."""
    return count(0.0, step)


def test_a_bot_that_is_too_slow_leaves_the_playouts_of_the_heuristic(deals: list[Deal]) -> None:
    clock = make_clock(1.0)
    estimate = estimate_strong_chances(deals, make_others, PLAYOUTS, 1.0, clock=lambda: next(clock))
    assert (estimate.playouts, estimate.is_whole) == (0, False)
    assert estimate.chances == estimate_chances(deals, PLAYOUTS)


def test_the_time_decides_how_often_the_strong_bot_plays_and_how_far(deals: list[Deal]) -> None:
    steps = sum(len(deal.action_indices) + 1 for deal in deals)
    clock, shares = make_clock(1.0), list[float]()
    seconds = (steps + 1) * (MIN_PLAYOUTS + 1.5)
    estimate = estimate_strong_chances(
        deals, make_others, PLAYOUTS, seconds, shares.append, lambda: next(clock)
    )
    assert estimate.playouts == MIN_PLAYOUTS + 1
    assert not estimate.is_whole
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1
