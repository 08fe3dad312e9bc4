"""Heuristics: for each family the best of the simple bots, fast enough to play deals out in a search.

They are in their families, not among the built-in bots, so that bots in isolation can import them too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.registry import find_family
from arena.play.heuristics.fallback_action import stop_or_pass


class Heuristic:
    """A bot that remembers nothing between decisions: one plays for any seat. This one ends the deal.

    Attributes:
        keeps_table: Whether cards given stay on the table, where others may take them.
        cards_seen: Number of cards a typical hand could choose from; None if hands are not judged.
        playouts: Number of playouts by it of a decision, where a search has no other.
        doubts_leads: Whether a lead in playouts must be significant among all actions tried: smaller leads
            are not known to gain.
        weighs_worlds: Whether worlds are weighed by what others did in them: they keep the best they draw.
    """

    keeps_table: ClassVar[bool] = False
    cards_seen: ClassVar[int | None] = None
    playouts: ClassVar[int] = 40
    doubts_leads: ClassVar[bool] = True
    weighs_worlds: ClassVar[bool] = False

    def act(self, view: View) -> Action:
        """Return one of the legal actions."""
        return stop_or_pass(view)


def heuristic_type(rules: Rules) -> type[Heuristic]:
    """Return the class of the heuristic of a game's family."""
    heuristic_class: type[Heuristic] = find_family(rules).load("heuristic") or Heuristic
    return heuristic_class


def constants_type(rules: Rules) -> Any:
    """Return the struct of the constants of the heuristic, with their values; None if it has none."""
    return find_family(rules).load("constants")


def make_heuristic(rules: Rules, constants: Mapping[str, float] | None = None) -> Heuristic:
    """Return the heuristic of a game's family.

    Args:
        rules: The game.
        constants: Other values of the constants of the heuristic, by name.
    """
    heuristic_class: Any = heuristic_type(rules)
    chosen = [constants_type(rules)(**constants)] if constants else []
    heuristic: Heuristic = (
        heuristic_class() if heuristic_class.__init__ is object.__init__ else heuristic_class(rules, *chosen)
    )
    return heuristic
