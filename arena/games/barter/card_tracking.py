"""The trail of the cards in a deal, as far as one seat could follow it.

A card lies in a hand, at a place in the stock, or on the table between asker and partner. Whoever knows
the order of the trades knows which place in the stock each of them empties and fills; only which card of
a hand was chosen is hidden. Hands that are seen (one's own, or all where they lie face up) are no
places: there cards leave and enter the trail.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.games.cards import Card
from arena.games.events import Event

if TYPE_CHECKING:
    from arena.games.barter.view import BarterView

BETWEEN: Final = -1
"""The place of a card that is offered. Seats are places by their number, and the stock's come after them."""


class Step(NamedTuple):
    """A card goes from one place to another."""

    source: int | None
    """None: out of a hand that is seen."""
    target: int | None
    """None: to a hand that is seen, or where no more is heard of it."""
    card: Card | None
    """The card, if this seat ever learns which one it was."""


class Dealing(NamedTuple):
    """A trade, or a barter that came about: the events in which cards were given."""

    asked: Event
    answered: Event | None

    @property
    def given(self) -> tuple[Event, ...]:
        """The events, those of hands that are not seen first."""
        if not self.answered:
            return (self.asked,)
        unseen_last = seen(self.asked) and not seen(self.answered)
        return (self.answered, self.asked) if unseen_last else (self.asked, self.answered)


class Trail:
    """Everything that one view tells of where cards went in its deal."""

    def __init__(self, view: BarterView) -> None:
        self.players = view.players
        self.stock_size = view.stock_left
        self.past = [event for event in view.past if event.seat is not None]
        self.dealings = list(dealings(self.past))
        self.traders = [trade.asked for trade in self.dealings if not trade.answered]
        self.got: dict[int, Card] = {}
        """By the number of the event, what a hand that is seen got for the card it gave."""
        self.hands = self._unwound(view)
        """As they were dealt, by seat, the hands that are seen."""

    def _unwound(self, view: BarterView) -> dict[int, list[Card]]:
        hands = {seat: list(hand) for seat, hand in enumerate(view.open_hands) if hand}
        hands = hands or {view.seat: list(view.hand)}
        for dealing in reversed(self.dealings):
            for event in dealing.given:
                if seen(event):
                    (slot,) = event.action.give
                    assert event.seat is not None
                    self.got[event.number] = hands[event.seat][slot]
                    hands[event.seat][slot] = event.cards[0]
        return hands

    def drawn(self, trade: int) -> Card | None:
        """What the trade of that number took from the stock, if a hand that is seen got it."""
        return self.got.get(self.traders[trade].number) if trade < len(self.traders) else None

    def steps(self) -> Iterator[Step]:
        """The ways of all cards that may pass through a hand this seat does not see, in order."""
        trade = 0
        for dealing in self.dealings:
            if dealing.answered:
                yield from self._barter(*dealing.given)
            else:
                yield from self._trade(trade, dealing.asked)
                trade += 1

    def _trade(self, number: int, event: Event) -> Iterator[Step]:
        """Trade `number` takes the stock's card of that number, and puts one behind all there are."""
        end = self.stock_size + number
        again = end < len(self.traders) and not seen(self.traders[end])
        target = self.players + end if again else None
        if seen(event):
            yield Step(None, target, event.cards[0])
        else:
            yield Step(event.seat, target, self.drawn(end))
            yield Step(self.players + number, event.seat, None)

    def _barter(self, first: Event, second: Event) -> Iterator[Step]:
        """The ways of the two cards of a barter, given the unseen hand first."""
        if seen(first):
            yield Step(None, None, first.cards[0])
            yield Step(None, None, second.cards[0])
        elif seen(second):
            yield Step(first.seat, None, self.got[second.number])
            yield Step(None, first.seat, second.cards[0])
        else:
            yield Step(first.seat, BETWEEN, None)
            yield Step(second.seat, first.seat, None)
            yield Step(BETWEEN, second.seat, None)

    def is_choice(self, step: Step) -> bool:
        """Whether somebody chose the card that went, seen or unseen; else it was the only one there."""
        return step.source is None or 0 <= step.source < self.players

    def certain(self) -> dict[int, list[Card]]:
        """By place, the cards that must still be there, in the order this seat came to know it."""
        held: dict[int, list[Card]] = {}
        for step in self.steps():
            if step.source is None:
                moved = [step.card] if step.card else []
            elif step.card:
                moved = []
                held[step.source] = [c for c in held.get(step.source, ()) if c is not step.card]
            else:
                moved = held.pop(step.source, [])
                if self.is_choice(step):
                    moved = []
            if step.target is not None:
                held.setdefault(step.target, []).extend(moved)
        return held


def dealings(past: list[Event]) -> Iterator[Dealing]:
    """The trades and the barters that came about, in order."""
    offer = None
    for event in past:
        if event.action.kind == "trade":
            yield Dealing(event, None)
        elif event.action.kind == "barter":
            offer = event
        elif event.action.kind == "give":
            assert offer
            yield Dealing(offer, event)


def seen(event: Event) -> bool:
    """Whether the slot a card was given from is known: the hand it came from lies open to this seat."""
    return bool(event.action.give)
