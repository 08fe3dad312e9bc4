"""What a seat can do with its one card."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.action import Action, action
from arena.games.legal_actions import LegalActions

KEEP: Final = action("keep")
SWAP: Final = action("swap")
TURN: Final = LegalActions((KEEP, SWAP), default=KEEP)
KEEP_ALONE: Final = LegalActions((KEEP,), default=KEEP)
"""For a seat whose next has shown a card that refuses every swap."""
STOCK: Final = -1
"""Stands where a partner's seat would: the swap was with the stock."""


@cache
def swapped(partner: int) -> Action:
    """A swap that was made, as everybody knows it: with this seat, or the `STOCK`."""
    return action("swap", take=(partner,))
