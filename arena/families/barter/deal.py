"""The state machine of the barter family: trade with the dealer, barter with a neighbour, or stand."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from arena.families.barter.view import HAND_SIZE, BarterView
from arena.games.action import HORSE, Action, Event, LegalActions, PrivateEvent, action, show_actions
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal, Phase
from arena.games.opening import Opening
from arena.games.stock import Stock

if TYPE_CHECKING:
    from arena.families.barter.rules import BarterRules

GIVE_ACTIONS: Final = {
    kind: tuple(action(kind, (slot,), template=f"{kind} %s") for slot in range(HAND_SIZE))
    for kind in ("trade", "barter", "give")
}
"""The actions that give a card, by kind and then by its position in the hand."""
PUBLIC_GIVE: Final = {kind: action(kind, template=f"{kind} %s") for kind in GIVE_ACTIONS}
"""The same actions in the events of other seats, to which the position is not known."""
STAND: Final = action("stand")
KNOCK: Final = action("knock")
DECLINE: Final = action("decline")
CONTINUE: Final = action("continue")
WORD_ACTIONS: Final[dict[str, Action]] = {each.kind: each for each in (STAND, KNOCK, DECLINE, CONTINUE)}
"""The actions without a card, by their notation."""
STAND_OR_CONTINUE: Final = LegalActions((STAND, CONTINUE), default=CONTINUE)
"""After one's own exchange, in games that let one stand then."""
OFFER_ACTIONS: Final = {each.kind: each for each in HORSE.actions}
"""The answers to the offer of a horse, by their notation."""

HIDDEN_CARD: Final = (HIDDEN,)


def shift_seats(order: tuple[int, ...], step: int) -> tuple[int, ...]:
    """Return by seat the one `step` places later in the order; a seat not in it gets itself."""
    after = list(range(max(order) + 1))
    for place, seat in enumerate(order):
        after[seat] = order[(place + step) % len(order)]
    return tuple(after)


@lru_cache(maxsize=1 << 12)
def find_neighbours(order: tuple[int, ...], step: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return by seat whose turn is next, and the partner `step` places later."""
    return shift_seats(order, 1), shift_seats(order, step)


class BarterDeal(Deal):
    """A deal of trade and barter."""

    rules: BarterRules

    def __init__(
        self, rules: BarterRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(rules, opening, hands, table, stock)
        self.following, self.neighbour = find_neighbours(opening.order, rules.partner_step)
        self.offer: Event | None = None
        """The barter that has not been answered yet."""
        self.satisfied: tuple[int, ...] = ()
        """The seats that stand, in the order in which they did."""
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
        """Ask the seat whose turn it is. Source: S001, rulings B5, B6, B23."""
        seat, rules = self.turn, self.rules
        has_partner = not self.satisfied or self._find_unsatisfied(seat, self.neighbour) != seat
        may_stop = not rules.needs_rank_to_knock or rules.rank_table[self.hands[seat]].category != "nothing"
        self.ask_seat(seat, rules.turns[may_barter and has_partner, may_stop], TAKE_TURN)

    def _find_unsatisfied(self, seat: int, after: tuple[int, ...]) -> int:
        """Return the next seat that is not satisfied; the same seat if there is no other."""
        seat = after[seat]
        while seat in self.satisfied:
            seat = after[seat]
        return seat

    def _take_turn(self, seat: int, done: Action) -> None:
        kind = done.kind
        if kind == "trade":
            self._trade(seat, done)
            self._finish_exchange()
        elif kind == "barter":
            self.offer = self._record_giving(seat, done)
            self.ask_seat(self._find_unsatisfied(seat, self.neighbour), self.rules.answers, ANSWER)
        else:
            self.record(seat, done)
            if self._stand(seat):
                self._next_turn()

    def _trade(self, seat: int, done: Action) -> None:
        """Take the top card of the stock; the card given goes under it unseen. Source: rulings B4, B15."""
        event = self._record_giving(seat, done)
        self._replace(event, self.stock.draw())
        self.stock.put_under(event.cards)
        self.holdings = self.rules.settlement.pay_trade(self.holdings, seat, self.opening.dealer)

    def _answer(self, seat: int, done: Action) -> None:
        """Exchange the partner's card for the one offered, or refuse. Source: rulings B2, B3, B22, R16."""
        offer = self.offer
        assert offer
        self.offer = None
        if done.give:
            given = self._record_giving(seat, done)
            self._announce_to_partners(offer, given)
            self._replace(offer, given.cards[0])
            self._replace(given, offer.cards[0])
            self._finish_exchange()
        else:
            self.record(seat, done)
            if done is DECLINE or self._stand(seat):
                self._ask_turn(may_barter=done is not DECLINE)

    def _finish_exchange(self) -> None:
        if self.rules.stand_afterwards:
            self.ask_seat(self.turn, STAND_OR_CONTINUE, STANDING)
        else:
            self._next_turn()

    def _stand_or_continue(self, seat: int, done: Action) -> None:
        """Stand at once after one's own exchange, or continue. Source: S001, ruling B6."""
        self.record(seat, done)
        if done is CONTINUE or self._stand(seat):
            self._next_turn()

    def _stand(self, seat: int) -> bool:
        """Note that a seat is satisfied; return whether the deal goes on. Source: rulings B7, W26, R16."""
        self.satisfied += (seat,)
        if not self.rules.until_all:
            self._showdown(stander=seat)
        elif len(self.satisfied) == len(self.opening.order):
            self._showdown(stander=None)
        return self.changes is None

    def _next_turn(self) -> None:
        """Pass the turn on; after the last round the hands are shown. Source: ruling B16."""
        order = self.opening.order
        seat = self._find_unsatisfied(self.turn, self.following)
        if order.index(seat) <= order.index(self.turn):
            self.round += 1
        self.turn = seat
        if self.round > self.rules.rounds:
            self._showdown(stander=None)
        else:
            self._ask_turn()

    # --- cards ---

    def _replace(self, given: Event, taken: Card) -> None:
        """Put the card taken where the card given was."""
        seat = given.seat
        assert seat is not None
        hand = list(self.hands[seat])
        hand[given.action.give[0]] = taken
        self.hands[seat] = tuple(hand)

    def _record_giving(self, seat: int, done: Action) -> Event:
        """Record that a card was given; only the giver learns which."""
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

    def _announce_to_partners(self, offer: Event, given: Event) -> None:
        """Tell both partners the card they get, but not its position in the other hand. Source: ruling B3."""
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
        """Show all hands and settle. Source: rulings B7, B16."""
        self.show_all()
        self.end_after_offers(self.settle_hands(stander))


TAKE_TURN: Final[Phase] = BarterDeal._take_turn
ANSWER: Final[Phase] = BarterDeal._answer
STANDING: Final[Phase] = BarterDeal._stand_or_continue
