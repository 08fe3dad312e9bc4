"""Ranter with two cards: pass your worse card on, and do not have the lowest total at the end.

Each player has two cards. From the dealer's left, each in turn keeps, or offers one of the two to the next
player, who must give a card back, unless that player shows a king. The dealer, who is last, may change a card
with the stock instead. The player with the lowest total loses a token; with equal totals all of them do.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from arena.games.authoring import (
    HIDDEN,
    Action,
    Changes,
    Deal,
    Hand,
    HandRank,
    Pack,
    Ranking,
    Rules,
    Showdown,
    TokenSettlement,
    View,
    action,
    find_worst,
    option,
)

KEEP: Final = action("keep")
OFFER: Final = [action("offer", give=(slot,), template="offer %s") for slot in (0, 1)]
OFFERED: Final = action("offer", template="offer %s")
GIVE: Final = [action("give", give=(slot,), template="give %s") for slot in (0, 1)]
GIVEN: Final = action("give", template="give %s")
REFUSE: Final = action("refuse")
KING: Final = action("king", template="king %s")
CHANGE: Final = [action("change", give=(slot,), template="change %s") for slot in (0, 1)]
CHANGED: Final = action("change", template="change %s")
DRAWN: Final = action("drawn", template="drawn %s")


@dataclass(frozen=True, kw_only=True)
class Total(Ranking):
    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        """Aces count one, court cards ten."""
        total = sum([10 if c.rank in "TJQK" else 1 if c.rank == "A" else int(c.rank) for c in hand])
        return HandRank(total, (), "total", total)


class RanterView(View, frozen=True, eq=False):
    stock_left: int
    known: tuple[Hand, ...]


class RanterDeal(Deal):
    view_type: ClassVar[type[View]] = RanterView

    def begin_play(self) -> None:
        self.offered: Hand = ()
        self.ask_turn(self.opening.order[0])

    def view_fields(self, seat: int) -> dict[str, Any]:
        return {"stock_left": self.stock.left}

    def ask_turn(self, seat: int) -> None:
        if seat == self.opening.order[-1]:
            self.ask_seat(seat, [*CHANGE, KEEP], RanterDeal.dealer_turn)
        else:
            self.ask_seat(seat, [*OFFER, KEEP], RanterDeal.take_turn)

    def take_turn(self, seat: int, done: Action) -> None:
        if done is KEEP:
            self.record(seat, KEEP)
            self.ask_turn(self.next_seat(seat))
            return
        self.offered = self.give_up(seat, done.give[0])
        self.record_partial(seat, OFFERED, self.offered, (HIDDEN,), (seat,))
        other = self.next_seat(seat)
        can = list(GIVE)
        if any(c.rank == "K" for c in self.hands[other]):
            can.append(REFUSE)
        self.ask_seat(other, can, RanterDeal.answer, default=GIVE[0])

    def answer(self, other: int, done: Action) -> None:
        seat = self.opening.order[self.opening.order.index(other) - 1]
        if done is REFUSE:
            self.record(other, REFUSE)
            king = tuple([c for c in self.hands[other] if c.rank == "K"])[:1]
            self.announce(None, KING, king)
            self.hands[seat] += self.offered
        else:
            card = self.give_up(other, done.give[0])
            self.record_partial(other, GIVEN, card, (HIDDEN,), (other, seat))
            self.hands[seat] += card
            self.hands[other] += self.offered
        self.offered = ()
        self.ask_turn(other)

    def dealer_turn(self, seat: int, done: Action) -> None:
        if done is KEEP:
            self.record(seat, KEEP)
        else:
            card = self.give_up(seat, done.give[0])
            self.record_partial(seat, CHANGED, card, (HIDDEN,), (seat,))
            self.deal_hidden(seat, DRAWN)
        self.show_all()
        self.settle()


@dataclass(frozen=True, kw_only=True)
class Lives(TokenSettlement):
    tokens: int = option(3, "tokens of each player", low=1)

    def settle(self, showdown: Showdown) -> Changes:
        tokens = [0] * len(showdown.ranks)
        for seat in find_worst(showdown.ranks, showdown.order):
            tokens[seat] = -1
        return Changes(tokens=tuple(tokens))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RanterRules(Rules):
    family: ClassVar[str] = "ranter-two"
    deal_type: ClassVar[type[Any]] = RanterDeal
    hand_size: int = 2
    max_players: int = 10
    ranking: Ranking = Total()


GAME: Final = RanterRules(
    name="ranter-two",
    title="Pass your worse card on, and do not have the lowest total.",
    source="traditional",
    settlement=Lives(),
)
