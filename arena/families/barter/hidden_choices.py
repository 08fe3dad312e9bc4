"""Hidden choices of a deal of trade and barter, and the ways in which they can go on."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.cards import Card

State = tuple[tuple[str, int], ...]
"""Labels with their places, sorted."""


class Outcome(NamedTuple):
    """A way in which a move can go on from a state."""

    label: str
    """The label of the card that moves."""
    weight: int
    """The number of histories that go this way."""
    after: State


class Choice(NamedTuple):
    """A card that was chosen from a hand."""

    label: str
    card: Card | None
    """The card it must be."""
    tells_gone_apart: bool
    """True if the label `GONE` counted in this choice."""
