"""Golf with four cards: whoever needs the fewest strokes wins.

Each player is dealt four cards face down and looks at the first two. The player whose turn it is draws the
top card of the stock or of the discard pile, and puts it in the place of one of the four cards, which is
discarded face up; a card from the stock may be discarded itself. Instead of drawing one may knock: then the
others have one more turn each. An ace costs one stroke, a king none, other court cards and the ten cost ten
each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from arena.games.authoring import (
    HIDDEN,
    Action,
    Card,
    Changes,
    Deal,
    Hand,
    Holdings,
    Rules,
    Settlement,
    Showdown,
    View,
    action,
    compute_placings,
    option,
)

Counts = tuple[int, ...]

DRAW_STOCK: Final = action("draw", template="draw stock")
DRAW_DISCARD: Final = action("draw", template="draw discard")
KNOCK: Final = action("knock")
DROP: Final = action("drop")
PLACES: Final = [action("place", template=f"place {place}") for place in (1, 2, 3, 4)]
LOOKED_AT: Final = (True, True, False, False)
UPCARD: Final = action("upcard", template="upcard %s")
"""Act of the table: it turns up the first card of the discard pile, and each card that is discarded."""
STROKES: Final = {"A": 1, "K": 0} | dict.fromkeys("TJQ", 10)


def count_strokes(hand: Hand) -> int:
    return sum([STROKES[c.rank] if c.rank in STROKES else int(c.rank) for c in hand])


class GolfView(View, frozen=True, eq=False):
    """The view of a seat: its hand and what is beside it."""

    discard: Hand
    drawn: Card | None
    stock_left: int
    knocker: int | None


class GolfDeal(Deal):
    """A deal: turns of a draw and what becomes of the card, until a seat knocks."""

    view_type = GolfView

    def begin_play(self) -> None:
        self.pile = self.table_dealt
        self.drawn: Card | None = None
        self.knocker: int | None = None
        self.seen: dict[int, tuple[bool, ...]] = dict.fromkeys(self.opening.order, LOOKED_AT)
        self.announce(None, UPCARD, self.pile)
        self.ask_turn(self.opening.order[0])

    def visible_hand(self, seat: int) -> Hand:
        seen = self.seen.get(seat, ())
        return tuple([c if is_seen else HIDDEN for c, is_seen in zip(self.hands[seat], seen, strict=True)])

    def visible_dealt(self, seat: int) -> Hand:
        return (*self.dealt[seat][:2], HIDDEN, HIDDEN) if self.dealt[seat] else ()

    def view_fields(self, seat: int) -> dict[str, Any]:
        drawn = self.drawn if seat == self.to_act else None
        return {"discard": self.pile, "drawn": drawn, "stock_left": self.stock.left, "knocker": self.knocker}

    def ask_turn(self, seat: int) -> None:
        if seat == self.knocker or not self.stock.left:
            self.show_all()
            strokes = tuple([count_strokes(hand) for hand in self.hands])
            self.end(Changes(other={"strokes": strokes}))
        else:
            knock = [KNOCK] if self.knocker is None else []
            self.ask_seat(seat, [DRAW_STOCK, DRAW_DISCARD, *knock], GolfDeal.take_turn, default=DRAW_STOCK)

    def take_turn(self, seat: int, done: Action) -> None:
        if done is KNOCK:
            self.record(seat, KNOCK)
            self.knocker = seat
            self.ask_turn(self.next_seat(seat))
        elif done is DRAW_STOCK:
            self.drawn = self.stock.draw()
            self.record_partial(seat, done, (self.drawn,), (HIDDEN,), (seat,))
            self.ask_seat(seat, [*PLACES, DROP], GolfDeal.put_down)
        else:
            self.drawn, self.pile = self.pile[-1], self.pile[:-1]
            self.record(seat, done, (self.drawn,))
            self.ask_seat(seat, PLACES, GolfDeal.put_down)

    def put_down(self, seat: int, done: Action) -> None:
        gone = self.drawn
        assert gone is not None
        self.record(seat, done)
        if done is not DROP:
            slot, hand = PLACES.index(done), list(self.hands[seat])
            gone, hand[slot] = hand[slot], gone
            self.hands[seat] = tuple(hand)
            known = [is_seen or place == slot for place, is_seen in enumerate(self.seen[seat])]
            self.seen = {**self.seen, seat: tuple(known)}
        self.pile += (gone,)
        self.drawn = None
        self.announce(None, UPCARD, (gone,))
        self.ask_turn(self.next_seat(seat))


@dataclass(frozen=True, kw_only=True)
class Strokes(Settlement):
    """Strokes, a unit of the game's own, added up over the deals of a match."""

    deals: int = option(2, "deals in a match", low=1)

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(other={"strokes": (0,) * players}, went_out=(None,) * players)

    def settle(self, showdown: Showdown) -> Changes:
        raise NotImplementedError("a deal of golf counts the strokes itself")

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == self.deals

    def placings(self, holdings: Holdings, start: Holdings) -> Counts:
        return compute_placings([(payoff,) for payoff in self.payoffs(holdings, start)])

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        assert holdings.other is not None
        assert start.other is not None
        needed = zip(start.other["strokes"], holdings.other["strokes"], strict=True)
        return tuple([before - now for before, now in needed])

    def deal_payoffs(self, changes: Changes) -> Counts:
        assert changes.other is not None
        return tuple([-strokes for strokes in changes.other["strokes"]])


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GolfRules(Rules):
    """The rules of golf."""

    family: ClassVar[str] = "golf"
    deal_type: ClassVar[type[Any]] = GolfDeal
    hand_size: int = 4
    table_size: int = 1
    max_players: int = 6

    def list_actions(self, players: int) -> Sequence[Action]:
        return [DRAW_STOCK, DRAW_DISCARD, KNOCK, *PLACES, DROP]


golf: Final = GolfRules(name="golf", title="The fewest strokes with four cards win.", settlement=Strokes())
