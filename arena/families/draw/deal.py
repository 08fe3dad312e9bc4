"""The state machine of the draw family: each seat in turn draws a card and discards one, or knocks."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from arena.families.draw.view import DrawView
from arena.games.action import Action, LegalActions, action
from arena.games.cards import HIDDEN, Hand
from arena.games.deal import Deal
from arena.games.opening import Opening
from arena.games.rankings.suit_totals import must_be_shown
from arena.games.stock import Stock

if TYPE_CHECKING:
    from arena.families.draw.rules import DrawRules

DRAW_STOCK: Final = action("draw", template="draw stock")
DRAW_DISCARD: Final = action("draw", take=(0,), template="draw discard")
KNOCK: Final = action("knock")
DISCARDED: Final = action("discard", template="discard %s")
"""A discard in the events: the card is public, its position in the hand is not."""

TURN: Final = LegalActions((DRAW_STOCK, DRAW_DISCARD, KNOCK), default=DRAW_STOCK)
DRAW_ONLY: Final = LegalActions((DRAW_STOCK, DRAW_DISCARD), default=DRAW_STOCK)
"""The actions of a turn in rounds without knocking, and in the last turns."""


def discard(position: int) -> Action:
    """Return the discard of the card at a position of the hand; the last is the one drawn this turn."""
    return action("discard", give=(position,), template="discard %s")


@cache
def discard_actions(held: int, must_keep: bool) -> LegalActions:
    """Return the discards of `held` cards; `must_keep`: not of the card drawn. Source: sheet B5."""
    positions = range(held - must_keep)
    return LegalActions([discard(position) for position in positions], default=discard(positions[-1]))


UNSEEN = (HIDDEN,)


class DrawDeal(Deal):
    """A deal of a game with a stock and a discard pile."""

    rules: DrawRules

    def __init__(
        self, rules: DrawRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(rules, opening, hands, table, stock)
        self.pile = table
        """The discard pile, its top card last."""
        self.round = 1
        self.knocker: int | None = None
        self.usual = TURN if rules.min_round == 1 else DRAW_ONLY
        """The actions with which a turn begins."""

    def begin_play(self) -> None:
        order, table = self.opening.order, self.rules.rank_table
        shown = [seat for seat in order if must_be_shown(table[self.hands[seat]])]
        if shown:
            self._show_at_once(shown)
        else:
            self._ask_turn(order[0])

    def view(self, seat: int) -> DrawView:
        return DrawView(
            self.opening,
            seat,
            self.hands[seat],
            self.legal_actions.actions if seat == self.to_act else (),
            self.holdings,
            self.public,
            self.private_events[seat],
            self.dealt[seat],
            self.pile,
            self.stock.left,
            self.knocker,
            self.table_dealt[0],
        )

    # --- turns ---

    def _ask_turn(self, seat: int) -> None:
        self.ask_seat(seat, self.usual, DrawDeal._take_turn)

    def _take_turn(self, seat: int, done: Action) -> None:
        """Draw a card, or knock. Source: sheet B5."""
        if done is KNOCK:
            self._knock(seat)
            return
        if done is DRAW_STOCK:
            self._draw(seat)
        else:
            top = self.pile[-1:]
            self.pile = self.pile[:-1]
            self.hands[seat] += top
            self.record(seat, done, top)
        discards = discard_actions(len(self.hands[seat]), done is not DRAW_STOCK)
        self.ask_seat(seat, discards, DrawDeal._discard)

    def _draw(self, seat: int) -> None:
        if not self.stock.left:
            self.stock.refill(self.pile[:-1])
            self.pile = self.pile[-1:]
        self.draw_hidden(seat, DRAW_STOCK)

    def _discard(self, seat: int, done: Action) -> None:
        """Discard a card; a 31 made by it is shown at once. Source: sheet B5, ruling R12."""
        discarded = self.give_up(seat, done.give[0])
        self.pile += discarded
        self.record(seat, DISCARDED, discarded)
        if must_be_shown(self.rules.rank_table[self.hands[seat]]):
            self._show_at_once([seat])
        else:
            self._next_turn(seat)

    def _knock(self, seat: int) -> None:
        """Knock: it is the whole turn, and the others have one more each."""
        is_first_action = not self.log
        self.record(seat, KNOCK)
        self.knocker = seat
        self.usual = DRAW_ONLY
        if is_first_action and self.rules.instant_knock:
            self._showdown()
        else:
            self._next_turn(seat)

    def _next_turn(self, seat: int) -> None:
        """Pass the turn on, into a new round where the eldest comes again."""
        seat = self.next_seat(seat)
        if seat == self.knocker or (seat == self.opening.order[0] and not self._new_round()):
            self._showdown()
        elif not self.stock.left and self.rules.stock_out == "drawn":
            self.end(self.rules.settlement.void_deal(self.opening.holdings))
        else:
            self._ask_turn(seat)

    def _new_round(self) -> bool:
        """Begin another round if there is one; return whether there is. Source: rulings R8, R31."""
        if self.knocker is None:
            if self.round == self.rules.rounds:
                return False
            self.round += 1
            if self.round >= self.rules.min_round:
                self.usual = TURN
        return True

    # --- the end ---

    def _show_at_once(self, seats: Sequence[int]) -> None:
        """End the deal with hands of 31; the others need not be shown."""
        for seat in seats:
            self.show(seat)
        self.settle(self.knocker)

    def _showdown(self) -> None:
        self.show_all()
        self.settle(self.knocker)
