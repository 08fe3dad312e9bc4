"""The action numbers and observation features of each family, one module per family."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from arena.games import Rules

if TYPE_CHECKING:
    from arena.adapters.observation_layout import LayoutBuilder


class FamilyModule(Protocol):
    """The functions of a family's module."""

    def action_names(self, rules: Any, players: int) -> list[str]:
        """Return the positional name of every action that can ever be legal, in the order of their numbers.

        Slots are counted from 1; seats from the one that acts, which is +0, in the order of turns.
        """

    def name_action(self, action: Any, distance: tuple[int, ...]) -> str:
        """Return the positional name of an action; `distance` by seat, from the seat that acts."""

    def add_features(self, builder: LayoutBuilder) -> None:
        """Add the features that only this family has."""


def get_family(rules: Rules) -> FamilyModule:
    """Return the module of the family of a variant."""
    return cast(FamilyModule, import_module(f"arena.adapters.families.{rules.family}"))


def format_slots(slots: tuple[int, ...]) -> str:
    """Return slots counted from 1, with commas."""
    return ",".join([str(slot + 1) for slot in slots])
