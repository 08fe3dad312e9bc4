"""The state machine of the cuckoo family: each seat keeps its card or demands the next one's for it."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from arena.families.cuckoo.view import STOCK, CuckooView
from arena.games.action import Action, Event, LegalActions, action, show_action
from arena.games.cards import HIDDEN, Hand
from arena.games.deal import Deal
from arena.games.opening import Opening
from arena.games.stock import Stock

if TYPE_CHECKING:
    from arena.families.cuckoo.rules import CuckooRules

KEEP: Final = action("keep")
SWAP: Final = action("swap")
TURN: Final = LegalActions((KEEP, SWAP), default=KEEP)
KEEP_ALONE: Final = LegalActions((KEEP,), default=KEEP)
"""The action of a seat whose next neighbour has shown a card that refuses every swap."""


@cache
def completed_swap(partner: int) -> Action:
    """Return a swap that was made, in the events: with this seat, or the `STOCK`."""
    return action("swap", take=(partner,))


@cache
def seen_swap(partner: int) -> Action:
    """Return the same as the seats see it that know its cards: `swap 5D>9S`."""
    return action("swap", take=(partner,), template="swap %s>%s")


UNSEEN = (HIDDEN, HIDDEN)


@cache
def find_next_seats(order: tuple[int, ...]) -> Mapping[int, int]:
    """Return by seat the one after it; the dealer has none and swaps with the stock."""
    return dict(pairwise(order))


class CuckooDeal(Deal):
    """A deal of one card each."""

    rules: CuckooRules

    def __init__(
        self, rules: CuckooRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(rules, opening, hands, table, stock)
        self.following = find_next_seats(opening.order)
        self.revealed: frozenset[int] = frozenset()
        """Seats that have shown a card that refuses every swap: they have no turn."""

    def begin_play(self) -> None:
        rules, table = self.rules, self.table_dealt
        order, dealer = self.opening.order, self.opening.dealer
        if table:
            self.hands[dealer] = (rules.best(self.hands[dealer] + table),)
        if rules.expose_kings:
            for seat in order:
                if self.hands[seat][0].rank == rules.refusing:
                    self._refuse(seat)
        self._ask_turn(order[0])

    def view(self, seat: int) -> CuckooView:
        return CuckooView(
            self.opening,
            seat,
            self.hands[seat],
            self.legal_actions.actions if seat == self.to_act else (),
            self.holdings,
            self.public,
            self.private_events[seat],
            self.dealt[seat],
            self.table_dealt if seat == self.opening.dealer else (HIDDEN,) * len(self.table_dealt),
            self.stock.left,
        )

    def _ask_turn(self, seat: int | None) -> None:
        """Ask this seat, or the next one that has not shown a card that refuses every swap."""
        while seat is not None and seat in self.revealed:
            seat = self.following.get(seat)
        if seat is None:
            self._showdown()
        else:
            actions = KEEP_ALONE if self.following.get(seat) in self.revealed else TURN
            self.ask_seat(seat, actions, CuckooDeal._take_turn)

    def _take_turn(self, seat: int, done: Action) -> None:
        """Keep the card, or swap it. Source: sheet B10."""
        if done is KEEP:
            self.record(seat, done)
        else:
            self._demand(seat)
        self._ask_turn(self.following.get(seat))

    def _demand(self, seat: int) -> None:
        """Demand the card of the next seat that does not pass the swap on, or else of the stock."""
        rules, passed = self.rules, []
        partner = self.following.get(seat)
        while partner is not None and self.hands[partner][0].rank == rules.passing:
            passed.append(partner)
            partner = self.following.get(partner)
        offered = (self.stock.draw(),) if partner is None else self.hands[partner]
        refused = offered[0].rank == rules.refusing and (partner is not None or not rules.stock_king_ok)
        if refused:
            self.record(seat, SWAP)
        else:
            self._swap(seat, partner, offered)
        for holder in passed:
            self.show(holder)
        if refused and partner is not None:
            self._refuse(partner)
        elif refused:
            self.announce(None, show_action(seat, 1), offered)

    def _swap(self, seat: int, partner: int | None, offered: Hand) -> None:
        """Swap two cards; only the seats that held them learn which they are."""
        given = self.hands[seat]
        self.hands[seat] = offered
        other, knowers = (STOCK, (seat,)) if partner is None else (partner, (seat, partner))
        if partner is not None:
            self.hands[partner] = given
        cards = given + offered
        self.log.append(Event(None, self.event_count, seat, completed_swap(other), cards))
        seen = Event(None, self.event_count, seat, seen_swap(other), cards)
        self.announce(seat, completed_swap(other), UNSEEN)
        for knower in knowers:
            self.announce_to(knower, seen, replaces_public=True)

    def _refuse(self, seat: int) -> None:
        """Show a card that refuses every swap: its seat has no turn."""
        self.show(seat)
        self.revealed |= {seat}

    def _showdown(self) -> None:
        self.show_all()
        self.settle()
