"""The words of each family, one module per family."""

from typing import Any, Final

from arena.games import Rules
from arena.report.family_text.barter import BarterText
from arena.report.family_text.base import FamilyText, Sentence
from arena.report.family_text.cambio import CambioText
from arena.report.family_text.cox import CoxText
from arena.report.family_text.cuckoo import CuckooText
from arena.report.family_text.draw import DrawText
from arena.report.family_text.exchange import ExchangeText

__all__ = ["FamilyText", "Sentence", "get_family_text"]

FAMILY_TEXTS: Final[dict[str, FamilyText[Any, Any]]] = {
    "exchange": ExchangeText(),
    "barter": BarterText(),
    "draw": DrawText(),
    "cuckoo": CuckooText(),
    "cambio": CambioText(),
    "cox": CoxText(),
}


def get_family_text(rules: Rules) -> FamilyText[Any, Any]:
    """Return the words of the family that a variant belongs to."""
    return FAMILY_TEXTS[rules.family]
