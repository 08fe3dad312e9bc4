"""The rules of the barter family: its deals and the text of actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.errors import InvalidNotation
from arena.families.barter.actions import GIVE_ACTIONS, OFFER_ACTIONS, WORD_ACTIONS
from arena.families.barter.deal import BarterDeal
from arena.families.barter.determinization import BarterDeterminization
from arena.families.barter.options import BarterOptions
from arena.games.action import Action
from arena.games.view import View


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BarterRules(BarterOptions):
    """The rules of a game of the barter family."""

    family: ClassVar[str] = "barter"
    deal_type: ClassVar = BarterDeal
    determinization: ClassVar = BarterDeterminization
    makes_offers: ClassVar[bool] = True
    version: ClassVar[int] = 1

    def parse_action(self, text: str, view: View) -> Action:
        if text in WORD_ACTIONS:
            return WORD_ACTIONS[text]
        if text in OFFER_ACTIONS:
            return OFFER_ACTIONS[text]
        kind, _, name = text.partition(" ")
        if kind not in GIVE_ACTIONS:
            raise InvalidNotation(
                f"{text!r} is not an action: it is one of {', '.join([*GIVE_ACTIONS, *WORD_ACTIONS])}"
            )
        card = self.whole_pack.card(name.strip())
        if card not in view.hand:
            raise InvalidNotation(f"{card} is not in the hand ({' '.join(map(str, view.hand))})")
        return GIVE_ACTIONS[kind][view.hand.index(card)]
