"""Chances of the seats from playouts of a strong bot, as many as fit into a limit on time.

The strong bot plays the deal in hand to its end and, where it is fast enough, the deals after it, which the
heuristic of the family plays otherwise. Each playout is paired with one of the heuristic alone on the same
cards: the mean difference of the pairs is added to the mean of many playouts of the heuristic. The luck of
the deals is the same in both of a pair, so few playouts of the strong bot suffice.

Source: Giles, Multilevel Monte Carlo Path Simulation, Operations Research 56 (2008), for two levels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import covariance, fmean, variance
from typing import Final, NamedTuple

from arena.games import Deal
from arena.games.match import Policy
from arena.play.heuristics import make_heuristic
from arena.play.placing_chances import Chances, MakePolicies, Scores, play_to_end, score_playouts

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
