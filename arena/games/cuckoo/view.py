"""Views of the cuckoo family."""

from __future__ import annotations

from arena.games.action import Action
from arena.games.cards import HIDDEN, Hand
from arena.games.cuckoo.card_tracking import CardTracker
from arena.games.view import View


class CuckooView(View, frozen=True, eq=False):
    """All that one seat may know at a decision with one card each."""

    further: Hand
    """The dealer's other two cards where three are dealt to it; `??` to other seats."""
    stock_left: int

    def after(self, action: Action) -> Hand:
        return (HIDDEN,) if action.kind == "swap" else self.hand

    @property
    def known(self) -> tuple[Hand, ...]:
        tracker = CardTracker(self, self.further)
        return tuple([() if seat == self.seat else tracker.known_card(seat) for seat in range(self.players)])
