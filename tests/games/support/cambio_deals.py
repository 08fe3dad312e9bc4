"""Deals of Cambio for the tests: each of three seats is dealt cards of a suit of its own."""

from typing import Any

from arena.families.cambio.view import CambioView
from tests.games.support.scripted_deal import ScriptedDeal

HANDS = ("AS 2S 3S 4S", "AH 2H 3H 4H", "AC 2C 3C 4C")
"""A suit for each seat."""


def dealt(
    stock: str = "", *, top: str = "6D", hands: tuple[str, ...] = HANDS, **options: Any
) -> ScriptedDeal:
    """A deal by seat 0, so that seat 1 begins."""
    return ScriptedDeal("cambio", hands, top, stock=stock, **options)


def seen_by(table: ScriptedDeal, seat: int) -> CambioView:
    """Return the view of a seat."""
    view = table.deal.view(seat)
    assert isinstance(view, CambioView)
    return view
