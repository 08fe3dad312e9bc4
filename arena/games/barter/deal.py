"""The barter family: buy from the dealer or exchange with a neighbour, until somebody is satisfied."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

from arena.games.action import Action
from arena.games.barter.actions import CONTINUE, DECLINE, PUBLIC_GIVE, STAND_OR_CONTINUE
from arena.games.barter.view import BarterView
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal, Phase
from arena.games.events import Event, PrivateEvent, show_actions
from arena.games.settlement.base import Showdown
from arena.games.settlement.chips import combine_changes
from arena.games.stock import Stock
from arena.games.view import Opening

if TYPE_CHECKING:
    from arena.games.barter.rules import BarterRules


HIDDEN_CARD: Final = (HIDDEN,)
"""A card that is not shown."""


def shift_seats(order: tuple[int, ...], way: int) -> tuple[int, ...]:
    """By seat, who comes so many places later in the order; the seats not in it come to themselves."""
    after = list(range(max(order) + 1))
    for place, seat in enumerate(order):
        after[seat] = order[(place + way) % len(order)]
    return tuple(after)


@lru_cache(maxsize=1 << 12)
def find_neighbours(order: tuple[int, ...], way: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By seat, whose turn is next, and whom it barters with, so many places later."""
    return shift_seats(order, 1), shift_seats(order, way)


class BarterDeal(Deal):
    """A deal of a game of trade and barter."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "following", "neighbour", "offer", "round", "rules", "satisfied", "turn",
    )  # fmt: skip
    __slots__ = FIELDS
    rules: BarterRules

    def __init__(
        self, rules: BarterRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(opening, hands, table, stock)
        self.rules = rules
        self.holdings = rules.settlement.pay_antes(opening.holdings, opening.order)
        self.following, self.neighbour = find_neighbours(opening.order, rules.partner_step)
        """By seat, whose turn is next, and whom it barters with."""
        self.offer: Event | None = None
        """The barter that waits for an answer."""
        self.satisfied: tuple[int, ...] = ()
        """The seats that stand, in the order they did."""
        self.round = 1
        self.turn = opening.order[0]

    def begin_play(self) -> None:
        self._ask_turn()

    def view(self, seat: int) -> BarterView:
        return BarterView(
            self.opening,
            seat,
            self.hands[seat],
            self.legal_actions.actions if seat == self.to_act else (),
            self.holdings,
            self.public,
            self.private_events[seat],
            self.dealt[seat],
            self.stock.left,
            self.offer.seat if self.offer else None,
            self.satisfied,
            tuple(self.hands) if self.rules.open_hands else (),
        )

    # --- turns ---

    def _ask_turn(self, may_barter: bool = True) -> None:
        """Asks the seat whose turn it is. Source: S001, rulings B5, B6, B23."""
        seat, rules = self.turn, self.rules
        self.phase = TAKE_TURN
        has_partner = not self.satisfied or self._beyond(seat, self.neighbour) != seat
        may_stop = not rules.needs_rank_to_knock or rules.rank_table[self.hands[seat]].category != "nothing"
        self.ask(seat, rules.turns[may_barter and has_partner, may_stop])

    def _beyond(self, seat: int, after: tuple[int, ...]) -> int:
        """The next seat round that is not satisfied; the same where there is no other."""
        seat = after[seat]
        while seat in self.satisfied:
            seat = after[seat]
        return seat

    def _take_turn(self, seat: int, done: Action) -> None:
        kind = done.kind
        if kind == "trade":
            self._trade(seat, done)
            self._exchanged()
        elif kind == "barter":
            self.offer = self._note_giving(seat, done)
            self.phase = ANSWER
            self.ask(self._beyond(seat, self.neighbour), self.rules.answers)
        else:
            self.record(seat, done)
            if self._goes_on_without(seat):
                self._next_turn()

    def _trade(self, seat: int, done: Action) -> None:
        """The stock's top card for one of the hand, which goes under it unseen. Source: rulings B4, B15."""
        event = self._note_giving(seat, done)
        self._replace(event, self.stock.draw())
        self.stock.put_under(event.cards)
        self.holdings = self.rules.settlement.pay_trade(self.holdings, seat, self.opening.dealer)

    def _answer(self, seat: int, done: Action) -> None:
        """The partner gives a card for the one offered, or not. Source: rulings B2, B3, B22, R16."""
        offer = self.offer
        assert offer
        self.offer = None
        if done.give:
            given = self._note_giving(seat, done)
            self._tell_partners(offer, given)
            self._replace(offer, given.cards[0])
            self._replace(given, offer.cards[0])
            self._exchanged()
        else:
            self.record(seat, done)
            if done is DECLINE or self._goes_on_without(seat):
                self._ask_turn(may_barter=done is not DECLINE)

    def _exchanged(self) -> None:
        """Goes on after the exchange of the seat whose turn it is."""
        if self.rules.stand_afterwards:
            self.phase = STAND_OR_NOT
            self.ask(self.turn, STAND_OR_CONTINUE)
        else:
            self._next_turn()

    def _afterwards(self, seat: int, done: Action) -> None:
        """Having exchanged, one may stand at once. Source: S001, ruling B6."""
        self.record(seat, done)
        if done is CONTINUE or self._goes_on_without(seat):
            self._next_turn()

    def _goes_on_without(self, seat: int) -> bool:
        """Whether the deal goes on now that this seat is satisfied. Source: rulings B7, W26, R16."""
        self.satisfied += (seat,)
        if not self.rules.until_all:
            self._showdown(stander=seat)
        elif len(self.satisfied) == len(self.opening.order):
            self._showdown(stander=None)
        return self.to_act is not None

    def _next_turn(self) -> None:
        """Passes the turn on; there is an end to the rounds. Source: ruling B16."""
        order = self.opening.order
        seat = self._beyond(self.turn, self.following)
        if order.index(seat) <= order.index(self.turn):
            self.round += 1
        self.turn = seat
        if self.round > self.rules.rounds:
            self._showdown(stander=None)
        else:
            self._ask_turn()

    # --- cards ---

    def _replace(self, given: Event, taken: Card) -> None:
        """What is taken keeps the place of what was given."""
        seat = given.seat
        assert seat is not None
        hand = list(self.hands[seat])
        hand[given.action.give[0]] = taken
        self.hands[seat] = tuple(hand)

    def _note_giving(self, seat: int, done: Action) -> Event:
        """Writes down that a card was given: all hear of it, the giver alone of which."""
        number = self.event_count
        event = Event(None, number, seat, done, (self.hands[seat][done.give[0]],))
        if self.rules.open_hands:
            self.record(seat, done, event.cards)
        else:
            self.event_count = number + 1
            self.log.append(event)
            self.public = Event(self.public, number, seat, PUBLIC_GIVE[done.kind], HIDDEN_CARD)
            self.private_events[seat] = PrivateEvent(self.private_events[seat], event, True)
        return event

    def _tell_partners(self, offer: Event, given: Event) -> None:
        """Lets both know the card they get, though not from which slot. Source: ruling B3."""
        asker, partner = offer.seat, given.seat
        assert asker is not None
        assert partner is not None
        if not self.rules.open_hands:
            unplaced = Event(None, given.number, partner, PUBLIC_GIVE["give"], given.cards)
            self.announce_to(asker, unplaced, replaces_public=True)
            taken = Event(None, self.event_count, None, show_actions(1)[asker], offer.cards)
            self.announce_to(partner, taken, replaces_public=False)

    # --- the end ---

    def _showdown(self, stander: int | None) -> None:
        """Shows all hands and settles. Source: rulings B7, B16."""
        opening, settlement = self.opening, self.rules.settlement
        self.show_all()
        changes = settlement.settle(Showdown(opening.order, self.hand_ranks(), self.holdings, stander))
        if settlement.is_over(opening.holdings, opening.number + 1):
            changes = settlement.return_pool(changes, opening.order)
        self.end(combine_changes(opening.holdings, self.holdings, changes))


TAKE_TURN: Final[Phase] = BarterDeal._take_turn
ANSWER: Final[Phase] = BarterDeal._answer
STAND_OR_NOT: Final[Phase] = BarterDeal._afterwards
