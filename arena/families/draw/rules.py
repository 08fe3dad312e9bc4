"""The rules of the draw family: knocking, rounds and the empty stock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.errors import InvalidNotation
from arena.families.draw.actions import TURN, discard
from arena.families.draw.deal import DrawDeal
from arena.families.draw.determinization import DrawDeterminization
from arena.games.action import Action
from arena.games.options import option
from arena.games.rules import Rules
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
