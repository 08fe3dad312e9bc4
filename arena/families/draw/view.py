"""Views of the draw family."""

from __future__ import annotations

from arena.families.draw.actions import DRAW_STOCK
from arena.games.action import Action, Event
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.view import View


class DrawView(View, frozen=True, eq=False):
    """All that one seat may know at a decision of a game with a stock and a discard pile."""

    discard: Hand
    """The discard pile, its top card last."""
    stock_left: int
    knocker: int | None
    upcard: Card
    """The first card of the discard pile."""

    @property
    def table(self) -> Hand:
        return self.discard[-1:]

    def after(self, action: Action) -> Hand:
        if action is DRAW_STOCK:
            return (*self.hand, HIDDEN)
        if action.take:
            return self.hand + self.table
        return tuple([c for slot, c in enumerate(self.hand) if slot not in action.give])

    @property
    def known(self) -> tuple[Hand, ...]:
        held: list[Hand] = [()] * self.players
        for event in self.past:
            if event.seat != self.seat:
                follow_event(held, event)
        return tuple(held)


def follow_event(held: list[Hand], event: Event) -> None:
    """Update the cards that all know seats to hold with the next event."""
    seat, cards = event.seat, event.cards
    if seat is None:
        return
    if event.action.take:
        held[seat] += cards
    elif event.action.named_count and cards[0] in held[seat]:
        slot = held[seat].index(cards[0])
        held[seat] = held[seat][:slot] + held[seat][slot + 1 :]
