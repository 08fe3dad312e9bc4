"""The draw family: knocking, rounds and the empty stock, the text of actions, and the variants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.draw.deal import TURN, DrawDeal, discard
from arena.families.draw.view import DrawDeterminization
from arena.games.action import Action
from arena.games.option_fields import option
from arena.games.rankings.suit_totals import SuitTotals
from arena.games.rules import EITHER_WAY, Rules
from arena.games.settlement.base import TotalPenalties
from arena.games.settlement.shared_pot import KnockerPot
from arena.games.view import View


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawRules(Rules):
    """The rules of a game of the draw family."""

    family: ClassVar[str] = "draw"
    deal_type: ClassVar = DrawDeal
    determinization: ClassVar = DrawDeterminization
    version: ClassVar[int] = 1
    hand_size: int = 3
    table_size: int = 1
    rounds: int = option(20, "rounds of turns after which the hands are shown", low=1)
    min_round: int = option(1, "the first round in which one may knock", low=1)
    instant_knock: bool = option(False, "a knock before anybody has drawn ends the deal at once")
    stock_out: str = option(
        "reshuffle",
        "when the stock is empty the discard but its top card is shuffled anew, or the deal is drawn",
        choices=("reshuffle", "drawn"),
    )

    def parse_action(self, text: str, view: View) -> Action:
        for action in TURN.actions:
            if text == action.template:
                return action
        word, _, card = text.partition(" ")
        held = [c.text for c in view.hand]
        if word != "discard":
            raise InvalidNotation(
                f"{text!r} is not an action here: draw stock, draw discard, discard 4D, knock"
            )
        if card not in held:
            raise InvalidNotation(f"{card!r} is not in the hand ({' '.join(held)})")
        return discard(held.index(card))


THIRTY_ONE: Final = DrawRules(
    name="thirty-one",
    aliases=("scat", "blitz"),
    title="Draw and discard for a high total in one suit; the lowest loses a token, 31 costs all others one.",
    source="S004, sheet B5",
    source_players=(2, 9),
    ranking=SuitTotals(three_alike="off"),
    settlement=TotalPenalties(sweep=31, free_ride=True, knocker_double=True, knocker_safe=True),
)

TRENTUNO_DRAW: Final = replace(
    THIRTY_ONE,
    name="trentuno-draw",
    aliases=(),
    title="Thirty-one with forty cards, where three alike stand between 30 and 31.",
    source="S004, sheet B6",
    source_players=(2, 12),
    pack=40,
    direction=EITHER_WAY,
    ranking=SuitTotals(three_alike="30.5"),
    settlement=TotalPenalties(sweep=31, knocker_double=True, knock31="exempt"),
)

STOP_THE_BUS_31: Final = replace(
    THIRTY_ONE,
    name="stop-the-bus-31",
    aliases=(),
    title="Thirty-one where the knocker stops the bus and three alike count 30.",
    source="S004, sheet B7",
    source_players=(2, 10),
    ranking=SuitTotals(three_alike="30"),
)

THIRTY_ONE_POT: Final = replace(
    THIRTY_ONE,
    name="thirty-one-pot",
    aliases=(),
    title="Thirty-one for a pot a deal: 31 takes it at once, else the best hand; the worst pay for the next.",
    source="sheet B13",
    source_players=(2, 9),
    settlement=KnockerPot(),
)
