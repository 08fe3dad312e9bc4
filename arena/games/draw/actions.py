"""What a seat can do where cards are drawn and discarded."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.action import Action, action
from arena.games.legal_actions import Choices

DRAW_STOCK: Final = action("draw", form="draw stock")
DRAW_DISCARD: Final = action("draw", take=(0,), form="draw discard")
KNOCK: Final = action("knock")
DISCARDED: Final = action("discard", form="discard %s")
"""A discard as everybody knows it: which card, not where it was held."""

TURN: Final = Choices((DRAW_STOCK, DRAW_DISCARD, KNOCK), quiet=DRAW_STOCK)
DRAW_ONLY: Final = Choices((DRAW_STOCK, DRAW_DISCARD), quiet=DRAW_STOCK)
"""For the rounds in which one may not knock, and the last turns."""


def discard(slot: int) -> Action:
    """The discard of the card held there; the one drawn this turn is the last."""
    return action("discard", give=(slot,), form="discard %s")


@cache
def discards(held: int, bound: bool) -> Choices:
    """What can be thrown of so many cards; `bound`: the one drawn must be kept. Source: sheet B5."""
    slots = range(held - bound)
    return Choices([discard(slot) for slot in slots], quiet=discard(slots[-1]))
