"""What a seat may know at Cambio: what a perfect memory has kept of all it has seen."""

from __future__ import annotations

from arena.games.cards import Card, Hand
from arena.games.view import View


class CambioView(View, frozen=True, eq=False):
    """What a seat may know at Cambio. `hand` has `??` for each of its cards it has not seen."""

    known: tuple[Hand, ...]
    """By seat, this one too, the cards in slot order, `??` for each this seat has not seen."""
    discard: Hand
    """The discards since they were last reshuffled, the top one last."""
    drawn: Card | None
    """The card that is drawn and not yet placed, `??` if this seat has not seen it."""
    stock_left: int
    caller: int | None
    """The seat that has called, whose cards are frozen."""
