"""Actions of the cuckoo family."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.action import Action, LegalActions, action

KEEP: Final = action("keep")
SWAP: Final = action("swap")
TURN: Final = LegalActions((KEEP, SWAP), default=KEEP)
KEEP_ALONE: Final = LegalActions((KEEP,), default=KEEP)
"""The action of a seat whose next neighbour has shown a card that refuses every swap."""
STOCK: Final = -1
"""Takes the place of the partner's seat in a swap with the stock."""


@cache
def completed_swap(partner: int) -> Action:
    """Return a swap that was made, in the events: with this seat, or the `STOCK`."""
    return action("swap", take=(partner,))


@cache
def seen_swap(partner: int) -> Action:
    """Return the same as the seats see it that know its cards: `swap 5D>9S`."""
    return action("swap", take=(partner,), template="swap %s>%s")
