"""The view of a seat in the cuckoo family, and sampling of the deals that fit it."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from arena.games.action import Action, Event, action, show_action
from arena.games.cards import HIDDEN, Card, Hand, Pool
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization
from arena.games.stock import Shuffler, Stock
from arena.games.view import View

STOCK: Final = -1
"""Takes the place of the partner's seat in a swap with the stock."""


class CuckooView(View, frozen=True, eq=False):
    """All that one seat may know at a decision with one card each."""

    further: Hand
    """The dealer's other two cards where three are dealt to it; `??` to other seats."""
    stock_left: int

    def after(self, action: Action) -> Hand:
        return (HIDDEN,) if action.kind == "swap" else self.hand

    @property
    def known(self) -> tuple[Hand, ...]:
        tracker = CardTracker(self)
        return tuple([() if seat == self.seat else tracker.known_card(seat) for seat in range(self.players)])


class CardTracker:
    """The slots that cards came from: first the seats' own, by seat, then those of the stock from the top."""

    def __init__(self, view: CuckooView) -> None:
        rules: Any = view.opening.rules
        self._rules = rules
        self._slot_of = {seat: seat for seat in view.order}
        """Slot that the card of each seat came from."""
        self.cards: dict[int, Card] = {}
        """Card that came from a slot, where it is known."""
        self.barred = dict.fromkeys(view.order, rules.refusing if rules.expose_kings else "")
        """Ranks that cannot have come from a slot."""
        if view.dealt:
            self.cards[view.seat] = rules.best(view.dealt + view.further)
        self.end = view.players
        """The first slot of the stock from which nothing has come."""
        self._refused: int | None = None
        """The seat that was refused last: by the stock's card, unless another seat shows its own."""
        self._shows = {show_action(seat, 1): seat for seat in view.order}
        for event in view.past:
            self._follow(event)

    def known_card(self, seat: int) -> Hand:
        """Return the card a seat is known to hold, or ()."""
        card = self.cards.get(self._slot_of.get(seat, -1))
        return (card,) if card else ()

    def _follow(self, event: Event) -> None:
        if event.seat is None:
            self._see(self._shows[event.action], event.cards[0])
        elif event.cards:
            self._swap(event.seat, event.action.take[0], *event.cards)
        elif event.action.kind == "swap":
            self._refused = event.seat

    def _see(self, seat: int, card: Card) -> None:
        """Note a card that is shown: the seat's own, or the one the stock refused it."""
        slot = self._next_of_stock() if seat == self._refused else self._slot_of[seat]
        self.cards[slot] = card
        if card.rank == self._rules.refusing:
            self._refused = None

    def _swap(self, seat: int, partner: int, given: Card, taken: Card) -> None:
        rules, slot = self._rules, self._slot_of[seat]
        if partner == STOCK:
            self._slot_of[seat] = self._next_of_stock()
            barred = "" if rules.stock_king_ok else rules.refusing
        else:
            self._slot_of[seat], self._slot_of[partner] = self._slot_of[partner], slot
            barred = rules.refusing + rules.passing
        self.barred[self._slot_of[seat]] = barred
        if given is not HIDDEN:
            self.cards[slot], self.cards[self._slot_of[seat]] = given, taken

    def _next_of_stock(self) -> int:
        slot, self.end = self.end, self.end + 1
        self.barred[slot] = ""
        return slot


class CuckooDeterminization(Determinization[CuckooView]):
    """All deals of one card each that a view allows."""

    def __init__(self, view: CuckooView) -> None:
        super().__init__(view)
        tracker = CardTracker(view)
        self._end = end = tracker.end
        self._hides_choice = bool(view.further) and view.seat != view.dealer
        """True if the dealer has chosen one of three cards that this seat does not see."""
        slots = end + 2 * self._hides_choice
        self._row = [tracker.cards.get(slot, HIDDEN) for slot in range(slots)]
        """The card in each slot: those of the tracker, then the two the dealer did not keep."""
        seen = {*self._row, *view.dealt, *view.further}
        hidden = [*(tracker.barred.keys() - tracker.cards.keys()), *range(end, slots)]
        unseen = [c for c in self.rules.whole_pack.cards if c not in seen]
        self._pool = Pool(hidden, unseen, tracker.barred)

    def assign(self, rng: Random) -> Assignment | None:
        view, row = self.view, self._row[:]
        left = tuple(self._pool.assign(row, rng))
        hands: list[Hand] = [(row[seat],) if seat in view.order else () for seat in range(view.players)]
        table = view.further
        if view.seat == view.dealer:
            hands[view.dealer] = view.dealt
        elif table:
            three = [row[view.dealer], *row[self._end :]]
            rng.shuffle(three)
            if self.rules.best(tuple(three)) is not row[view.dealer]:
                return None
            hands[view.dealer], table = (three[0],), tuple(three[1:])
        drawn = tuple(row[view.players : self._end])
        return Assignment(hands, table, Stock(drawn + left, False, Shuffler(""), b""), left)

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action:
        return action(event.action.kind)
