"""Determinization of games with a widow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from random import Random
from typing import Any

from arena.games.action import Action, Slots
from arena.games.card_pool import Pool
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization, continue_stock
from arena.games.events import Event, show_action
from arena.games.exchange.actions import swap
from arena.games.exchange.choice_histories import ChoiceHistories
from arena.games.exchange.view import ExchangeView
from arena.games.stock import Shuffler, Stock


class CardTracker:
    """The slots all cards of a deal came from, as far as a view shows."""

    def __init__(self, view: ExchangeView, choices: Iterator[Slots] | None) -> None:
        self._pack = view.opening.rules.whole_pack.cards
        self._choices = choices
        """For each exchange the positions in the hand that were given from, where they were not seen."""
        order, size = view.order, view.opening.rules.hand_size
        self._row: list[Card] = []
        """The card in each slot."""
        self._dealt = [
            self._add(view.dealt if seat == view.seat else (HIDDEN,) * size if seat in order else ())
            for seat in range(view.players)
        ]
        self._table = self._add(view.widow_dealt)
        self._hands = [slots[:] for slots in self._dealt]
        self._widow = self._table[:]
        self._drawn: Hand = ()
        self._given: dict[int, int] = {}
        """By the number of an event, the slot of the card given from a position not seen."""
        self._tricons: list[tuple[list[int], list[Card]]] = []
        """The hidden slots of hands that pounced, and the cards of which they can be."""
        self.is_possible = True
        """True if no slot was seen to hold two different cards."""
        self._gap: int | None = None
        """The position in the widow that a pounce has left empty."""
        self._shows = {show_action(seat, count): seat for seat in order for count in (size, size + 1)}
        for event in view.past:
            self._follow(event)
        for slots, hand in zip(self._hands, view.open_hands, strict=False):
            self._see(slots, hand)

    def _add(self, cards: Hand) -> list[int]:
        start = len(self._row)
        self._row += cards
        return [*range(start, len(self._row))]

    def _follow(self, event: Event) -> None:
        kind = event.action.kind
        if event.action.take:
            self._exchange(event)
        elif kind == "pounce":
            self._pounce(event)
        elif kind == "widow":
            self._lay(event.cards)
        elif kind == "turned-up":
            self._see(self._widow, event.cards)
        elif kind == "show":
            self._see(self._hands[self._shows[event.action]], event.cards)

    def _see(self, slots: Iterable[int], cards: Iterable[Card]) -> None:
        row = self._row
        for slot, card in zip(slots, cards, strict=True):
            if row[slot] is HIDDEN:
                row[slot] = card
            elif card is not HIDDEN and card is not row[slot]:
                self.is_possible = False

    def _exchange(self, event: Event) -> None:
        seat, take = event.seat, event.action.take
        assert seat is not None
        hand, positions = self._hands[seat], event.action.give
        if self._choices:
            positions = next(self._choices) or positions or (self._find(hand, event.cards[0]),)
        if not event.action.give:
            self._given[event.number] = hand[positions[0]]
        if len(positions) == len(hand):
            hand[:] = [hand[position] for position in positions]
            self._dealt[seat] = [self._dealt[seat][position] for position in positions]
            positions = tuple(range(len(hand)))
        self._see([hand[position] for position in positions], event.cards[: len(take)])
        self._see([self._widow[position] for position in take], event.cards[len(take) :])
        for position, taken in zip(positions, take, strict=True):
            hand[position], self._widow[taken] = self._widow[taken], hand[position]

    def _find(self, slots: list[int], card: Card) -> int:
        return [self._row[slot] for slot in slots].index(card)

    def _pounce(self, event: Event) -> None:
        """Move the fourth card to the hand, whose other cards can only be the rest of its rank."""
        assert event.seat is not None
        (fourth,) = event.cards
        hand = self._hands[event.seat]
        hidden = [slot for slot in hand if self._row[slot] is HIDDEN]
        self._tricons.append((hidden, [c for c in self._pack if c.rank == fourth.rank]))
        self._gap = self._find(self._widow, fourth)
        hand.append(self._widow.pop(self._gap))

    def _lay(self, cards: Hand) -> None:
        """Lay cards from the stock into the gap, if there is one, as a new widow, or behind the widow."""
        self._drawn += cards
        slots = self._add(cards)
        if self._gap is not None:
            self._widow[self._gap : self._gap] = slots
            self._gap = None
        elif len(slots) == len(self._widow):
            self._widow = slots
        else:
            self._widow += slots

    @cached_property
    def _pools(self) -> list[Pool]:
        """The pools of hidden slots, that of the stock last."""
        hidden = {slot for slot, card in enumerate(self._row) if card is HIDDEN}
        seen = set(self._row)
        unseen = dict.fromkeys([c for c in self._pack if c not in seen])
        pools = []
        for slots, rank in self._tricons:
            rest = [c for c in rank if c in unseen]
            if hidden.intersection(slots):
                pools.append(Pool(hidden.intersection(slots), rest))
                hidden.difference_update(slots)
                for c in rest:
                    del unseen[c]
        return [*pools, Pool(hidden, unseen)]

    def fill(self, rng: Random) -> tuple[list[Card], Hand]:
        """Return the card in each slot, the hidden ones at random, and those left for the stock."""
        row = self._row[:]
        for pool in self._pools:
            left = pool.assign(row, rng)
        return row, tuple(left)

    def assign(self, rng: Random) -> Assignment:
        """Return a random assignment."""
        row, left = self.fill(rng)
        hands = [tuple([row[slot] for slot in slots]) for slots in self._dealt]
        stock = Stock(self._drawn + left, False, Shuffler(""), b"")
        given = {number: row[slot] for number, slot in self._given.items()}
        return Assignment(hands, tuple([row[slot] for slot in self._table]), stock, left, given)

    def find_hidden_hands(self) -> list[tuple[int, list[int], list[int]]] | None:
        """Return the hands with hidden cards: seat, slots as dealt, slots now.

        None if a hidden card has moved: then it is in the events of the deal, too.
        """
        row, own = self._row, []
        for seat, (dealt, held) in enumerate(zip(self._dealt, self._hands, strict=True)):
            hidden = {slot for slot in dealt if row[slot] is HIDDEN}
            if hidden != {slot for slot in held if row[slot] is HIDDEN}:
                return None
            if hidden:
                own.append((seat, dealt, held))
        return None if any(row[slot] is HIDDEN for slot in self._table) else own


class ExchangeDeterminization(Determinization[ExchangeView]):
    """All deals of a game with a widow that a view allows."""

    def __init__(self, view: ExchangeView) -> None:
        super().__init__(view)
        hides_choices = view.down and self.rules.widow.stays_down and not self.rules.open_hands
        self._histories = ChoiceHistories(view) if hides_choices else None
        self._tracker = None if hides_choices else CardTracker(view, None)
        can_copy = view.legal and not self.rules.interrupts.depends_on_hands
        self._hidden_hands = self._tracker.find_hidden_hands() if self._tracker and can_copy else None
        """The hands in which all possible deals differ, if they do only there and in the stock."""
        self._first: Deal | None = None
        """A deal that was replayed, to copy."""

    def sample_deal(self, rng: Random) -> Deal:
        if self._first is None or self._hidden_hands is None:
            deal = super().sample_deal(rng)
            if self._hidden_hands is not None:
                self._first = deal.copy()
            return deal
        assert self._tracker
        row, left = self._tracker.fill(rng)
        first = self._first
        dealt, hands = list(first.dealt), first.hands[:]
        for seat, dealt_slots, slots in self._hidden_hands:
            dealt[seat] = tuple([row[slot] for slot in dealt_slots])
            hands[seat] = tuple([row[slot] for slot in slots])
        return first.copy_with(tuple(dealt), hands, continue_stock(first.stock, left, rng))

    def assign(self, rng: Random) -> Assignment | None:
        if self._histories:
            tracker = CardTracker(self.view, self._histories.draw(rng))
            return tracker.assign(rng) if tracker.is_possible else None
        assert self._tracker
        return self._tracker.assign(rng)

    def find_action(self, deal: Any, event: Event, assignment: Assignment) -> Action:
        card = assignment.given.get(event.number)
        if card is None:
            return event.action
        hand = deal.hands[event.seat]
        return swap((len(hand), len(deal.widow)), (hand.index(card),), event.action.take, deal.down, True)
