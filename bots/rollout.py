"""Bot that plays as `retuned` unless playouts of the deal show another action to be better.

It draws the cards it cannot see at random, tries its actions in the same worlds, and plays on until the deal
is over: for the others by its game's heuristic, for itself by that or as `retuned`.
"""

import logging
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from math import inf, sqrt
from operator import itemgetter
from statistics import NormalDist
from time import monotonic, perf_counter
from typing import Annotated, Final

import msgspec

from arena.errors import SamplingError
from arena.families.exchange.view import ExchangeView
from arena.games import Match, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play import Info
from bots.retuned import Retuned

logger = logging.getLogger(__name__)
MAX_WORLDS: Final = 100_000
FIRST_CHECK: Final = 8  # worlds after which actions are dropped; again after twice as many, and so on
DROP_ERRORS: Final = 0.5  # standard errors by which an action may be behind and is kept
LEAD_ERRORS: Final = 2  # standard errors by which an action must be ahead to be played
CHANCE_OF_LEAD: Final = 0.01  # at most, that it is found significant where no action is better
UNTRIED: Final = "cambio"  # the call: random worlds do not know that the others keep their low cards
MAX_RIVALS: Final = 16  # actions tried beside the usual one
SURPRISE_WEIGHT: Final = 0.3  # of a world, for each decision in which the heuristic would have done otherwise
BATCH: Final = 16  # worlds drawn, of which the likelier ones are tried
KEPT: Final = 4


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings from the config.

    Attributes:
        playouts: Number of deals played out for a decision, or a few more: at least `FIRST_CHECK` worlds.
        ms: Milliseconds after which no further world begins. Matches cannot be reproduced then. Without
            `playouts` there is no other limit.
    """

    playouts: Annotated[int, msgspec.Meta(ge=1)] | None = None
    ms: Annotated[float, msgspec.Meta(gt=0)] | None = None


class Rival:
    """An action, and how much better than the heuristic's it was in the same worlds."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.worlds = 0
        self.lead = 0.0
        self.squares = 0.0

    def add(self, difference: float) -> None:
        """Count one more world."""
        self.worlds += 1
        self.lead += difference
        self.squares += difference * difference

    def error(self) -> float:
        """Return the standard error of the lead."""
        variance = (self.squares - self.lead**2 / self.worlds) / (self.worlds - 1)
        return sqrt(max(variance, 0) * self.worlds)


class Rollout:
    """Bot that plays as `retuned` unless playouts show another action to be better."""

    def __init__(self, info: Info) -> None:
        settings = msgspec.convert(info.settings, Settings)
        self.seconds = settings.ms / 1000 if settings.ms else inf
        self.retuned, self.heuristic = Retuned(info), info.heuristic()
        self.playouts = settings.playouts or (inf if settings.ms else self.heuristic.playouts)
        self.info, self.rng, self.is_searching = info, info.rng, True
        self.is_weighing, self.is_careful = self.heuristic.weighs_worlds, self.heuristic.doubts_leads
        self.policies = [self.heuristic.act] * info.players
        if not self.is_weighing:  # in the draw family `retuned` is five times as slow as its heuristic
            self.policies[info.seat] = self.retuned.act

    def act(self, view: View) -> Action:
        end = perf_counter() + self.seconds
        usual = self.retuned.act(view)
        if self.is_searching:
            try:
                return self.search(view, usual, end)
            except SamplingError as error:
                self.is_searching = False  # until the match is over: the next try would take as long
                warn_of_sampling(str(view.opening.rules), str(error))
        return usual

    def search(self, view: View, usual: Action, end: float) -> Action:
        """Return the action that does better than the usual one in the same worlds, or that, by `end`.

        Raises:
            SamplingError: No world was found.
        """
        rivals = [Rival(action) for action in self.choose_rivals(view, usual)]
        tried = len(rivals)
        check, playouts = FIRST_CHECK, 0
        for number, world in enumerate(self.draw_worlds(view), 1):
            value = self.play_out(world, usual, view.seat)
            for rival in rivals:
                rival.add(self.play_out(world, rival.action, view.seat) - value)
            playouts += 1 + len(rivals)
            if number == check:
                check *= 2
                rivals = [
                    candidate for candidate in rivals if candidate.lead > -DROP_ERRORS * candidate.error()
                ]
            is_enough = number >= FIRST_CHECK and playouts >= self.playouts
            if not rivals or is_enough or perf_counter() >= end or self.is_late():
                break
        return pick(rivals, tried if self.is_careful else None) or usual

    def is_late(self) -> bool:
        """Return whether half the decision's time is over, in a game whose worlds are slow to draw."""
        deadline = self.info.deadline
        if deadline is None or self.info.rules.determinization is not None:
            return False
        return monotonic() >= deadline - self.info.limits.decision_ms / 2000

    def choose_rivals(self, view: View, usual: Action) -> Sequence[Action]:
        """Return the actions to try: of too many exchanges those that make the best hands, else any."""
        others = [action for action in view.legal if action is not usual and action.kind != UNTRIED]
        if len(others) <= MAX_RIVALS:
            return others
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand + view.widow:
            return self.rng.sample(others, MAX_RIVALS)
        rank = view.opening.rules.rank_table
        others.sort(key=lambda action: (not action.give, rank[view.after(action)]), reverse=True)
        return others[:MAX_RIVALS]

    def draw_worlds(self, view: View) -> Iterator[Match]:
        """Yield random worlds, where they are weighed the likelier the fewer surprises they have."""
        worlds = view.samples(self.rng, MAX_WORLDS)
        if not self.is_weighing:
            yield from worlds
        while batch := [(self.draw_waiting_time(world, view.seat), world) for world in islice(worlds, BATCH)]:
            batch.sort(key=itemgetter(0))
            yield from (world for _, world in batch[:KEPT])

    def draw_waiting_time(self, world: Match, seat: int) -> float:
        """Return a random time to wait, for a world with more surprises seldom the shortest.

        Source: P. S. Efraimidis and P. G. Spirakis, Weighted random sampling with a reservoir, 2006.
        """
        surprises = sum(
            view.seat != seat and self.heuristic.act(view) is not action
            for view, action in world.rules.decisions(world.deal)
        )
        return self.rng.expovariate(SURPRISE_WEIGHT**surprises)

    def play_out(self, world: Match, action: Action, seat: int) -> float:
        """Return the value of a world that goes on with an action."""
        branch = world.branch()
        branch.apply(action)
        deal = branch.playout(self.policies)
        return branch.rules.value(deal.opening, deal.changes, seat)


@cache
def warn_of_sampling(variant: str, why: str) -> None:
    """Log once for each reason that the bot plays a game without searching."""
    logger.warning("rollout plays %s without playouts for the rest of a match: %s", variant, why)


def pick(rivals: Sequence[Rival], tried: int | None = None) -> Action | None:
    """Return the best action if its lead is clear, of as many tried if they are to be taken into account."""
    best = max(rivals, key=lambda rival: rival.lead, default=None)
    if best is None or best.worlds < FIRST_CHECK:
        return None
    errors = find_significant_lead(best.worlds, tried) if tried else LEAD_ERRORS
    return best.action if best.lead > errors * best.error() else None


@cache
def find_significant_lead(worlds: int, tried: int) -> float:
    """Return the standard errors by which the best of `tried` actions must be ahead.

    It is a quantile of Student's t, for one of `tried` independent comparisons (Bonferroni).

    Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5, two terms.
    """
    x, freedom = NormalDist().inv_cdf(1 - CHANCE_OF_LEAD / tried), worlds - 1
    return x + (x**3 + x) / (4 * freedom) + (5 * x**5 + 16 * x**3 + 3 * x) / (96 * freedom**2)
