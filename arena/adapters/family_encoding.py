"""The action numbers, observation features and limits that a family gives: its module `encoding`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from arena.games import Rules
from arena.games.registry import find_family

if TYPE_CHECKING:
    from arena.adapters.observation_layout import LayoutBuilder


CARDS_IN_A_RANK: Final = 4


class FamilyEncoding(Protocol):
    """The functions of a family's module."""

    def action_names(self, rules: Any, players: int) -> list[str]:
        """Return the positional name of every action that can ever be legal, in the order of their numbers.

        Slots are counted from 1; seats from the one that acts, which is +0, in the order of turns.
        """

    def name_action(self, action: Any, distance: tuple[int, ...]) -> str:
        """Return the positional name of an action; `distance` by seat, from the seat that acts."""

    def add_features(self, builder: LayoutBuilder) -> None:
        """Add the features that only this family has."""

    def deal_limits(self, rules: Any, players: int) -> tuple[int, int]:
        """Return the most decisions of all seats in a deal, and the most numbers that one tells a seat."""


def get_encoding(rules: Rules) -> FamilyEncoding:
    """Return the encoding of the family of a variant; the generic one if it has none of its own."""
    encoding: FamilyEncoding | None = find_family(rules).load("encoding")
    if encoding is None:
        generic: FamilyEncoding = import_module("arena.adapters.generic_encoding")
        return generic
    return encoding


def format_slots(slots: tuple[int, ...]) -> str:
    """Return slots counted from 1, with commas."""
    return ",".join([str(slot + 1) for slot in slots])
