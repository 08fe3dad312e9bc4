"""Heuristics: for each family the best of the simple bots, fast enough to play deals out in a search.

They are here, not among the built-in bots, so that bots in isolation can import them too.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, Protocol

from arena.games import Rules, View
from arena.games.action import Action

HEURISTICS: Final = {
    "exchange": "greedy:Greedy",
    "barter": "thrifty:Thrifty",
    "draw": "thirty:Thirty",
    "cuckoo": "cautious:Cautious",
    "cambio": "rememberer:Rememberer",
    "cox": "collector:Collector",
}
"""Module in this package and class, by family."""


class Heuristic(Protocol):
    """A bot that remembers nothing between decisions: one plays for any seat."""

    def act(self, view: View) -> Action:
        """Return one of the legal actions."""


def make_heuristic(rules: Rules, constants: Mapping[str, float] | None = None) -> Heuristic:
    """Return the heuristic of a game's family.

    Args:
        rules: the game.
        constants: other values of the constants of the heuristic's module, by name.
    """
    module_name, name = HEURISTICS[rules.family].split(":")
    module = import_module(f"arena.play.heuristics.{module_name}")
    found = getattr(module, name)
    chosen = [module.Constants(**constants)] if constants else []
    heuristic: Heuristic = found() if found.__init__ is object.__init__ else found(rules, *chosen)
    return heuristic
