"""Determinization of any game: deal the cards that a view does not know, play again, and exchange cards.

A deal is played again from cards dealt at random. Where an event names a card, that card changes places with
one of those in whose place it can have been, each equally often, and the deal is played again up to there.
Cards that have been named stay where they are. Deals in which an action was not legal are dropped.

Where a card named later comes from the hand that a seat was dealt, it is dealt to that seat at first: another
one in its place could have made an action illegal that was legal with it, as where suit is followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar, Final

from arena.errors import SamplingError
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.chance_nodes import DecidedShuffler, UndecidedStock
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization, continue_stock
from arena.games.events import OPENED
from arena.games.replay_trial import Trial
from arena.games.stock import RecordedStock, Stock
from arena.games.view import View

PAST: Final = frozenset({"opening", "public", "private"})
"""Fields of a view that are equal if its events are."""


class ReplayedDeals(Determinization[View]):
    """All deals that a view allows, found by dealing the cards it has not seen and playing the deal again.

    It serves any game. At each step it chooses among the places from which a card named then can have come,
    and among the actions of the seat to act after which the view's seat has seen exactly what it saw. Where a
    deal leaves fewer choices than others do, it is dropped with the probability that makes all pairs of
    shuffle and choices equally likely.
    """

    MAX_TRIES: ClassVar[int] = 300
    """Limit on deals tried for one sample."""
    TRIAL_DEALS: ClassVar[int] = 5
    """Deals from which the most choices of each step are learned first, and where named cards come from."""
    MAX_TRIAL_DEALS: ClassVar[int] = 40
    """Limit on such deals where they do not reach the last event."""
    MAX_ASSIGNMENTS: ClassVar[int] = 10_000
    """Limit on assignments of cards tried for one deal, where `may_hold` rules some out."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._table = self.find_table()
        hands = [self.find_dealt(seat) for seat in view.order]
        self.fixed = [c for hand in (*hands, self._table or ()) for c in hand if c is not HIDDEN]
        """Cards of which it is known that they were dealt, and where."""
        self.copies = {card for card, count in Counter(self.rules.whole_pack.cards).items() if count > 1}
        """Cards that the pack has several times."""
        self.bounds: list[int] = []
        """The most choices at each step, of all deals tried."""
        self.origins: dict[Card, int | None] = {}
        """The seat to which a card was dealt that it has named first; None if it can have come elsewhere."""
        self.opened = [event.action for event in self.past if event.action.kind == OPENED]
        """Choices of seats that `open_choices` has announced, in their order."""
        self.illegal = 0
        """Number of deals dropped because an action was not legal with their cards."""

    def find_table(self) -> Hand | None:
        """Return the cards laid out at the start, if an event before the first action names them."""
        size = self.rules.table_size
        for event in self.past:
            if event.seat is not None:
                break
            if size and len(event.cards) == size and HIDDEN not in event.cards:
                return event.cards
        return None if size else ()

    def assign(self, rng: Random) -> Assignment:
        """Return the own cards as they were dealt, and the others at random.

        Raises:
            SamplingError: `may_hold` leaves none, or almost none.
        """
        view, rules = self.view, self.rules
        dealt, drawn = {seat: self.find_dealt(seat) for seat in view.order}, self.find_drawn()
        away = {*self.fixed, *drawn}
        held = {card: seat for card, seat in self.origins.items() if seat is not None and card not in away}
        left = list(rules.whole_pack.without([*self.fixed, *drawn, *held]))
        for _ in range(self.MAX_ASSIGNMENTS):
            hands, rest = self._fill_hands(dealt, held, left, rng)
            if self._is_allowed(hands):
                break
        else:
            raise SamplingError(
                f"none of {self.MAX_ASSIGNMENTS:,} deals of {self.rules} has cards that `may_hold` of "
                f"{type(self).__name__} allows"
            )
        table = self._table
        if table is None:
            table = tuple([rest.pop() for _ in range(rules.table_size)])
        return Assignment(hands, table, UndecidedStock((*rest, *drawn), DecidedShuffler((), ())))

    def _fill_hands(
        self, dealt: Mapping[int, Hand], held: Mapping[Card, int], left: Sequence[Card], rng: Random
    ) -> tuple[list[Hand], list[Card]]:
        """Return hands with the cards dealt or held to each seat and others at random, and those left."""
        rest = list(left)
        rng.shuffle(rest)
        hands: list[Hand] = [()] * self.view.players
        for seat, hand in dealt.items():
            cards = [card for card, holder in held.items() if holder == seat]
            if cards:
                cards += [rest.pop() for _ in range(hand.count(HIDDEN) - len(cards))]
                rng.shuffle(cards)
            else:
                cards = rest
            hands[seat] = tuple([cards.pop() if c is HIDDEN else c for c in hand])
        return hands, rest

    def _is_allowed(self, hands: Sequence[Hand]) -> bool:
        if type(self).may_hold is ReplayedDeals.may_hold:
            return True
        own = self.view.seat
        return all(
            self.may_hold(seat, card) for seat, hand in enumerate(hands) if seat != own for card in hand
        )

    def find_dealt(self, seat: int) -> Hand:
        """Return the hand dealt to a seat, `??` for cards that the view does not know."""
        return self.view.dealt if seat == self.view.seat else (HIDDEN,) * self.rules.hand_size

    def find_drawn(self) -> Hand:
        """Return cards that the view knows to have come from the stock: none of them was dealt at first.

        A game in which hidden cards come to light can override both, and is sampled faster.
        """
        return ()

    def may_hold(self, seat: int, card: Card) -> bool:
        """Return whether a card can have been dealt to another seat, by what the view has seen.

        A game in which legal actions depend on the hand can override it, and is sampled faster: a seat that
        has not followed suit was dealt no card of that suit but those that it has played before.
        """
        return True

    def sample_deal(self, rng: Random) -> Deal:
        """Return a random deal in which all that the view has seen has happened.

        Raises:
            SamplingError: None was found.
        """
        if not self.bounds:
            self._learn(rng)
        self.illegal = 0
        for _ in range(self.MAX_TRIES):
            deal = self._try(rng)
            if deal is not None:
                deal.stock = _decide_stock(deal.stock, rng)
                return deal
        advice = "the game needs a determinization of its own"
        if self.illegal:
            advice = (
                f"in {self.illegal} of them an action that it has seen was not legal, or hidden choices were "
                "others; where legal actions depend on the hand, write `may_hold` of a subclass of "
                "ReplayedDeals, and open hidden choices by `open_choices`"
            )
        elif self._table is None:
            advice = (
                f"no event before the first action names the {self.rules.table_size} cards laid out at the "
                "start; if they lie face up, announce them in begin_play"
            )
        raise SamplingError(
            f"none of {self.MAX_TRIES} deals of {self.rules} fits what seat {self.view.seat} has seen: "
            f"{advice}"
        )

    def _learn(self, rng: Random) -> None:
        """Learn the most choices of each step, and which cards named were dealt to whom."""
        for number in range(self.MAX_TRIAL_DEALS):
            is_complete = self._try(rng, is_trial=True) is not None
            if is_complete and number >= self.TRIAL_DEALS - 1:
                break

    def add_origin(self, card: Card, seat: int | None) -> None:
        """Note to whom a card was dealt in one deal; None if it was not dealt to the seat that names it."""
        self.origins[card] = seat if self.origins.get(card, seat) == seat else None

    def _try(self, rng: Random, is_trial: bool = False) -> Deal | None:
        """Return a deal that fits the view, or None; a trial is dropped only where nothing fits."""
        return Trial(self, self.assign(rng), rng, is_trial).play()

    def is_complete(self, deal: Deal, seen: int) -> bool:
        """Return whether the seat would have the same view now, if it has seen so many events."""
        if seen < len(self.past):
            return False
        now = deal.view(self.view.seat)
        names = [name for name in now.__struct_fields__ if name not in PAST]
        return all(getattr(now, name) == getattr(self.view, name) for name in names)


def _decide_stock(stock: Stock, rng: Random) -> Stock:
    """Return a stock from which the same cards were drawn, with those left in an order that is possible."""
    assert isinstance(stock, RecordedStock)
    top, *below = [*stock.layers, ()]
    following = continue_stock(stock, top, rng)
    following.refills = stock.refills
    for layer in below:
        following.put_under(tuple(rng.sample(layer, len(layer))))
    return following
