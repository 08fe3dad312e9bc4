"""The view of a seat in Cox's game, and sampling of the deals that fit it.

A card that another player put down had come to the rack from a hidden slot of the pack; a declined offer
constrains nothing. So the present racks are drawn from the unseen cards, and then the play is undone: when a
rack took a card in, each card in it is as likely to be that one; but if a set was completed there and then,
each card of the set. Assignments that differ only in which of two equal cards was put down are the same
shuffle: so that it is not drawn more often for that, only one of them is kept. What the rules would not have
let happen (three alike not laid, a complete hand not sold) shows in the replay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from arena.families.cox.cards import COX_PACK, GREEN, remove_cards, sort_rack
from arena.families.cox.racks import UNSEEN_ANSWERS, RackHistory, RacksDraw, Replay
from arena.games.action import Action, Event
from arena.games.cards import HIDDEN, Card, Hand, draw_cards, plan_draws
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization
from arena.games.stock import Shuffler, Stock
from arena.games.view import View


class CoxView(View, frozen=True, eq=False):
    """All that one seat may know at a decision of Cox's game; `hand` is its rack."""

    sets: tuple[tuple[Hand, ...], ...]
    """Sets laid in front of the rack of each seat."""
    greenbacks: tuple[Hand, ...]
    """Greenbacks laid in front of the rack of each seat."""
    discards: Hand
    """The discards that nobody has bought, the latest last."""
    discard: Card | None
    """The latest discard, until a player buys it, draws or sells out."""
    stock_left: int
    replaced: int
    """The number of cards drawn from the bottom of the last supply base."""

    @property
    def table(self) -> Hand:
        return (self.discard,) if self.discard else ()

    @property
    def retailer(self) -> int:
        """The seat that dealt and played first."""
        return self.opening.roles[0]

    @property
    def wholesaler(self) -> int:
        """The seat that cut the pack into supply bases."""
        return self.opening.roles[1]

    @property
    def numbers(self) -> tuple[int, ...]:
        """By seat, the number of the supply base in front of it."""
        return supply_base_numbers(self.opening.players, self.opening.dealer)

    @property
    def bases(self) -> tuple[int, ...]:
        """The number of cards left in each supply base."""
        drawn = 80 - self.stock_left - self.replaced
        left = [20 - min(max(drawn - 20 * base, 0), 20) for base in range(4)]
        return (*left[:3], left[3] - self.replaced)

    @property
    def known(self) -> tuple[Hand, ...]:
        laid = [tuple([c for laid_set in sets for c in laid_set]) for sets in self.sets]
        return tuple(
            [() if seat == self.seat else cards + self.greenbacks[seat] for seat, cards in enumerate(laid)]
        )

    def after(self, action: Action) -> Hand:
        if action.take:
            return sort_rack(self.hand + self.table)
        if action.kind == "draw":
            return (*self.hand, HIDDEN)
        gone = [self.hand[slot] for slot in action.give]
        new = (HIDDEN,) if len(gone) == 1 and action.kind == "lay" and self.stock_left else ()
        return remove_cards(self.hand, gone) + new


def supply_base_numbers(players: int, retailer: int) -> tuple[int, ...]:
    """Return by seat the number of the supply base in front of it: the Retailer's is 1, then to its right.

    Two sit opposite each other, at 1 and 3. Source: S000 "Rules for two or three players", ruling C4.
    """
    apart = 2 if players == 2 else 1
    return tuple([1 + (retailer - seat) % players * apart for seat in range(players)])


class CoxDeterminization(Determinization[CoxView]):
    """All hands of Cox's game that a view allows."""

    UNSEEN_ANSWERS: ClassVar[frozenset[str]] = UNSEEN_ANSWERS

    def __init__(self, view: CoxView) -> None:
        super().__init__(view)
        self._size = size = self.rules.hand_size
        self._row: list[Card] = [HIDDEN] * len(COX_PACK)
        """The card in each slot of the pack as it was dealt: the hands by seat, then the stock."""
        self._row[view.seat * size : view.seat * size + size] = view.dealt
        self._racks = {
            seat: RackHistory(range(seat * size, seat * size + size))
            for seat in range(view.players)
            if seat != view.seat
        }
        self._top = self._dealt = view.players * size
        self._bottom = len(self._row) - 1
        seen = Counter(view.dealt)
        for event in self.past:
            self._follow(event, seen)
        for rack in self._racks.values():
            rack.settle()
            seen.update(rack.known)
        unseen = COX_PACK.without(seen.elements())
        self._greenbacks = [c for c in unseen if c.suit == GREEN]
        self._replay = Replay(self.past, self._event_count, view.seat, view.legal)
        self._draw = RacksDraw([*self._racks.values()], [c for c in unseen if c.suit != GREEN])
        taken = [
            slot for rack in self._racks.values() for change in rack.changes for slot in change.taken_from
        ]
        rest = set(range(len(self._row))).difference(taken)
        slots = [slot for slot in sorted(rest) if self._row[slot] is HIDDEN]
        self._rest = plan_draws(slots, len(slots))
        """The draws of the slots of cards that no player has had."""

    def _follow(self, event: Event, seen: Counter[Card]) -> None:
        """Note what an event shows of the pack and the racks."""
        kind, cards = event.action.kind, event.cards
        seat = int(event.text.split()[1]) if event.seat is None else event.seat
        slots: Sequence[int] = ()
        rack = self._racks.get(seat)
        if rack and kind in ("draw", "buy", "lay", "discard"):
            rack.settle()
        if kind == "draw":
            slots = (self._top,)
            self._top += 1
        elif kind == "replace":
            slots = range(self._bottom, self._bottom - len(cards), -1)
            self._bottom -= len(cards)
        if rack is None:
            for slot, c in zip(slots, cards, strict=False):
                self._row[slot] = c
                seen[c] += 1
        elif slots:
            rack.take(slots)
        elif kind == "buy":
            rack.buy(cards[0])
            seen[cards[0]] -= 1
        elif kind == "show" and len(cards) == rack.size:
            rack.known = list(cards)
        elif cards:
            seen.update(cards)
            if cards[0].suit == GREEN:
                rack.lay_greenbacks(cards)
            else:
                rack.put_down(cards, at_once=kind == "show" and self._top > self._dealt)

    def assign(self, rng: Random) -> Assignment:
        row = self._row[:]
        draw_cards(self._rest, self._draw.fill(row, rng) + self._greenbacks, row, rng)
        pack = tuple(row)
        hands = [pack[slot : slot + self._size] for slot in range(0, self._dealt, self._size)]
        return Assignment(hands, (), Stock(pack[self._dealt :], False, Shuffler(""), b""))

    def replay(self, deal: Deal, assignment: Assignment) -> bool:
        return self._replay.play(deal)

    def accept(self, deal: Deal) -> bool:
        return True  # the replay has compared all that was seen
