"""Views of the barter family."""

from __future__ import annotations

from arena.families.barter.card_tracking import ENDING, CardTracker, find_bartered, find_shown
from arena.games.action import Action
from arena.games.cards import HIDDEN, Hand
from arena.games.view import View


class BarterView(View, frozen=True, eq=False):
    """All that one seat may know at a decision of trade and barter."""

    stock_left: int
    asker: int | None
    """The seat whose barter has not been answered yet; None if there is none."""
    satisfied: tuple[int, ...]
    """The seats that stand and trade no more."""
    open_hands: tuple[Hand, ...]
    """All hands by seat where they lie face up; else ()."""

    def after(self, action: Action) -> Hand:
        return tuple([HIDDEN if position in action.give else c for position, c in enumerate(self.hand)])

    @property
    def known(self) -> tuple[Hand, ...]:
        if self.open_hands:
            return tuple([() if seat == self.seat else hand for seat, hand in enumerate(self.open_hands)])
        if self.public and self.public.action.kind in ENDING:
            shown = find_shown(self.public)
            return tuple([() if seat == self.seat else shown.get(seat, ()) for seat in range(self.players)])
        if self.public is None or self.public.number < self.stock_left:  # no card of the stock comes again
            return find_bartered(self)
        held = CardTracker(self, self.stock_left, self.open_hands).find_known()
        return tuple([tuple(held.get(seat, ())) for seat in range(self.players)])
