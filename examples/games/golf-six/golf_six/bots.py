"""The bots of the package: the heuristic, and a search that plays deals out by it."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Final

import msgspec

from arena.games.authoring import Action, View
from arena.play import Info
from golf_six.heuristic import Columns
from golf_six.rules import GridRules
from golf_six.view import GridView

FIRST_CHECK: Final = 8
"""Worlds after which actions are dropped that are behind, and again after each further as many."""
ERRORS: Final = 1.0
"""Standard errors by which an action must lead to be played, or be behind to be dropped."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings from the config.

    Attributes:
        worlds: Deals drawn at random for a decision, in each of which every action is tried.
    """

    worlds: Annotated[int, msgspec.Meta(ge=2)] = 24


class ColumnPlayer(Columns):
    """Bot for six-card Golf and Skyjo that lowers its expected sum, and collects equal cards in columns."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)


class Searcher:
    """Bot for six-card Golf and Skyjo that plays an action if playouts show it to be better than the usual.

    It draws what is face down and in the stock at random, tries its actions in the same worlds, and lets all
    seats play on by the heuristic until the deal is over.
    """

    def __init__(self, info: Info) -> None:
        self.settings = msgspec.convert(info.settings, Settings)
        self.heuristic = Columns(info.rules)
        self.policies = [self.heuristic.act] * info.players
        self.rng = info.rng

    def act(self, view: View) -> Action:
        assert isinstance(view, GridView)
        usual = self.heuristic.act(view)
        if not view.turns:
            return usual
        rivals: dict[Action, list[float]] = {rival: [] for rival in choose_rivals(view, usual)}
        for number, world in enumerate(view.samples(self.rng, self.settings.worlds), 1):
            values = {}
            for action in (usual, *rivals):
                branch = world.branch()
                branch.apply(action)
                deal = branch.playout(self.policies)
                values[action] = branch.rules.value(deal.opening, deal.changes, view.seat)
            for rival, leads in rivals.items():
                leads.append(values[rival] - values[usual])
            if number % FIRST_CHECK == 0:
                rivals = {rival: leads for rival, leads in rivals.items() if find_lead(leads) > -ERRORS}
            if not rivals:
                return usual
        best = max(rivals, key=lambda rival: sum(rivals[rival]), default=usual)
        return best if best is not usual and find_lead(rivals[best]) > ERRORS else usual


def choose_rivals(view: GridView, usual: Action) -> list[Action]:
    """Return the other actions, one of those that come to the same."""
    rules, chosen = view.opening.rules, dict[object, Action]()
    assert isinstance(rules, GridRules)
    for action in (usual, *view.legal):
        what: tuple[object, ...] = (action.template,)
        if action.give:
            (slot,), hand = action.give, view.hand
            start = slot - slot % rules.rows
            ranks = sorted([card.rank for card in hand[start : start + rules.rows]])
            what = (action.kind, hand[slot].rank, *ranks)
        chosen.setdefault(what, action)
    return [action for action in chosen.values() if action is not usual]


def find_lead(leads: list[float]) -> float:
    """Return the mean of values in standard errors; equal values count as no lead, or a sure one."""
    count, total = len(leads), sum(leads)
    if count < 2:
        return 0
    variance = (sum([lead * lead for lead in leads]) - total * total / count) / (count - 1)
    return total / sqrt(max(variance, 1e-9) * count)
