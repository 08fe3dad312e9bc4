"""Chances of the seats of a match at each step to be placed ahead, from playouts of a bot.

A playout goes on from the cards as they lie: hands and piles stay, the cards left in the stock are shuffled
again as far as their order is not known, and all later deals are drawn anew. A bot plays all seats to the
end of the match: the heuristic of the game's family, with which `expert` searches, unless another is given.
A seat scores the share of the other seats that it is placed ahead of, a tie a half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from arena.games import Deal, Match
from arena.games.match import Policy
from arena.games.settlement.holdings import Holdings
from arena.games.stock import RecordedStock
from arena.play.heuristics import make_heuristic

Scores = list[float]
"""Share of the other seats that each seat is placed ahead of."""
MakePolicies = Callable[[int], Sequence[Policy]]
"""Returns what a bot decides in each seat, in the playouts of a number."""
MAX_COSTLY_STEPS: Final = 5
"""Actions of a match that are marked for the fall of a chance."""


class Chances(NamedTuple):
    """The chance of each seat to be placed ahead of another, and its standard error."""

    by_seat: tuple[float, ...]
    errors: tuple[float, ...]


class CostlyStep(NamedTuple):
    """An action after which the chance of its seat fell."""

    deal: int
    """Number of the deal, from 0."""
    step: int
    """Actions of the deal so far, this one included."""
    fall: float


def estimate_chances(
    deals: Sequence[Deal],
    playouts: int,
    count: Callable[[], object] = lambda: None,
    make_policies: MakePolicies | None = None,
    start: Holdings | None = None,
) -> list[list[Chances]]:
    """Return by deal the chances before its first action and after each.

    The same playout draws the same later deals from every step of a deal, so that the difference of two steps
    varies less than each of them.

    Args:
        deals: Finished deals of a match.
        playouts: How many playouts a step has; at least two.
        count: Is called after each step.
        make_policies: Makes the players; by default they are the heuristic of the family.
        start: Holdings before the first deal of the match; by default those before the first of `deals`.
    """
    scored = score_playouts(deals, playouts, count, make_policies, start)
    return [[_average(scores) for scores in steps] for steps in scored]


def score_playouts(
    deals: Sequence[Deal],
    playouts: int,
    count: Callable[[], object] = lambda: None,
    make_policies: MakePolicies | None = None,
    start: Holdings | None = None,
) -> list[list[list[Scores]]]:
    """Return by deal and step the scores of the playouts that `estimate_chances` averages."""
    start = start or deals[0].opening.holdings
    players: list[Sequence[Policy]]
    if make_policies is None:
        players = [[make_heuristic(deals[0].opening.rules).act] * deals[0].opening.players] * playouts
    else:
        players = [make_policies(number) for number in range(playouts)]
    scored = []
    for deal in deals:
        steps = []
        for state in deal.replay():
            steps.append([play_to_end(state, start, own, own, number) for number, own in enumerate(players)])
            count()
        scored.append(steps)
    return scored


def find_costly_steps(deals: Sequence[Deal], chances: Sequence[Sequence[Chances]]) -> list[CostlyStep]:
    """Return the actions of a match after which the chances of their seats fell most, these first.

    Falls that two standard errors could explain are left out.
    """
    falls = []
    for number, (deal, steps) in enumerate(zip(deals, chances, strict=True)):
        for step, (event, (before, after)) in enumerate(zip(deal.log, pairwise(steps), strict=True), 1):
            seat = event.seat
            assert seat is not None
            fall = before.by_seat[seat] - after.by_seat[seat]
            if fall > 2 * hypot(before.errors[seat], after.errors[seat]):
                falls.append(CostlyStep(number, step, fall))
    falls.sort(key=lambda mistake: (mistake.fall, mistake.deal, mistake.step), reverse=True)
    return falls[:MAX_COSTLY_STEPS]


def play_to_end(
    deal: Deal, start: Holdings, policies: Sequence[Policy], later: Sequence[Policy], number: int
) -> Scores:
    """Return the scores of a playout from a deal as it is.

    Args:
        deal: The deal.
        start: What everybody held before the first deal of the match.
        policies: Policies of the seats in this deal, or in the next one if it is over.
        later: Their policies in the deals after it.
        number: Number of the playout, which decides what is drawn.
    """
    opening, stock = deal.opening, deal.stock
    assert isinstance(stock, RecordedStock)
    seed = f"chances/{opening.number}/{number}"
    match = Match.from_deal(deal.copy_with(deal.dealt, deal.hands[:], stock.shuffle_again(seed)), seed)
    match.start = start
    match.advance()
    match.playout(policies)
    match.playout(later, until="match")
    return _score(match.placings)


def _score(placings: Sequence[int]) -> Scores:
    """Return the share of the other seats that each seat is placed ahead of."""
    others = len(placings) - 1
    return [
        (sum([(own < placing) + (own == placing) / 2 for placing in placings]) - 0.5) / others
        for own in placings
    ]


def _average(scores: Sequence[Scores]) -> Chances:
    by_seat = list(zip(*scores, strict=True))
    errors = [stdev(sample) / sqrt(len(scores)) for sample in by_seat]
    return Chances(tuple(map(fmean, by_seat)), tuple(errors))
