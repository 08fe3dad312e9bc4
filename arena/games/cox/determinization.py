"""Determinization of Cox's game.

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
from math import comb, prod
from random import Random
from typing import ClassVar, NamedTuple

from arena.games.action import Action
from arena.games.card_pool import Pool
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.cox.cards import COX_PACK, GREEN
from arena.games.cox.view import CoxView
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization
from arena.games.events import Event
from arena.games.stock import Shuffler, Stock


class RackChange(NamedTuple):
    """One change of a rack."""

    taken_from: Sequence[int] = ()
    """The slots of the pack from which it took cards in."""
    greenbacks: Hand = ()
    """The greenbacks among those cards: they were laid out at once."""
    bought: Card | None = None
    put_down: Hand = ()
    at_once: bool = False
    """True if one of the cards put down is the card that had just come."""


class RackHistory:
    """The known changes of another player's rack."""

    def __init__(self, dealt: Sequence[int]) -> None:
        self._changes = [RackChange(taken_from=dealt)]
        self.size = len(dealt)
        self.known: list[Card] = []
        """Cards that it holds now."""

    def take(self, slots: Sequence[int]) -> None:
        """Add cards from these slots of the pack."""
        self._changes.append(RackChange(taken_from=slots))
        self.size += len(slots)

    def lay_greenbacks(self, cards: Hand) -> None:
        """Take greenbacks away that came with the last change."""
        self._changes[-1] = self._changes[-1]._replace(greenbacks=cards)
        self.size -= len(cards)

    def buy(self, card: Card) -> None:
        """Add a card that was bought."""
        self._changes.append(RackChange(bought=card))
        self.size += 1
        self.known = [card]

    def put_down(self, cards: Hand, at_once: bool) -> None:
        """Take away cards that were laid or discarded."""
        self._changes.append(RackChange(put_down=cards, at_once=at_once))
        self.size -= len(cards)
        self.known = [c for c in self.known if c not in cards]

    def undo(self, held: list[Card], row: list[Card], rng: Random) -> bool:
        """Put the cards `held` now back into the slots they came from; return False to draw again."""
        completing: Hand = ()
        for change in reversed(self._changes):
            if change.taken_from:
                count = len(change.taken_from) - len(change.greenbacks)
                taken = rng.sample(completing or held, count)
                completing = ()
                for c in taken:
                    held.remove(c)
                came = [*taken, *change.greenbacks]
                rng.shuffle(came)
                for slot, c in zip(change.taken_from, came, strict=True):
                    row[slot] = c
            if change.bought:
                held.remove(change.bought)
            gone = change.put_down
            held += gone
            ways = prod([comb(held.count(c), gone.count(c)) for c in set(gone)])
            if ways > 1 and rng.randrange(ways):
                return False
            if change.at_once:
                completing = gone
        return True


class CoxDeterminization(Determinization[CoxView]):
    """All hands of Cox's game that a view allows."""

    UNSEEN_ANSWERS: ClassVar[frozenset[str]] = frozenset({"leave", "hold"})

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
            seen.update(rack.known)
        unseen = COX_PACK.without(seen.elements())
        self._greenbacks = [c for c in unseen if c.suit == GREEN]
        rack_slots = range(sum([rack.size - len(rack.known) for rack in self._racks.values()]))
        self._rack_pool = Pool(rack_slots, [c for c in unseen if c.suit != GREEN])
        self._rack_slots = len(rack_slots)

    def _follow(self, event: Event, seen: Counter[Card]) -> None:
        """Note what an event shows of the pack and the racks."""
        kind, cards = event.action.kind, event.cards
        seat = int(event.text.split()[1]) if event.seat is None else event.seat
        slots: Sequence[int] = ()
        if kind == "draw":
            slots = (self._top,)
            self._top += 1
        elif kind == "replace":
            slots = range(self._bottom, self._bottom - len(cards), -1)
            self._bottom -= len(cards)
        rack = self._racks.get(seat)
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

    def assign(self, rng: Random) -> Assignment | None:
        row, in_racks = self._row[:], [HIDDEN] * self._rack_slots
        left = self._rack_pool.assign(in_racks, rng)
        for rack in self._racks.values():
            held = rack.known + [in_racks.pop() for _ in range(rack.size - len(rack.known))]
            if not rack.undo(held, row, rng):
                return None
        left += self._greenbacks
        rng.shuffle(left)
        pack = tuple([left.pop() if c is HIDDEN else c for c in row])
        hands = [pack[slot : slot + self._size] for slot in range(0, self._dealt, self._size)]
        return Assignment(hands, (), Stock(pack[self._dealt :], False, Shuffler(""), b""))

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action | None:
        assert event.seat is not None
        hand = deal.hands[event.seat]
        for action in deal.legal_actions.actions:
            is_same = not action.give or action.cards(hand, ()) == event.cards
            if is_same and action.kind == event.action.kind:
                return action
        return None

    def accept(self, deal: Deal) -> bool:
        found = deal.view(self.view.seat)
        return found.legal == self.view.legal and _contents(found.past) == _contents(self.past)


def _contents(events: list[Event]) -> list[tuple[int | None, Action, Hand]]:
    return [(event.seat, event.action, event.cards) for event in events]
