"""Knock Poker: draw and discard for the best poker hand, and knock when yours is good enough.

For two to six with 52 cards. Each player is dealt five cards; one more is turned up beside the stock. The
player whose turn it is takes the card turned up or draws from the stock, and discards a card face up, which
is the next to take. From the second turn on one may knock instead: the others then have one more turn each,
and all hands are shown. If the stock is empty, or after `turns` turns each, the hands are shown as they are.

The best hand by poker's ranks wins a chip from each other player. A player who has knocked and is beaten pays
two. Players with equally good hands share what they win, and what cannot be shared goes to the first of them
from the dealer's left. After `deals` deals most chips win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from arena.games.authoring import (
    Action,
    Changes,
    ChipSettlement,
    Deal,
    Hand,
    Holdings,
    PokerRanking,
    Rules,
    Showdown,
    View,
    action,
    find_best,
    option,
    share,
)

DRAW: Final = action("draw")
TAKE: Final = action("take", take=(0,), template="take %s")
KNOCK: Final = action("knock")
DISCARDS: Final = [action("discard", give=(slot,), template="discard %s") for slot in range(6)]
"""Actions of a seat, which have the slot of the card in its hand."""
DISCARDED: Final = action("discard", template="discard %s")
"""Event of a discard: nobody else may know where in the hand the card was."""
TURNED_UP: Final = action("turned up", template="turned-up %s")


class KnockView(View, frozen=True, eq=False):
    """All that a seat may know: what `View` has, and what lies on the table."""

    table: Hand
    """The card that can be taken."""
    known: tuple[Hand, ...]
    """Cards that each seat has taken face up; the deal follows them."""
    stock_left: int
    knocker: int | None


class KnockDeal(Deal):
    """A deal: each turn is a card taken or drawn, and a discard."""

    view_type: ClassVar[type[View]] = KnockView

    def begin_play(self) -> None:
        self.up = self.table_dealt
        self.turns = 0
        self.knocker: int | None = None
        self.announce(None, TURNED_UP, self.up)
        self.ask_turn(self.opening.order[0])

    def view_fields(self, seat: int) -> dict[str, Any]:
        return {
            "table": self.up,
            "stock_left": self.stock.left,
            "knocker": self.knocker,
        }

    def ask_turn(self, seat: int) -> None:
        """Ask a seat for its turn, or show the hands if there is none left."""
        players = len(self.opening.order)
        is_over = self.turns == self.rules.turns * players or not self.stock.left
        if seat == self.knocker or (is_over and self.knocker is None):
            self.show_all()
            self.settle(self.knocker)
            return
        can = [TAKE, *([DRAW] if self.stock.left else [])]
        if self.turns >= players and self.knocker is None:
            can.append(KNOCK)
        self.ask_seat(seat, can, KnockDeal.begin_turn, default=TAKE)

    def begin_turn(self, seat: int, done: Action) -> None:
        """Take a card and ask for the discard, or knock."""
        self.turns += 1
        if done is KNOCK:
            self.record(seat, KNOCK)
            self.knocker = seat
            self.ask_turn(self.next_seat(seat))
            return
        if done is TAKE:
            self.record(seat, TAKE, self.up)
            self.hands[seat] += self.up
            self.up = ()
        else:
            self.draw_hidden(seat, DRAW)
        self.ask_seat(seat, DISCARDS, KnockDeal.discard)

    def discard(self, seat: int, done: Action) -> None:
        """Discard a card, and pass the turn."""
        self.up = self.give_up(seat, done.give[0])
        self.record(seat, DISCARDED, self.up)
        self.ask_turn(self.next_seat(seat))


@dataclass(frozen=True, kw_only=True)
class Stakes(ChipSettlement):
    """The best hand wins a chip from each other player, and two from one who has knocked."""

    is_zero_sum: ClassVar[bool] = True

    deals: int = option(6, "deals of a match", low=1)

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(chips=(0,) * players, went_out=(None,) * players)

    def settle(self, showdown: Showdown) -> Changes:
        ranks, order = showdown.ranks, showdown.order
        best = ranks[find_best(ranks, order)]
        winners = [seat for seat in order if ranks[seat] == best]
        chips = [0] * len(ranks)
        for seat in order:
            if seat not in winners:
                chips[seat] = -2 if seat == showdown.knocker else -1
        share(-sum(chips), winners, chips)
        return Changes(chips=tuple(chips))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == self.deals


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class KnockPokerRules(Rules):
    """The rules: what is dealt to how many, and the parts above."""

    family: ClassVar[str] = "knock-poker"
    deal_type: ClassVar[type[Any]] = KnockDeal
    hand_size: int = 5
    table_size: int = 1
    max_players: int = 6
    turns: int = option(8, "turns of each player", low=2)

    def list_actions(self, players: int) -> Sequence[Action]:
        return [DRAW, TAKE, KNOCK, *DISCARDS]


GAME: Final = KnockPokerRules(
    name="knock-poker",
    title="Draw and discard for the best poker hand, and knock.",
    source="traditional",
    ranking=PokerRanking(),
    settlement=Stakes(),
)
