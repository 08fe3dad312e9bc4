"""Determinization: deals drawn uniformly from all those that one view allows.

Every card that was dealt or drawn came to a slot; slots are numbered, and each is known or hidden. What the
view has seen puts constraints on the hidden ones: the cards a slot may hold, and the slots from which a card
may have been chosen. A sample takes three steps. An assignment gives each hidden slot a card, all assignments
that meet the constraints being equally likely. The deal is replayed from it, action by action. It is accepted
if exactly what was seen has happened, and drawn again otherwise.

What follows from the view alone is worked out once and serves all samples of that view.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from arena.games.action import Action
from arena.games.cards import Card, Hand
from arena.games.deal import Deal
from arena.games.events import Event
from arena.games.match import Match
from arena.games.stock import Shuffler, Stock
from arena.games.view import View

V = TypeVar("V", bound=View)


class Assignment(msgspec.Struct, gc=False):
    """The cards of one sampled deal."""

    hands: Sequence[Hand]
    """Hands by seat, as they were dealt."""
    table: Hand
    stock: Stock
    """The stock from which the deal is replayed."""
    left: Hand | None = None
    """The cards left in the stock after the replay, if they lie there in random order."""
    given: Mapping[int, Card] = {}
    """Card given from a position not seen, by the number of the event."""


class Determinization(ABC, Generic[V]):
    """All deals that a view allows."""

    UNSEEN_ANSWERS: ClassVar[frozenset[str]] = frozenset({"leave"})
    """The kinds of actions that decline an offer without the other seats noticing."""

    def __init__(self, view: V) -> None:
        self.view = view
        self.rules: Any = view.opening.rules
        self.past = view.past
        self._event_count = view.public.number + 1 if view.public else 0

    @abstractmethod
    def assign(self, rng: Random) -> Assignment | None:
        """Return a random assignment that meets the constraints; None to draw again."""

    def sample_deal(self, rng: Random) -> Deal:
        """Return a random deal in which all that the view has seen has happened."""
        while True:
            assignment = self.assign(rng)
            if assignment is None:
                continue
            deal: Deal = self.rules.deal(
                self.view.opening, assignment.hands, assignment.table, assignment.stock
            )
            if self.replay(deal, assignment) and self.accept(deal):
                if assignment.left is not None:
                    deal.stock = continue_stock(deal.stock, assignment.left, rng)
                return deal

    def replay(self, deal: Deal, assignment: Assignment) -> bool:
        """Play what was seen, declining offers that others had beside it; return whether all was legal."""
        for event in self.past:
            if event.seat is not None:
                index = None
                while index is None:
                    if deal.to_act == event.seat:
                        action = self.find_action(deal, event, assignment)
                        index = deal.legal_actions.index.get(action) if action else None
                    if index is None and not self._decline(deal):
                        return False
                deal.play(event.seat, action, index)
        while self.view.legal and deal.to_act != self.view.seat:
            if not self._decline(deal):
                return False
        return True

    def _decline(self, deal: Deal) -> bool:
        default = deal.legal_actions.default
        if default.kind not in self.UNSEEN_ANSWERS:
            return False
        deal.apply(default)
        return True

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action | None:
        """Return the action of an event, with the positions in the hand that were not seen."""
        return event.action

    def accept(self, deal: Deal) -> bool:
        """Return whether the view's seat has seen nothing else in the replayed deal."""
        return deal.event_count == self._event_count


def sample_matches(kind: type[Determinization[Any]], view: View, rng: Random, count: int) -> Iterator[Match]:
    """Yield matches in the middle of random deals that the view allows."""
    determinization = _determinize(kind, view)
    for _ in range(count):
        yield Match.from_deal(determinization.sample_deal(rng), random_seed(rng))


@lru_cache(maxsize=16)
def _determinize(kind: type[Determinization[Any]], view: View) -> Determinization[Any]:
    return kind(view)


def continue_stock(stock: Stock, left: Hand, rng: Random) -> Stock:
    """Return a stock from which the same cards were drawn, with these left in random order."""
    following = Stock(left, True, Shuffler(random_seed(rng)), b"sample")
    following.drawn = stock.drawn[:]
    return following


def random_seed(rng: Random) -> str:
    """Return a seed of which nothing is known."""
    return f"{rng.getrandbits(128):x}"
