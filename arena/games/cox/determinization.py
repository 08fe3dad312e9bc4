"""Hands of Cox's game drawn at random from all those a view allows.

What another player put down had come to his rack from a hidden place of the pack, and what he declined
constrains nothing. So the racks as they stand now are drawn from the unseen cards, and then the play is
undone: when a rack took a card in, each of those that stood in it then is as likely to be that one; but if it
completed a set there and then, one of the set. Ways that differ only in which of two equal cards was put down
are the same shuffle: so that it is not drawn more often for that, one of them alone is kept. What the rules
would not have let happen (three alike not laid, a complete hand not sold) shows when all is played again, and
is drawn anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb, prod
from random import Random
from typing import NamedTuple

from arena.games.cards import HIDDEN, Card, Hand
from arena.games.cox.cards import COX_PACK, GREEN
from arena.games.deal import Deal
from arena.games.events import Event
from arena.games.stock import Shuffler, Stock
from arena.games.view import View

DECLINED = frozenset({"leave", "hold"})
"""What a seat may have answered without the others' hearing of it."""


class Step(NamedTuple):
    """Something that happened to a rack."""

    came: Sequence[int] = ()
    """The places of the pack from which it took cards in."""
    money: Hand = ()
    """The greenbacks among those cards: they were laid out at once."""
    bought: Card | None = None
    went: Hand = ()
    at_once: bool = False
    """Whether one of what went is the card that had just come."""


class Rack:
    """What is known of another player's rack: how it came to be what it is."""

    __slots__ = ("known", "size", "steps")

    def __init__(self, dealt: Sequence[int]) -> None:
        self.steps = [Step(came=dealt)]
        self.size = len(dealt)
        self.known: list[Card] = []
        """Cards that it holds now."""

    def came(self, places: Sequence[int]) -> None:
        self.steps.append(Step(came=places))
        self.size += len(places)

    def showed_money(self, cards: Hand) -> None:
        self.steps[-1] = self.steps[-1]._replace(money=cards)
        self.size -= len(cards)

    def bought(self, card: Card) -> None:
        self.steps.append(Step(bought=card))
        self.size += 1
        self.known = [card]

    def went(self, cards: Hand, at_once: bool = False) -> None:
        self.steps.append(Step(went=cards, at_once=at_once))
        self.size -= len(cards)
        self.known = [c for c in self.known if c not in cards]

    def undo(self, held: list[Card], row: list[Card], rng: Random) -> bool:
        """Puts the cards back from where they came, given those that it holds now; or gives it up."""
        completing: Hand = ()
        for step in reversed(self.steps):
            if step.came:
                count = len(step.came) - len(step.money)
                taken = rng.sample(completing or held, count)
                completing = ()
                for c in taken:
                    held.remove(c)
                came = [*taken, *step.money]
                rng.shuffle(came)
                for place, c in zip(step.came, came, strict=True):
                    row[place] = c
            if step.bought:
                held.remove(step.bought)
            held += step.went
            ways = prod([comb(held.count(c), step.went.count(c)) for c in set(step.went)])
            if ways > 1 and rng.randrange(ways):
                return False
            if step.at_once:
                completing = step.went
        return True


class Ledger:
    """What a view knows of the pack."""

    def __init__(self, view: View) -> None:
        size = view.opening.rules.hand_size
        self.row: list[Card] = [HIDDEN] * len(COX_PACK)
        """The pack as it was dealt: the hands by seat, then the stock."""
        self.racks = {
            seat: Rack(range(seat * size, seat * size + size))
            for seat in range(view.players)
            if seat != view.seat
        }
        self.seen = Counter(view.dealt)
        self.row[view.seat * size : view.seat * size + size] = view.dealt
        self.top = self.dealt = view.players * size
        self.bottom = len(self.row) - 1
        for event in view.past:
            self._write(event)
        for rack in self.racks.values():
            self.seen.update(rack.known)

    def _write(self, event: Event) -> None:
        """Writes down what an event tells of the pack and the racks."""
        kind, cards = event.action.kind, event.cards
        seat = int(event.text.split()[1]) if event.seat is None else event.seat
        places: Sequence[int] = ()
        if kind == "draw":
            places = (self.top,)
            self.top += 1
        elif kind == "replace":
            places = range(self.bottom, self.bottom - len(cards), -1)
            self.bottom -= len(cards)
        rack = self.racks.get(seat)
        if rack is None:
            for place, c in zip(places, cards, strict=False):
                self.row[place] = c
                self.seen[c] += 1
        elif places:
            rack.came(places)
        elif kind == "buy":
            rack.bought(cards[0])
            self.seen[cards[0]] -= 1
        elif kind == "show" and len(cards) == rack.size:
            rack.known = list(cards)
        elif cards:
            self.seen.update(cards)
            if cards[0].suit == GREEN:
                rack.showed_money(cards)
            else:
                rack.went(cards, at_once=kind == "show" and self.top > self.dealt)

    def filled(self, rng: Random) -> Hand:
        """The pack with every hidden place filled, as likely as any other in which all this can happen."""
        while True:
            row = self._try_to_fill(rng)
            if row:
                return row

    def _try_to_fill(self, rng: Random) -> Hand:
        row = self.row[:]
        unseen = COX_PACK.without(self.seen.elements())
        money = [c for c in unseen if c.suit == GREEN]
        others = [c for c in unseen if c.suit != GREEN]
        rng.shuffle(others)
        for rack in self.racks.values():
            held = rack.known + [others.pop() for _ in range(rack.size - len(rack.known))]
            if not rack.undo(held, row, rng):
                return ()
        others += money
        rng.shuffle(others)
        return tuple([others.pop() if c is HIDDEN else c for c in row])


def retraced(view: View, rng: Random) -> Deal:
    """A hand of unseen cards in which all that the view has seen happens."""
    ledger, past = Ledger(view), view.past
    size = view.opening.rules.hand_size
    while True:
        row = ledger.filled(rng)
        hands = [row[place : place + size] for place in range(0, ledger.dealt, size)]
        stock = Stock(row[ledger.dealt :], False, Shuffler(""), b"")
        deal = view.opening.rules.deal(view.opening, hands, (), stock)
        if _play_again(deal, past, view):
            return deal


def _play_again(deal: Deal, past: list[Event], view: View) -> bool:
    """Plays what was seen, all other offers declined. Whether the view has seen just that."""
    for event in past:
        if event.seat is not None and not _do(deal, event):
            return False
    while view.legal and deal.to_act != view.seat:
        if not _decline(deal):
            return False
    found = deal.view(view.seat)
    return found.legal == view.legal and found.events == view.events


def _do(deal: Deal, event: Event) -> bool:
    """Does what was done then, if it is possible."""
    kind, cards, seat = event.action.kind, event.cards, event.seat
    assert seat is not None
    while True:
        if deal.to_act == seat:
            hand = deal.hands[seat]
            for legal in deal.legal_actions.actions:
                if legal.kind == kind and (not legal.give or legal.cards(hand, ()) == cards):
                    deal.apply(legal)
                    return True
        if not _decline(deal):
            return False


def _decline(deal: Deal) -> bool:
    """Declines what is offered, if it is an offer."""
    quiet = deal.legal_actions.default
    if quiet.kind not in DECLINED:
        return False
    deal.apply(quiet)
    return True
