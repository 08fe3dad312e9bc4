"""The rules of Cambio: its deals and the text of actions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.cambio.deal import CambioDeal
from arena.families.cambio.determinization import CambioDeterminization
from arena.families.cambio.options import CambioOptions
from arena.families.cambio.scoring import CambioSettlement
from arena.games.action import Action
from arena.games.view import View

ACTION_PATTERN: Final = re.compile(
    r"draw (stock|discard)|place \d+(,\d+)*|give \d+|(peek|snap) \d+:\d+|swap \d+:\d+ \d+:\d+"
    r"|discard|skip|leave|cambio|continue",
    re.ASCII,
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CambioRules(CambioOptions):
    """The memory game Cambio and its kin. Source: sheets B11, B14-B16, rulings R15, R28, R31."""

    family: ClassVar[str] = "cambio"
    deal_type: ClassVar = CambioDeal
    determinization: ClassVar = CambioDeterminization

    @property
    def version(self) -> int:  # type: ignore[override]
        """The version of the rules: 2 where the usual number of deals ended a match by mistake."""
        settlement = self.settlement
        return 1 + (isinstance(settlement, CambioSettlement) and settlement.ended_by_mistake)

    def parse_action(self, text: str, view: View) -> Action:
        text = " ".join(text.split())
        if not ACTION_PATTERN.fullmatch(text):
            raise InvalidNotation(f"{text!r} is not an action of {self.name}")
        kind, *spots = text.split()
        if kind == "swap":
            text = " ".join([kind, *sorted(spots, key=lambda spot: _notation_order(spot, view.seat))])
        return next((legal for legal in view.legal if legal.template == text), Action(kind, (), (), text))


def _notation_order(spot: str, seat: int) -> tuple[bool, int]:
    """Return the sort key of a card in the notation of a swap: the own one first, then the lower seat's."""
    owner = int(spot.partition(":")[0])
    return owner != seat, owner
