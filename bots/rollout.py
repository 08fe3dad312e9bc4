"""Bot that plays its game's heuristic unless playouts of the deal show another action to be better.

It draws the cards it cannot see at random, tries its actions in the same worlds, and lets the heuristic play
on for all seats until the deal is over.
"""

from collections.abc import Iterator, Sequence
from math import inf, sqrt
from time import perf_counter
from typing import Annotated, Final

import msgspec

from arena.games import Match, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.exchange.view import ExchangeView
from arena.play import Info

PLAYOUTS: Final = {"exchange": 200, "barter": 40, "draw": 80, "cuckoo": 200, "cambio": 60, "cox": 40}
"""By family, the playouts of a decision where the settings name none."""
MAX_WORLDS: Final = 100_000
FIRST_CHECK: Final = 8  # worlds after which actions are dropped; again after twice as many, and so on
DROP_ERRORS: Final = 0.5  # standard errors by which an action may be behind and is kept
LEAD_ERRORS: Final = 2  # standard errors by which an action must be ahead to be played
MAX_RIVALS: Final = 16  # actions tried beside the heuristic's
WEIGHED: Final = frozenset({"draw"})
"""The families in which worlds are weighed by what the others did: they keep the best of what they draw."""
SURPRISE_WEIGHT: Final = 0.3  # of a world, for each decision in which the heuristic would have done otherwise
MAX_TRIES: Final = 20  # worlds drawn for one that is tried


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings from the config.

    Attributes:
        playouts: deals it plays out for a decision, or a few more: it tries at least `FIRST_CHECK` worlds.
        ms: milliseconds after which it begins no further world. Matches cannot be reproduced then. Without
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
    """Leaves the heuristic's action only for one that is ahead by two standard errors."""

    def __init__(self, info: Info) -> None:
        settings = msgspec.convert(info.settings, Settings)
        self.seconds = settings.ms / 1000 if settings.ms else inf
        self.playouts = settings.playouts or (inf if settings.ms else PLAYOUTS[info.rules.family])
        self.rng = info.rng
        self.heuristic = info.heuristic()
        self.is_weighing = info.rules.family in WEIGHED
        self.policies = [self.heuristic.act] * info.players

    def act(self, view: View) -> Action:
        end = perf_counter() + self.seconds
        usual = self.heuristic.act(view)
        rivals = [Rival(action) for action in self.choose_rivals(view, usual)]
        check, playouts = FIRST_CHECK, 0
        for number, world in enumerate(self.draw_worlds(view), 1):
            value = self.play_out(world, usual, view.seat)
            for rival in rivals:
                rival.add(self.play_out(world, rival.action, view.seat) - value)
            playouts += 1 + len(rivals)
            if number == check:
                check *= 2
                rivals = [one for one in rivals if one.lead > -DROP_ERRORS * one.error()]
            is_enough = number >= FIRST_CHECK and playouts >= self.playouts
            if not rivals or is_enough or perf_counter() >= end:
                break
        return pick(rivals) or usual

    def choose_rivals(self, view: View, usual: Action) -> Sequence[Action]:
        """Return the actions to try: of too many exchanges those that make the best hands, else any."""
        others = [action for action in view.legal if action is not usual]
        if len(others) <= MAX_RIVALS:
            return others
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand + view.widow:
            return self.rng.sample(others, MAX_RIVALS)
        rank = view.opening.rules.rank_table
        others.sort(key=lambda action: (not action.give, rank[view.after(action)]), reverse=True)
        return others[:MAX_RIVALS]

    def draw_worlds(self, view: View) -> Iterator[Match]:
        """Yield random worlds, where they are weighed the likelier the fewer surprises they have."""
        tries = 0
        for world in view.samples(self.rng, MAX_WORLDS):
            tries += 1
            if not self.is_weighing or tries == MAX_TRIES or self.is_plausible(world, view.seat):
                tries = 0
                yield world

    def is_plausible(self, world: Match, seat: int) -> bool:
        """Return True for a world without surprises, else at random: each surprise makes it less likely."""
        least = self.rng.random()
        likelihood = 1.0
        for view, action in world.rules.decisions(world.deal):
            if view.seat != seat and self.heuristic.act(view) is not action:
                likelihood *= SURPRISE_WEIGHT
            if likelihood < least:
                return False
        return True

    def play_out(self, world: Match, action: Action, seat: int) -> float:
        """Return the value of a world that goes on with an action."""
        branch = world.branch()
        branch.apply(action)
        deal = branch.playout(self.policies)
        return branch.rules.value(deal.opening, deal.changes, seat)


def pick(rivals: Sequence[Rival]) -> Action | None:
    """Return the best action if its lead is clear."""
    best = max(rivals, key=lambda rival: rival.lead, default=None)
    is_clear = best and best.worlds >= FIRST_CHECK and best.lead > LEAD_ERRORS * best.error()
    return best.action if best and is_clear else None
