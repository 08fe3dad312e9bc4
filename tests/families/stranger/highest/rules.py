"""One card each, which may be changed once with the stock; the lowest loses a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.games.action import Action, LegalActions, action
from arena.games.cards import Hand, Pack
from arena.games.deal import Deal
from arena.games.rankings.base import HandRank, Ranking
from arena.games.rules import Rules
from arena.games.settlement.base import Lives
from arena.games.view import View

KEEP: Final = action("keep")
CHANGE: Final = action("change")
TURN: Final = LegalActions((KEEP, CHANGE), default=KEEP)


class HighestDeal(Deal):
    """A deal of one card each."""

    rules: HighestRules

    def begin_play(self) -> None:
        self.ask_place(0)

    def ask_place(self, place: int) -> None:
        """Ask the seat at this place in the order of turns, or end the deal after the last."""
        order = self.opening.order
        if place < len(order):
            self.ask_seat(order[place], TURN, HighestDeal.take_turn)
        else:
            self.show_all()
            self.settle()

    def take_turn(self, seat: int, done: Action) -> None:
        """Keep the card, or change it for one from the stock."""
        self.record(seat, done)
        if done is CHANGE:
            self.hands[seat] = (self.stock.draw(),)
        self.ask_place(self.opening.order.index(seat) + 1)


@dataclass(frozen=True, kw_only=True)
class OneCard(Ranking):
    """Single cards by rank."""

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        (card,) = hand
        return HandRank(pack.rank_index[card], (), "card")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HighestRules(Rules):
    """The rules of the game."""

    family: ClassVar[str] = "highest"
    deal_type: ClassVar = HighestDeal
    version: ClassVar[int] = 1
    hand_size: int = 1

    @property
    def least_stock(self) -> int:
        """One card for each player."""
        return self.max_players

    def parse_action(self, text: str, view: View) -> Action:
        for offered in TURN.actions:
            if text == offered.template:
                return offered
        raise InvalidNotation(f"{text!r} is not an action here: keep or change")


HIGHEST: Final = HighestRules(
    name="highest",
    title="One card each, which may be changed once with the stock; the lowest loses a token.",
    source="a stranger",
    source_players=None,
    ranking=OneCard(),
    settlement=Lives(),
)
