"""The rules of the cuckoo family: its deals and the text of actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.errors import InvalidNotation
from arena.families.cuckoo.actions import TURN
from arena.families.cuckoo.deal import CuckooDeal
from arena.families.cuckoo.determinization import CuckooDeterminization
from arena.families.cuckoo.options import CuckooOptions
from arena.games.action import Action
from arena.games.view import View


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CuckooRules(CuckooOptions):
    """The rules of a game of the cuckoo family."""

    family: ClassVar[str] = "cuckoo"
    deal_type: ClassVar = CuckooDeal
    determinization: ClassVar = CuckooDeterminization
    version: ClassVar[int] = 2

    def parse_action(self, text: str, view: View) -> Action:
        for action in TURN.actions:
            if text == action.template:
                return action
        raise InvalidNotation(f"{text!r} is not an action here: keep or swap")
