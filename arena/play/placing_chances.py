"""Chances of the seats of a match at each step to be placed ahead, from playouts of the family's heuristic.

A playout goes on from the cards as they lie: hands and piles stay, the cards left in the stock are shuffled
again as far as their order is not known, and all later deals are drawn anew. The heuristic of the game's
family, the bot that `expert` searches with, plays all seats to the end of the match. A seat scores the share
of the other seats that it is placed ahead of, a tie a half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from arena.games import Deal, Match
from arena.games.match import Policy
from arena.games.settlement.base import Holdings
from arena.games.stock import RecordedStock
from arena.play.heuristics import make_heuristic

Scores = list[float]
"""Share of the other seats that each seat is placed ahead of."""


class Chances(NamedTuple):
    """The chance of each seat to be placed ahead of another, and its standard error."""

    by_seat: tuple[float, ...]
    errors: tuple[float, ...]


def estimate_chances(
    deals: Sequence[Deal], playouts: int, count: Callable[[], object] = lambda: None
) -> list[list[Chances]]:
    """Return by deal the chances before its first action and after each.

    The same playout draws the same later deals from every step of a deal, so that the difference of two steps
    varies less than each of them.

    Args:
        deals: The finished deals of a match, from the first on.
        playouts: How many playouts a step has; at least two.
        count: Is called after each step.
    """
    return [[_average(scores) for scores in steps] for steps in score_playouts(deals, playouts, count)]


def score_playouts(
    deals: Sequence[Deal], playouts: int, count: Callable[[], object] = lambda: None
) -> list[list[list[Scores]]]:
    """Return by deal and step the scores of the playouts that `estimate_chances` averages."""
    start = deals[0].opening.holdings
    policies = [make_heuristic(deals[0].opening.rules).act] * deals[0].opening.players
    found = []
    for deal in deals:
        steps = []
        for state in deal.replay():
            steps.append(
                [play_to_end(state, start, policies, policies, number) for number in range(playouts)]
            )
            count()
        found.append(steps)
    return found


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
