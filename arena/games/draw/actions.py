"""What a seat can do where cards are drawn and discarded."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.action import Action, action
from arena.games.legal_actions import LegalActions

DRAW_STOCK: Final = action("draw", template="draw stock")
DRAW_DISCARD: Final = action("draw", take=(0,), template="draw discard")
KNOCK: Final = action("knock")
DISCARDED: Final = action("discard", template="discard %s")
"""A discard as everybody knows it: which card, not where it was held."""

TURN: Final = LegalActions((DRAW_STOCK, DRAW_DISCARD, KNOCK), default=DRAW_STOCK)
DRAW_ONLY: Final = LegalActions((DRAW_STOCK, DRAW_DISCARD), default=DRAW_STOCK)
"""For the rounds in which one may not knock, and the last turns."""


def discard(slot: int) -> Action:
    """The discard of the card held there; the one drawn this turn is the last."""
    return action("discard", give=(slot,), template="discard %s")


@cache
def discards(held: int, bound: bool) -> LegalActions:
    """What can be thrown of so many cards; `bound`: the one drawn must be kept. Source: sheet B5."""
    slots = range(held - bound)
    return LegalActions([discard(slot) for slot in slots], default=discard(slots[-1]))
