"""Where the cards came from that everybody holds, as far as a seat can follow them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, cast

from arena.games.action import action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.cuckoo.actions import STOCK
from arena.games.deal import Deal
from arena.games.events import Event, show_action
from arena.games.stock import Shuffler, Stock

if TYPE_CHECKING:
    from arena.games.cuckoo.rules import CuckooRules
    from arena.games.cuckoo.view import CuckooView


class Trace:
    """What a view tells of the places the cards came from.

    The places are the seats, for the cards they began with, and after those the stock, card by card.
    """

    def __init__(self, view: CuckooView) -> None:
        self.rules = rules = cast("CuckooRules", view.opening.rules)
        self.held = {seat: seat for seat in view.order}
        """By seat, the place its card came from."""
        self.cards: dict[int, Card] = {}
        """By place, the card that came from it, where it is known."""
        self.barred = dict.fromkeys(view.order, rules.refusing if rules.expose_kings else "")
        """By place, the ranks that cannot have come from it."""
        if view.dealt:
            self.cards[view.seat] = rules.best(view.dealt + view.further)
        self.end = view.players
        """The first place of the stock that nothing has come from."""
        self._refused: int | None = None
        """Who has asked and was refused: the stock's card, unless somebody else shows his."""
        self._showing = {show_action(seat, 1): seat for seat in view.order}
        for event in view.past:
            self._follow(event)

    def known(self, seat: int) -> Hand:
        """The card a seat is known to hold."""
        card = self.cards.get(self.held.get(seat, STOCK))
        return (card,) if card else ()

    def _follow(self, event: Event) -> None:
        if event.seat is None:
            self._look(self._showing[event.action], event.cards[0])
        elif event.cards:
            self._swap(event.seat, event.action.take[0], *event.cards)
        else:
            self._refused = event.seat

    def _look(self, seat: int, card: Card) -> None:
        """A card is shown: a seat's own, or the one the stock refused it."""
        place = self._next_of_stock() if seat == self._refused else self.held[seat]
        self.cards[place] = card
        if card.rank == self.rules.refusing:
            self._refused = None

    def _swap(self, seat: int, partner: int, given: Card, taken: Card) -> None:
        rules, place = self.rules, self.held[seat]
        if partner == STOCK:
            self.held[seat] = self._next_of_stock()
            barred = "" if rules.stock_king_ok else rules.refusing
        else:
            self.held[seat], self.held[partner] = self.held[partner], place
            barred = rules.refusing + rules.passing
        self.barred[self.held[seat]] = barred
        if given is not HIDDEN:
            self.cards[place], self.cards[self.held[seat]] = given, taken

    def _next_of_stock(self) -> int:
        place, self.end = self.end, self.end + 1
        self.barred[place] = ""
        return place

    def filled(self, rng: Random, seen: Hand) -> tuple[dict[int, Card], list[Card]]:
        """A card for each place, drawn at random from all that can have come from them, and those left over.

        The places that can have had the fewest cards come first: what they leave, any later place can have.
        """
        cards = dict(self.cards)
        unseen = [c for c in self.rules.whole_pack.cards if c not in cards.values() and c not in seen]
        for place in sorted(self.barred.keys() - cards.keys(), key=self._freedom):
            cards[place] = rng.choice([c for c in unseen if c.rank not in self.barred[place]])
            unseen.remove(cards[place])
        rng.shuffle(unseen)
        return cards, unseen

    def _freedom(self, place: int) -> tuple[int, int]:
        return -len(self.barred[place]), place


def retraced(view: CuckooView, rng: Random) -> Deal:
    """A deal of unseen cards in which all that the view has seen happens."""
    trace = Trace(view)
    while True:
        cards, rest = trace.filled(rng, view.dealt + view.further)
        deal = _dealt(view, trace, cards, rest, rng)
        if deal.hands[view.dealer] == (cards[view.dealer],):
            break
    for event in view.past:
        if event.seat is not None:
            deal.apply(action(event.action.kind))
    return deal


def _dealt(view: CuckooView, trace: Trace, cards: dict[int, Card], rest: list[Card], rng: Random) -> Deal:
    """A deal in which these cards came from their places; it is the dealer who chose, if it could be so."""
    hands: list[Hand] = [(cards[seat],) if seat in view.order else () for seat in range(view.players)]
    table = view.further
    if view.seat == view.dealer:
        hands[view.dealer] = view.dealt
    elif table:
        three = [cards[view.dealer], rest.pop(), rest.pop()]
        rng.shuffle(three)
        hands[view.dealer], table = (three[0],), tuple(three[1:])
    drawn = [cards[place] for place in range(view.players, trace.end)]
    stock = Stock((*drawn, *rest), False, Shuffler(str(rng.getrandbits(64))), b"sample")
    return trace.rules.deal(view.opening, hands, table, stock)
