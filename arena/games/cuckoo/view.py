"""What a seat may know in a game with one card each."""

from __future__ import annotations

from arena.games.action import Action
from arena.games.cards import HIDDEN, Hand
from arena.games.cuckoo.card_tracking import CardTracker
from arena.games.view import View


class CuckooView(View, frozen=True, eq=False):
    """What a seat may know in a game with one card each."""

    further: Hand
    """The dealer's two further cards where he is dealt three: to others `??`."""
    stock_left: int

    def after(self, action: Action) -> Hand:
        return (HIDDEN,) if action.kind == "swap" else self.hand

    @property
    def known(self) -> tuple[Hand, ...]:
        tracker = CardTracker(self, self.further)
        return tuple([() if seat == self.seat else tracker.known_card(seat) for seat in range(self.players)])
