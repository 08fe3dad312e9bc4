"""The view of a seat in the draw family, and sampling of the deals that fit it.

A card that a seat shows or discards, and was not known to hold, was in one of its hidden slots: in any of
them with the same probability. A stock made of reshuffled discards is a new batch; a slot filled from a batch
can only hold a card of that batch.
"""

from __future__ import annotations

from random import Random

from arena.games.action import Action, Event, show_action
from arena.games.cards import HIDDEN, Card, Hand, Pool
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization
from arena.games.stock import RecordedStock
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
        if action.take:
            return self.hand + self.table
        if action.kind == "draw":
            return (*self.hand, HIDDEN)
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


Source = tuple[int, int]
"""A seat and a batch: where hidden slots are alike."""


class DrawDeterminization(Determinization[DrawView]):
    """All deals with a stock and a discard pile that a view allows."""

    def __init__(self, view: DrawView) -> None:
        super().__init__(view)
        self._size = self.rules.hand_size
        self._pack = self.rules.whole_pack.cards
        self._row: list[Card] = []
        """The card in each slot: those dealt by seat in the order of turns, then those drawn."""
        self._unseen = [[c for c in self._pack if c is not view.upcard]]
        """Cards of each batch that have not been seen."""
        self._batch_of = dict.fromkeys(self._pack, 0)
        """Last batch that each card was in."""
        self._known: dict[int, list[Card]] = {seat: [] for seat in view.order}
        """Cards that each seat is known to hold."""
        self._discards = [view.upcard]
        self._stock_left = len(self._pack) - 1
        self._steps: list[tuple[Source, int, Card]] = []
        """A hidden slot that is filled, or a card (else HIDDEN) that turns out to be in one of them."""
        shows = {show_action(seat, self._size): seat for seat in view.order}
        for seat in view.order:
            for c in view.dealt if seat == view.seat else (HIDDEN,) * self._size:
                self._draw(seat, c)
        for event in self.past:
            self._follow(event, shows[event.action] if event.seat is None else event.seat)

    def _follow(self, event: Event, seat: int) -> None:
        if event.seat is None:
            for c in event.cards:
                self._see(seat, c)
        elif event.action.take:
            self._known[seat].append(self._discards.pop())
        elif event.action.kind == "draw":
            self._draw(seat, event.cards[0])
        elif event.action.kind == "discard":
            self._see(seat, event.cards[0])
            self._known[seat].remove(event.cards[0])
            self._discards.append(event.cards[0])

    def _draw(self, seat: int, card: Card) -> None:
        """Fill a slot from the stock; an empty stock is first made anew from the discards."""
        if not self._stock_left:
            batch, self._discards = self._discards[:-1], self._discards[-1:]
            self._batch_of.update(dict.fromkeys(batch, len(self._unseen)))
            self._stock_left = len(batch)
            self._unseen.append(batch)
        self._stock_left -= 1
        if card is HIDDEN:
            self._steps.append(((seat, len(self._unseen) - 1), len(self._row), HIDDEN))
        else:
            self._unseen[-1].remove(card)
            self._known[seat].append(card)
        self._row.append(card)

    def _see(self, seat: int, card: Card) -> None:
        """Note that a seat held a card."""
        if card not in self._known[seat]:
            batch = self._batch_of[card]
            self._steps.append(((seat, batch), -1, card))
            self._unseen[batch].remove(card)
            self._known[seat].append(card)

    def assign(self, rng: Random) -> Assignment:
        row = self._row[:]
        hidden: dict[Source, list[int]] = {}
        for source, slot, card in self._steps:
            slots = hidden.setdefault(source, [])
            if card is HIDDEN:
                slots.append(slot)
            else:
                row[slots.pop(rng.randrange(len(slots)))] = card
        for batch, unseen in enumerate(self._unseen):
            slots = [
                slot for source, hidden_slots in hidden.items() if source[1] == batch for slot in hidden_slots
            ]
            left = Pool(slots, unseen).assign(row, rng)
        size, view = self._size, self.view
        hands: list[Hand] = [()] * view.players
        for place, seat in enumerate(view.order):
            hands[seat] = tuple(row[size * place : size * place + size])
        dealt = size * len(view.order)
        below = set(self._pack).difference(row[:dealt], (view.upcard,))
        stock = RecordedStock(tuple(below), tuple(row[dealt:]))
        return Assignment(hands, (view.upcard,), stock, tuple(left))

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action:
        if event.action.kind != "discard":
            return event.action
        assert event.seat is not None
        return deal.legal_actions.actions[deal.hands[event.seat].index(event.cards[0])]
