"""The state machine: two cards turned up by each, then turns until one seat has all its cards face up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from arena.games.authoring import HIDDEN, Action, Card, Deal, Hand
from golf_six.actions import (
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    FACES,
    LAID,
    PLACES,
    REMOVALS,
    RESHUFFLED,
    SKIP,
    TURNS,
)
from golf_six.view import GridView

if TYPE_CHECKING:
    from golf_six.rules import GridRules

FIRST_TURNED: Final = 2
"""Cards that each seat turns up before play. Source: the rule pages, "The deal"."""


class GridDeal(Deal):
    """A deal of six-card Golf or Skyjo."""

    view_type = GridView
    rules: GridRules

    def begin_play(self) -> None:
        """Turn up the first discard and ask for the first cards to turn up."""
        self.pile: Hand = self.table_dealt
        self.drawn: Card | None = None
        self.closer: int | None = None
        self.took_discard = False
        self.turns = 0
        self.up = tuple([(False,) * len(hand) for hand in self.hands])
        """By seat and place, whether a card is face up."""
        self.announce(None, LAID, self.pile)
        self._ask_opening(self.opening.order[0])

    # --- what a seat may know ---

    def face_up(self, seat: int) -> Hand:
        """Return the cards in front of a seat, `??` for those face down."""
        return tuple([c if up else HIDDEN for c, up in zip(self.hands[seat], self.up[seat], strict=True)])

    def visible_hand(self, seat: int) -> Hand:
        return self.face_up(seat)

    def visible_dealt(self, seat: int) -> Hand:
        return (HIDDEN,) * len(self.dealt[seat])

    def view_fields(self, seat: int) -> dict[str, Any]:
        is_hidden = self.drawn is not None and seat != self.to_act and not self.took_discard
        return {
            "known": tuple([self.face_up(other) for other in range(self.opening.players)]),
            "discard": self.pile,
            "drawn": HIDDEN if is_hidden else self.drawn,
            "stock_left": self.stock.left,
            "closer": self.closer,
            "turns": self.turns,
        }

    # --- before the first turn ---

    def _ask_opening(self, seat: int) -> None:
        if sum(self.up[seat]) < FIRST_TURNED:
            self.ask_seat(seat, self._turn_actions(seat), GridDeal._open, default=self._turn_actions(seat)[0])
        elif seat != self.opening.order[-1]:
            self._ask_opening(self.next_seat(seat))
        else:
            self._ask_turn(self.rules.first_turn.find_seat(self))

    def _open(self, seat: int, done: Action) -> None:
        self.record(seat, done)
        self._turn_up(seat, done.give[0])
        self._ask_opening(seat)

    def _turn_actions(self, seat: int) -> Sequence[Action]:
        return [TURNS[slot] for slot, up in enumerate(self.up[seat]) if not up]

    # --- turns ---

    def _ask_turn(self, seat: int) -> None:
        """Ask for a draw; or end the deal, if the others have had their last turn or the rounds are over."""
        limit = self.rules.rounds * len(self.opening.order)
        if seat == self.closer or (self.closer is None and self.turns == limit):
            self.show_all()
            self.settle(self.closer)
            return
        self.turns += 1
        can_draw = self.stock.left > 0 or len(self.pile) > 1
        draws = (DRAW_STOCK, DRAW_DISCARD) if can_draw else (DRAW_DISCARD,)
        self.ask_seat(seat, draws, GridDeal._draw, default=draws[0])

    def _draw(self, seat: int, done: Action) -> None:
        self.took_discard = done is DRAW_DISCARD
        places = PLACES[: len(self.hands[seat])]
        if self.took_discard:
            self.drawn, self.pile = self.pile[-1], self.pile[:-1]
            self.record(seat, done, (self.drawn,))
            self.ask_seat(seat, places, GridDeal._put_down)
            return
        if not self.stock.left:
            self._reshuffle()
        self.drawn = self.stock.draw()
        self.record_partial(seat, done, (self.drawn,), (HIDDEN,), (seat,))
        self.ask_seat(seat, (*places, DISCARD), GridDeal._put_down)

    def _reshuffle(self) -> None:
        """Make a stock of the discards below the top card. Source: the rule page, "A turn"."""
        under, self.pile = self.pile[:-1], self.pile[-1:]
        self.stock.refill(under)
        self.announce(None, RESHUFFLED, under)

    def _put_down(self, seat: int, done: Action) -> None:
        """Put the card drawn in the place of another, or discard it."""
        card, self.drawn = self.drawn, None
        assert card is not None
        self.record(seat, done)
        if done is DISCARD:
            self._lay(card)
            self._ask_turning(seat)
            return
        (slot,), hand = done.give, self.hands[seat]
        self.hands[seat] = (*hand[:slot], card, *hand[slot + 1 :])
        self._turn_up(seat, slot)
        self._lay(hand[slot])
        self._remove_column(seat, slot)
        self._end_turn(seat)

    def _ask_turning(self, seat: int) -> None:
        """Ask which card is turned up after the card drawn was discarded."""
        turns, turning = self._turn_actions(seat), self.rules.turning
        if not turns or turning == "never":
            self._end_turn(seat)
        elif turning == "may":
            self.ask_seat(seat, (*turns, SKIP), GridDeal._turn)
        else:
            self.ask_seat(seat, turns, GridDeal._turn, default=turns[0])

    def _turn(self, seat: int, done: Action) -> None:
        self.record(seat, done)
        if done is not SKIP:
            self._turn_up(seat, done.give[0])
            self._remove_column(seat, done.give[0])
        self._end_turn(seat)

    def _end_turn(self, seat: int) -> None:
        if self.closer is None and all(self.up[seat]):
            self.closer = seat
        self._ask_turn(self.next_seat(seat))

    # --- cards ---

    def _lay(self, card: Card) -> None:
        self.pile += (card,)
        self.announce(None, LAID, (card,))

    def _turn_up(self, seat: int, slot: int) -> None:
        """Make a card face up, and say which it is."""
        up = self.up[seat]
        self._set_up(seat, (*up[:slot], True, *up[slot + 1 :]))
        self.announce(None, FACES[seat][slot], (self.hands[seat][slot],))

    def _remove_column(self, seat: int, slot: int) -> None:
        """Discard the column of a place, if its cards are face up and equal, and the rules say so."""
        rows, hand, up = self.rules.rows, self.hands[seat], self.up[seat]
        start = slot - slot % rows
        end = start + rows
        column = hand[start:end]
        if not self.rules.removes or not all(up[start:end]) or len({c.rank for c in column}) > 1:
            return
        self.hands[seat] = hand[:start] + hand[end:]
        self._set_up(seat, up[:start] + up[end:])
        self.pile += column
        self.announce(None, REMOVALS[seat][start], column)

    def _set_up(self, seat: int, up: tuple[bool, ...]) -> None:
        self.up = (*self.up[:seat], up, *self.up[seat + 1 :])
