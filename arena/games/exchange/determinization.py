"""Deals drawn at random from all those a view allows: what was seen, played again on cards dealt anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TYPE_CHECKING

from arena.games.action import Action, Slots
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.events import Event, show_action
from arena.games.exchange.actions import POUNCE, swap
from arena.games.exchange.choice_histories import Courses
from arena.games.stock import Shuffler, Stock

if TYPE_CHECKING:
    from arena.games.exchange.deal import ExchangeDeal
    from arena.games.exchange.rules import ExchangeRules
    from arena.games.exchange.view import ExchangeView

DECLINED = POUNCE.default
"""What a seat may have answered without the others' hearing of it."""


class Lot:
    """A card that was dealt somewhere: which it is may become clear later."""

    __slots__ = ("card",)

    def __init__(self, card: Card) -> None:
        self.card = card


class Trace:
    """Where the cards of a deal went, as far as a view tells."""

    def __init__(self, view: ExchangeView, course: Iterator[Slots] | None, rng: Random) -> None:
        self._rng = rng
        self._pack = view.opening.rules.whole_pack.cards
        self._course = course
        """For each exchange the slots that were given from, where they were not to be seen."""
        order, size = view.order, view.opening.rules.hand_size
        self.dealt = [
            [Lot(HIDDEN) for _ in range(size if seat in order else 0)] for seat in range(view.players)
        ]
        self.dealt[view.seat] = [Lot(c) for c in view.dealt]
        self.table = [Lot(c) for c in view.widow_dealt]
        self.hands = [hand[:] for hand in self.dealt]
        self.widow = self.table[:]
        self.drawn: list[Card] = []
        self.given: dict[int, Lot] = {}
        """By the number of the event, what was given from a slot that was not to be seen."""
        self.is_possible = True
        """Whether nothing that was seen is against it."""
        self._gap: int | None = None
        """The place in the widow that a pounce has left empty."""
        self._shows = {show_action(seat, count): seat for seat in order for count in (size, size + 1)}
        for event in view.past:
            self._follow(event)
        for lots, hand in zip(self.hands, view.open_hands, strict=False):
            self._see(lots, hand)

    def _follow(self, event: Event) -> None:
        kind = event.action.kind
        if event.action.take:
            self._exchange(event)
        elif kind == "pounce":
            self._pounce(event)
        elif kind == "widow":
            self._lay(event.cards)
        elif kind == "turned-up":
            self._see(self.widow, event.cards)
        elif kind == "show":
            self._see(self.hands[self._shows[event.action]], event.cards)

    def _see(self, lots: Iterable[Lot], cards: Iterable[Card]) -> None:
        for lot, card in zip(lots, cards, strict=True):
            if lot.card is HIDDEN:
                lot.card = card
            elif card is not HIDDEN and card is not lot.card:
                self.is_possible = False

    def _exchange(self, event: Event) -> None:
        seat, take = event.seat, event.action.take
        assert seat is not None
        hand, slots = self.hands[seat], event.action.give
        if self._course:
            slots = next(self._course) or slots or (self._slot_of(seat, event.cards[0]),)
        if not event.action.give:
            self.given[event.number] = hand[slots[0]]
        if len(slots) == len(hand):
            hand[:] = [hand[slot] for slot in slots]
            self.dealt[seat] = [self.dealt[seat][slot] for slot in slots]
            slots = tuple(range(len(hand)))
        self._see([hand[slot] for slot in slots], event.cards[: len(take)])
        self._see([self.widow[slot] for slot in take], event.cards[len(take) :])
        for slot, taken in zip(slots, take, strict=True):
            hand[slot], self.widow[taken] = self.widow[taken], hand[slot]

    def _slot_of(self, seat: int, card: Card) -> int:
        return [lot.card for lot in self.hands[seat]].index(card)

    def _pounce(self, event: Event) -> None:
        """The fourth card joins the hand; its others can only be the rest of its rank."""
        assert event.seat is not None
        (fourth,) = event.cards
        hand, place = self.hands[event.seat], [lot.card for lot in self.widow].index(fourth)
        held = {lot.card for lot in hand}
        rest = [c for c in self._pack if c.rank == fourth.rank and c is not fourth and c not in held]
        self._rng.shuffle(rest)
        self._see([lot for lot in hand if lot.card is HIDDEN], rest)
        hand.append(self.widow.pop(place))
        self._gap = place

    def _lay(self, cards: Hand) -> None:
        """Cards come from the stock: where there is a gap, as a new widow, or behind the one there is."""
        self.drawn += cards
        lots = [Lot(c) for c in cards]
        if self._gap is not None:
            self.widow[self._gap : self._gap] = lots
            self._gap = None
        elif len(lots) == len(self.widow):
            self.widow = lots
        else:
            self.widow += lots

    def fill(self) -> list[Card]:
        """Deals cards not seen to where it is not clear what lay there, and gives the rest."""
        lots = [lot for pile in (*self.dealt, self.table) for lot in pile]
        seen = {lot.card for lot in lots}.union(self.drawn)
        unseen = [c for c in self._pack if c not in seen]
        self._rng.shuffle(unseen)
        for lot in lots:
            if lot.card is HIDDEN:
                lot.card = unseen.pop()
        return unseen


def retraced(rules: ExchangeRules, view: ExchangeView, rng: Random) -> Deal:
    """A deal in which all that the view has seen happens."""
    opening = view.opening
    secret = view.down and rules.widow.stays_down and not rules.open_hands
    courses = Courses(view) if secret else None
    while True:
        trace = Trace(view, courses.draw(rng) if courses else None, rng)
        if not trace.is_possible:
            continue
        cards = (*trace.drawn, *trace.fill())
        stock = Stock(cards, False, Shuffler(str(rng.getrandbits(64))), b"sample")
        hands = [tuple([lot.card for lot in lots]) for lots in trace.dealt]
        deal = rules.deal(opening, hands, tuple([lot.card for lot in trace.table]), stock)
        if _is_played_again(deal, view, trace):
            return deal


def _is_played_again(deal: ExchangeDeal, view: ExchangeView, trace: Trace) -> bool:
    """Plays what was seen; offers that come up beside it are declined. Whether it is all that happens."""
    for event in view.past:
        if event.seat is not None:
            done = _action(deal, event, trace)
            while deal.to_act != event.seat or done not in deal.legal_actions.index:
                if deal.legal_actions.default is not DECLINED:
                    return False
                deal.apply(DECLINED)
            deal.apply(done)
    while view.legal and deal.to_act != view.seat:
        if deal.legal_actions.default is not DECLINED:
            return False
        deal.apply(DECLINED)
    return deal.event_count == (view.public.number + 1 if view.public else 0)


def _action(deal: ExchangeDeal, event: Event, trace: Trace) -> Action:
    """What was done, with the slot that was not to be seen."""
    if event.number not in trace.given:
        return event.action
    assert event.seat is not None
    hand = deal.hands[event.seat]
    slot = hand.index(trace.given[event.number].card)
    return swap((len(hand), len(deal.widow)), (slot,), event.action.take, deal.down, True)
