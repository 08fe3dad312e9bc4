"""Chances of seats to be placed ahead, by playing on from positions, within a time.

The first section plays on with one bot; the second corrects its mean by playouts of a stronger one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import hypot, sqrt
from statistics import covariance, fmean, stdev, variance
from typing import Final, NamedTuple

from arena.games import Deal, Match, Rules
from arena.games.match import Policy
from arena.games.settlement.holdings import Holdings
from arena.games.stock import RecordedStock
from arena.play.bot import Info, make_factory
from arena.play.heuristics import make_heuristic
from arena.plugins import BotSpec

# --- playouts of one bot ---
# A playout goes on from the cards as they lie: hands and piles stay, the cards left in the stock are shuffled
# again as far as their order is not known, and all later deals are drawn anew. A bot plays all seats to the
# end of the match: the heuristic of the game's family, with which `expert` searches, unless another is given.
# A seat scores the share of the other seats that it is placed ahead of, a tie a half.

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


# --- playouts within a time ---
# The strong bot plays the deal in hand to its end and, where it is fast enough, the deals after it, which the
# heuristic of the family plays otherwise. Each playout is paired with one of the heuristic alone on the same
# cards: the mean difference of the pairs is added to the mean of many playouts of the heuristic. The luck of
# the deals is the same in both of a pair, so few playouts of the strong bot suffice.
#
# Source: Giles, Multilevel Monte Carlo Path Simulation, Operations Research 56 (2008), for two levels.

MIN_PLAYOUTS: Final = 8
"""Playouts of the strong bot below which those of the heuristic stand alone."""
MIN_WHOLE_PLAYOUTS: Final = 25
"""Playouts of a step that must fit into the time, for the strong bot to play the later deals too."""


class StrongChances(NamedTuple):
    """Chances by deal and step, and where they are from."""

    chances: list[list[Chances]]
    playouts: int
    """Playouts of the strong bot at each step; 0 if it is too slow."""
    is_whole: bool
    """True if it plays the deals after the one in hand, too."""


def estimate_strong_chances(
    deals: Sequence[Deal],
    make_policies: MakePolicies,
    playouts: int,
    seconds: float,
    report: Callable[[float], object] = lambda share: None,
    clock: Callable[[], float] = time.monotonic,
) -> StrongChances:
    """Return the chances before the first action of each deal and after each action.

    Args:
        deals: The finished deals of a match, from the first on.
        make_policies: Makes the players of the strong bot.
        playouts: Playouts of the heuristic at each step, at least two, and the limit on the strong bot's.
        seconds: Limit on the time of the playouts of the strong bot.
        report: Is called with the share of the work that is done.
        clock: Returns seconds.
    """
    quick = score_playouts(deals, playouts)
    end = clock() + seconds
    is_whole = _is_fast(deals, make_policies, seconds, clock)
    strong: list[list[list[Scores]]] = [[[] for _ in steps] for steps in quick]
    for number in range(playouts):
        report(max(number / playouts, 1 - (end - clock()) / seconds))
        scores_of_round = _play_all(deals, make_policies(number), number, is_whole, lambda: clock() > end)
        if scores_of_round is None:
            break
        for steps, scores in zip(strong, scores_of_round, strict=True):
            for step, score in zip(steps, scores, strict=True):
                step.append(score)
    done = len(strong[0][0])
    if done < MIN_PLAYOUTS:
        done, strong = 0, [[[] for _ in steps] for steps in quick]
    chances = [
        [_combine(*step) for step in zip(*steps, strict=True)] for steps in zip(quick, strong, strict=True)
    ]
    return StrongChances(chances, done, is_whole)


def _is_fast(
    deals: Sequence[Deal], make_policies: MakePolicies, seconds: float, clock: Callable[[], float]
) -> bool:
    """Return whether whole matches of the strong bot fit into the time, by one from the first step."""
    start, policies = deals[0].opening.holdings, make_policies(0)
    state = next(iter(deals[0].replay()))
    play_to_end(state, start, policies, _quick_policies(deals), 0)  # what is compiled first is not timed
    began = clock()
    play_to_end(state, start, policies, policies, 0)
    steps = sum([len(deal.action_indices) + 1 for deal in deals])
    return (clock() - began) * steps / 2 * MIN_WHOLE_PLAYOUTS <= seconds


def _quick_policies(deals: Sequence[Deal]) -> Sequence[Policy]:
    """Return the heuristic in each seat."""
    opening = deals[0].opening
    return [make_heuristic(opening.rules).act] * opening.players


def _play_all(
    deals: Sequence[Deal],
    policies: Sequence[Policy],
    number: int,
    is_whole: bool,
    is_late: Callable[[], bool],
) -> list[list[Scores]] | None:
    """Return the scores of one playout from each step; None if the time is over before."""
    start, later = deals[0].opening.holdings, policies if is_whole else _quick_policies(deals)
    played = []
    for deal in deals:
        steps = []
        for state in deal.replay():
            if is_late():
                return None
            steps.append(play_to_end(state, start, policies, later, number))
        played.append(steps)
    return played


def _combine(quick: Sequence[Scores], strong: Sequence[Scores]) -> Chances:
    """Return the mean score of each seat and its standard error; the playouts of equal number are pairs."""
    by_seat = [
        _combine_seat([scores[seat] for scores in quick], [scores[seat] for scores in strong])
        for seat in range(len(quick[0]))
    ]
    return Chances(tuple([chance for chance, _ in by_seat]), tuple([error for _, error in by_seat]))


def _combine_seat(quick: Sequence[float], strong: Sequence[float]) -> tuple[float, float]:
    mean, squared = fmean(quick), variance(quick) / len(quick)
    if strong:
        paired = quick[: len(strong)]
        gains = [after - before for before, after in zip(paired, strong, strict=True)]
        mean += fmean(gains)
        squared += variance(gains) / len(gains) + 2 * covariance(paired, gains) / len(quick)
    return min(max(mean, 0.0), 1.0), sqrt(max(squared, 0.0))


# --- bots as policies ---


def make_playout_policies(bot: BotSpec, rules: Rules, players: int) -> MakePolicies:
    """Return what makes the players of a built-in bot, whose randomness depends on seat and playout alone.

    Args:
        bot: The bot; its class is loaded into this process.
        rules: The game.
        players: Number of seats.
    """
    factory = make_factory(bot.source.load())

    def make_policies(number: int) -> Sequence[Policy]:
        keys = [f"review/{number}/{seat}" for seat in range(players)]
        return [
            factory(Info.of(rules, seat=seat, players=players, key=key, settings=bot.settings)).act
            for seat, key in enumerate(keys)
        ]

    return make_policies
