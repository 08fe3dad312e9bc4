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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec

from arena.errors import SamplingError
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.chance import DecidedShuffler, UndecidedCards, UndecidedStock
from arena.games.deal import Deal
from arena.games.events import Event
from arena.games.match import Match
from arena.games.stock import RecordedStock, Shuffler, Stock
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


Weighted = tuple[int, Deal | None]
"""A number of equally likely choices, and the deal after one of them; None if it does not fit the view."""


class ReplayedDeals(Determinization[View]):
    """All deals that a view allows, found by dealing the cards it has not seen and playing the deal again.

    It serves any game. At each step it chooses among the cards that may come next, and among the actions of
    the seat to act, one after which the view's seat has seen exactly what it saw. Where a deal leaves fewer
    choices than others do, it is dropped with the probability that makes all pairs of shuffle and choices
    equally likely. It needs many tries where many cards that were dealt face down have come to light.
    """

    MAX_TRIES: ClassVar[int] = 1000
    """Limit on deals tried for one sample."""
    TRIAL_DEALS: ClassVar[int] = 30
    """Deals from which the most choices of each step are learned first."""
    MAX_TRIED_CARDS: ClassVar[int] = 12
    """Most cards that are all tried as the next; of more, those that no event names stand for each other."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._seen = view.events
        self._named = {c for event in self.past for c in event.cards}
        self._table = self._find_table()
        self._bounds: list[int] = []
        """The most choices at each step, of all deals tried."""

    def _find_table(self) -> Hand | None:
        """Return the cards laid out at the start, if an event before the first action names them."""
        size = self.rules.table_size
        for event in self.past:
            if event.seat is not None:
                break
            if size and len(event.cards) == size and HIDDEN not in event.cards:
                return event.cards
        return None if size else ()

    def assign(self, rng: Random) -> Assignment:
        """Return the own cards as they were dealt, and the others at random."""
        view, rules = self.view, self.rules
        dealt, drawn = {seat: self.find_dealt(seat) for seat in view.order}, self.find_drawn()
        seen = [c for hand in (*dealt.values(), self._table or ()) for c in hand if c is not HIDDEN]
        left = list(rules.whole_pack.without([*seen, *drawn]))
        rng.shuffle(left)
        hands: list[Hand] = [()] * view.players
        for seat, hand in dealt.items():
            hands[seat] = tuple([left.pop() if c is HIDDEN else c for c in hand])
        table = self._table
        if table is None:
            table = tuple([left.pop() for _ in range(rules.table_size)])
        return Assignment(hands, table, UndecidedStock((*left, *drawn), DecidedShuffler((), ())))

    def find_dealt(self, seat: int) -> Hand:
        """Return the hand dealt to a seat, `??` for cards that the view does not know."""
        return self.view.dealt if seat == self.view.seat else (HIDDEN,) * self.rules.hand_size

    def find_drawn(self) -> Hand:
        """Return cards that the view knows to have come from the stock: none of them was dealt at first.

        A game in which hidden cards come to light overrides both, and is sampled with fewer tries.
        """
        return ()

    def sample_deal(self, rng: Random) -> Deal:
        """Return a random deal in which all that the view has seen has happened.

        Raises:
            SamplingError: none was found.
        """
        if not self._bounds:
            for _ in range(self.TRIAL_DEALS):
                self._try(rng, is_trial=True)
        for _ in range(self.MAX_TRIES):
            deal = self._try(rng)
            if deal is not None:
                deal.stock = _decide_stock(deal.stock, rng)
                return deal
        advice = "the game needs a determinization of its own"
        if self._table is None:
            advice = (
                f"no event before the first action names the {self.rules.table_size} cards laid out at the "
                "start; if they lie face up, announce them in begin_play"
            )
        raise SamplingError(
            f"none of {self.MAX_TRIES} deals of {self.rules} fits what seat {self.view.seat} has seen: "
            f"{advice}"
        )

    def _try(self, rng: Random, is_trial: bool = False) -> Deal | None:
        """Return a deal that fits the view, or None; a trial is dropped only where nothing fits."""
        assignment = self.assign(rng)

        def begin(cards: Hand) -> Deal:
            stock = assignment.stock.copy()
            stock.shuffler = DecidedShuffler((), cards)
            deal: Deal = self.rules.deal(self.view.opening, assignment.hands, assignment.table, stock)
            return deal

        choices, step = list(self._expand(begin, (), rng)), 0
        while True:
            count = sum([weight for weight, _ in choices])
            if step == len(self._bounds):
                self._bounds.append(1)
            self._bounds[step] = max(self._bounds[step], count)
            if not count:
                return None
            deal = _select(choices, rng.randrange(count if is_trial else self._bounds[step]))
            if deal is None or self._is_complete(deal):
                return deal
            choices, step = list(self._continue(deal, rng)), step + 1

    def _continue(self, deal: Deal, rng: Random) -> Iterator[Weighted]:
        """Yield what can come next in a deal."""
        for action in deal.legal_actions.actions:

            def play(cards: Hand, action: Action = action) -> Deal:
                twin = deal.copy()
                twin.stock.shuffler = DecidedShuffler((), cards)
                twin.apply(action)
                return twin

            yield from self._expand(play, (), rng)

    def _expand(self, make: Callable[[Hand], Deal], cards: Hand, rng: Random) -> Iterator[Weighted]:
        """Yield the deals that `make` returns for all the cards that may be drawn, if they fit the view."""
        try:
            deal = make(cards)
        except UndecidedCards as undecided:
            left = undecided.cards
            if undecided.count > 1:
                yield from self._expand(make, cards + tuple(rng.sample(left, undecided.count)), rng)
                return
        else:
            if self._fits(deal):
                yield 1, deal
            return
        is_small = len(left) <= self.MAX_TRIED_CARDS
        tried = [c for c in left if is_small or c in self._named]
        for c in tried:
            yield from self._expand(make, (*cards, c), rng)
        alike = [] if is_small else [c for c in left if c not in self._named]
        probes = [
            [*self._expand(make, (*cards, c), rng), (1, None)][0][1]
            for c in rng.sample(alike, min(3, len(alike)))
        ]
        if any(probes):
            yield len(alike), probes[0]

    def _fits(self, deal: Deal) -> bool:
        """Return whether the seat has seen the beginning of what it saw, and the deal goes on to the rest."""
        events = deal.view(self.view.seat).events
        if events != self._seen[: len(events)]:
            return False
        return self._is_complete(deal) or deal.to_act is not None

    def _is_complete(self, deal: Deal) -> bool:
        """Return whether the seat would have the same view now."""
        found = deal.view(self.view.seat)
        names = [name for name in found.__struct_fields__ if name not in PAST]
        is_all_seen = len(found.events) == len(self._seen)
        return is_all_seen and all(getattr(found, name) == getattr(self.view, name) for name in names)


PAST: Final = frozenset({"opening", "public", "private"})
"""Fields of a view that are equal if its events are."""


def _select(choices: Sequence[Weighted], place: int) -> Deal | None:
    for weight, deal in choices:
        if place < weight:
            return deal
        place -= weight
    return None


def _decide_stock(stock: Stock, rng: Random) -> Stock:
    """Return a stock from which the same cards were drawn, with those left in an order that is possible."""
    assert isinstance(stock, RecordedStock)
    top, *below = [*stock.layers, ()]
    following = continue_stock(stock, top, rng)
    following.refills = stock.refills
    for layer in below:
        following.put_under(tuple(rng.sample(layer, len(layer))))
    return following


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
