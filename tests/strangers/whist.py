"""Small whist: follow suit if you can; the highest card of the suit led takes the trick.

The default sampler of its views deals hands with which all that a seat has seen was legal.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from arena.games.authoring import (
    Action,
    Card,
    Changes,
    Deal,
    Hand,
    PointsOverDeals,
    Rules,
    View,
    action,
    add_at,
)

PLAYS: Final = [action("play", give=(slot,), template="play %s") for slot in range(13)]
PLAYED: Final = action("play", template="play %s")


class WhistView(View, frozen=True, eq=False):
    """All that a seat may know."""

    table: Hand
    """The cards of the trick so far."""
    tricks: tuple[int, ...]


class WhistDeal(Deal):
    """A deal: the eldest leads, then who takes a trick."""

    view_type: ClassVar[type[View]] = WhistView

    def begin_play(self) -> None:
        self.tricks = (0,) * self.opening.players
        self.lead(self.opening.order[0])

    def view_fields(self, seat: int) -> dict[str, Any]:
        return {"table": self.trick, "tricks": self.tricks}

    def lead(self, seat: int) -> None:
        """Begin a trick, or end the deal after the last one."""
        self.trick: Hand = ()
        self.seats: tuple[int, ...] = ()
        if self.hands[seat]:
            self.ask_seat(seat, PLAYS[: len(self.hands[seat])], WhistDeal.play_card)
        else:
            self.end(Changes(points=self.tricks))

    def play_card(self, seat: int, done: Action) -> None:
        """Put a card on the table; the last one decides who takes the trick."""
        card = self.give_up(seat, done.give[0])
        self.trick += card
        self.seats += (seat,)
        self.record(seat, PLAYED, card)
        if len(self.trick) < len(self.opening.order):
            self.follow(self.next_seat(seat))
            return
        suit = self.trick[0].suit
        best = max([c for c in self.trick if c.suit == suit], key=self.height)
        taker = self.seats[self.trick.index(best)]
        self.tricks = add_at(self.tricks, taker, 1)
        self.lead(taker)

    def height(self, card: Card) -> int:
        ranks: tuple[str, ...] = self.rules.whole_pack.ranks
        return ranks.index(card.rank)

    def follow(self, seat: int) -> None:
        """Ask for a card of the suit led, or any if there is none."""
        hand, suit = self.hands[seat], self.trick[0].suit
        same = [play for play, card in zip(PLAYS, hand, strict=False) if card.suit == suit]
        self.ask_seat(seat, same or PLAYS[: len(hand)], WhistDeal.play_card)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WhistRules(Rules):
    """The rules of small whist."""

    family: ClassVar[str] = "whist"
    deal_type: ClassVar[type[Any]] = WhistDeal
    hand_size: int = 5
    max_players: int = 4

    @property
    def least_stock(self) -> int:
        return 0


GAME: Final = WhistRules(
    name="whist",
    title="Take the most tricks.",
    source="traditional",
    settlement=PointsOverDeals(deals=2),
)
