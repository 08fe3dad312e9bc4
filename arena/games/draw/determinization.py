"""Deals drawn at random from all those a view allows, where cards are drawn and discarded.

Every card that was dealt to a seat or drawn is a lot. The walk through the events finds out which card some
of the lots were: what a seat throws and was not known to hold was one of its hidden lots, any of them alike.
The cards still unseen are then dealt to the other lots, and the rest is the stock. A stock shuffled anew is a
new batch: only the cards of a batch can be its lots.
"""

from __future__ import annotations

from random import Random

from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.draw.actions import DISCARDED, DRAW_STOCK, discard
from arena.games.draw.view import DrawView
from arena.games.events import Event, show_action
from arena.games.stock import RecordedStock, Shuffler, Stock


class Walk:
    """One way the cards can have gone, as far as it is to be seen which cards they were."""

    def __init__(self, view: DrawView, rng: Random) -> None:
        size = view.opening.rules.hand_size
        pack = view.opening.rules.whole_pack.cards
        self.lots: list[Card] = []
        self.batches: list[int] = []
        """By lot, the batch it is of."""
        self.unseen = [[c for c in pack if c is not view.upcard]]
        """By batch, its cards that have not been seen."""
        self.batch_of = dict.fromkeys(pack, 0)
        """By card, the last batch it was in."""
        self.hidden: dict[int, list[int]] = {seat: [] for seat in view.order}
        """By seat, the lots it holds that are not known."""
        self.known: dict[int, list[Card]] = {seat: [] for seat in view.order}
        """By seat, the cards it is known to hold."""
        self.pile = [view.upcard]
        self.left = len(pack) - 1
        self._rng = rng
        self._showing = {show_action(seat, size): seat for seat in view.order}
        for seat in view.order:
            for c in view.dealt if seat == view.seat else (HIDDEN,) * size:
                self._draw(seat, c)
        for event in view.past:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        seat = self._showing[event.action] if event.seat is None else event.seat
        if event.seat is None:
            for c in event.cards:
                self._see(seat, c)
        elif event.action is DRAW_STOCK:
            self._draw(seat, event.cards[0])
        elif event.action.take:
            self.known[seat].append(self.pile.pop())
        elif event.action is DISCARDED:
            self._see(seat, event.cards[0])
            self.known[seat].remove(event.cards[0])
            self.pile.append(event.cards[0])

    def _draw(self, seat: int, card: Card) -> None:
        """A lot comes to a seat, from an empty stock the first of a new batch."""
        if not self.left:
            fresh, self.pile = self.pile[:-1], self.pile[-1:]
            self.batch_of.update(dict.fromkeys(fresh, len(self.unseen)))
            self.left = len(fresh)
            self.unseen.append(fresh)
        self.left -= 1
        if card is HIDDEN:
            self.hidden[seat].append(len(self.lots))
        else:
            self.unseen[-1].remove(card)
            self.known[seat].append(card)
        self.lots.append(card)
        self.batches.append(len(self.unseen) - 1)

    def _see(self, seat: int, card: Card) -> None:
        """A seat is seen to hold a card."""
        if card not in self.known[seat]:
            batch = self.batch_of[card]
            lot = self._rng.choice([lot for lot in self.hidden[seat] if self.batches[lot] == batch])
            self.hidden[seat].remove(lot)
            self.lots[lot] = card
            self.unseen[batch].remove(card)
            self.known[seat].append(card)

    def fill(self) -> list[Card]:
        """Deals the unseen cards to the hidden lots; gives those that are left, the stock as it lies."""
        for cards in self.unseen:
            self._rng.shuffle(cards)
        for lot, batch in enumerate(self.batches):
            if self.lots[lot] is HIDDEN:
                self.lots[lot] = self.unseen[batch].pop()
        return self.unseen[-1]


def retraced(view: DrawView, rng: Random) -> Deal:
    """A deal of unseen cards in which all that the view has seen happens."""
    size = view.opening.rules.hand_size
    dealt = size * len(view.order)
    while True:
        walk = Walk(view, rng)
        rest = walk.fill()
        hands: list[Hand] = [()] * view.players
        for place, seat in enumerate(view.order):
            hands[seat] = tuple(walk.lots[size * place : size * place + size])
        drawn = walk.lots[dealt:]
        below = [c for c in walk.batch_of if c is not view.upcard and c not in walk.lots[:dealt]]
        stock = RecordedStock(tuple(below), tuple(drawn))
        deal = view.opening.rules.deal(view.opening, hands, (view.upcard,), stock)
        if _played_again(deal, view.past):
            deal.stock = Stock(tuple(rest), False, Shuffler(str(rng.getrandbits(64))), b"sample")
            deal.stock.drawn = drawn
            return deal


def _played_again(deal: Deal, past: list[Event]) -> bool:
    """Plays what was seen, and says whether nothing else happened: nobody had to show a 31."""
    for event in past:
        if event.seat is not None:
            if deal.to_act != event.seat:
                return False
            done = event.action
            if done is DISCARDED:
                done = discard(deal.hands[event.seat].index(event.cards[0]))
            deal.apply(done)
    return deal.event_count == len(past)
