"""Actions of the draw family."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.action import Action, LegalActions, action

DRAW_STOCK: Final = action("draw", template="draw stock")
DRAW_DISCARD: Final = action("draw", take=(0,), template="draw discard")
KNOCK: Final = action("knock")
DISCARDED: Final = action("discard", template="discard %s")
"""A discard in the events: the card is public, its position in the hand is not."""

TURN: Final = LegalActions((DRAW_STOCK, DRAW_DISCARD, KNOCK), default=DRAW_STOCK)
DRAW_ONLY: Final = LegalActions((DRAW_STOCK, DRAW_DISCARD), default=DRAW_STOCK)
"""The actions of a turn in rounds without knocking, and in the last turns."""


def discard(position: int) -> Action:
    """Return the discard of the card at a position of the hand; the last is the one drawn this turn."""
    return action("discard", give=(position,), template="discard %s")


@cache
def discard_actions(held: int, must_keep: bool) -> LegalActions:
    """Return the discards of `held` cards; `must_keep`: not of the card drawn. Source: sheet B5."""
    positions = range(held - must_keep)
    return LegalActions([discard(position) for position in positions], default=discard(positions[-1]))
