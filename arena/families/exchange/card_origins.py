"""The slots that the cards of a deal with a widow came from, as far as one seat can follow them."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from arena.families.exchange.view import ExchangeView
from arena.games.action import Event, Slots, show_action
from arena.games.cards import HIDDEN, Card, Hand, Pool


class CardTracker:
    """The slots all cards of a deal came from, as far as a view shows."""

    def __init__(self, view: ExchangeView, choices: Iterator[Slots] | None) -> None:
        self._pack = view.opening.rules.whole_pack.cards
        self._choices = choices
        """Positions in the hand from which each exchange gave, where they were not seen."""
        order, size = view.order, view.opening.rules.hand_size
        self._row: list[Card] = []
        """The card in each slot."""
        self.dealt = [
            self._add(view.dealt if seat == view.seat else (HIDDEN,) * size if seat in order else ())
            for seat in range(view.players)
        ]
        self.table = self._add(view.widow_dealt)
        self._hands = [slots[:] for slots in self.dealt]
        self._widow = self.table[:]
        self.drawn: Hand = ()
        self.given: dict[int, int] = {}
        """Slot of the card given from a position not seen, by the number of the event."""
        self._tricons: list[tuple[list[int], list[Card]]] = []
        """The hidden slots of hands that pounced, and the cards of which they can be."""
        self._pools: list[Pool] = []
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
            self.given[event.number] = hand[positions[0]]
        if len(positions) == len(hand):
            hand[:] = [hand[position] for position in positions]
            self.dealt[seat] = [self.dealt[seat][position] for position in positions]
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
        self.drawn += cards
        slots = self._add(cards)
        if self._gap is not None:
            self._widow[self._gap : self._gap] = slots
            self._gap = None
        elif len(slots) == len(self._widow):
            self._widow = slots
        else:
            self._widow += slots

    def _find_pools(self) -> list[Pool]:
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
        if not self._pools:
            self._pools = self._find_pools()
        for pool in self._pools:
            left = pool.assign(row, rng)
        return row, tuple(left)

    def find_hidden_hands(self) -> list[tuple[int, list[int], list[int]]] | None:
        """Return the hands with hidden cards: seat, slots as dealt, slots now.

        None if a hidden card has moved: then it is in the events of the deal, too.
        """
        row, own = self._row, []
        for seat, (dealt, held) in enumerate(zip(self.dealt, self._hands, strict=True)):
            hidden = {slot for slot in dealt if row[slot] is HIDDEN}
            if hidden != {slot for slot in held if row[slot] is HIDDEN}:
                return None
            if hidden:
                own.append((seat, dealt, held))
        return None if any(row[slot] is HIDDEN for slot in self.table) else own
