"""Views of Cambio: all that a seat with a perfect memory knows."""

from __future__ import annotations

from arena.games.cards import Card, Hand
from arena.games.view import View


class CambioView(View, frozen=True, eq=False):
    """All that one seat may know at a decision of Cambio; `hand` has `??` for cards it has not seen."""

    known: tuple[Hand, ...]
    """Cards of each seat, this one included, in slot order; `??` for each that this seat has not seen."""
    discard: Hand
    """The discard pile, its top card last."""
    drawn: Card | None
    """The card drawn and not yet put down, `??` if this seat has not seen it."""
    stock_left: int
    caller: int | None
    """The seat that has called, whose cards are frozen; None if none has."""
