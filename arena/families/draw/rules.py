"""The rules of the draw family: its deals and the text of actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.errors import InvalidNotation
from arena.families.draw.actions import TURN, discard
from arena.families.draw.deal import DrawDeal
from arena.families.draw.determinization import DrawDeterminization
from arena.families.draw.options import DrawOptions
from arena.games.action import Action
from arena.games.view import View


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawRules(DrawOptions):
    """The rules of a game of the draw family."""

    family: ClassVar[str] = "draw"
    deal_type: ClassVar = DrawDeal
    determinization: ClassVar = DrawDeterminization
    version: ClassVar[int] = 1

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
