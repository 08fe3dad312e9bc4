"""What lies on the table besides the hands, by family: as it is, and as a seat sees it."""

from __future__ import annotations

from functools import singledispatch
from typing import Final, NamedTuple

from arena.games import Deal, View
from arena.games.cambio.deal import CambioDeal
from arena.games.cambio.view import CambioView
from arena.games.cards import Hand
from arena.games.cox.deal import CoxDeal
from arena.games.cox.view import CoxView
from arena.games.cuckoo.deal import CuckooDeal
from arena.games.cuckoo.view import CuckooView
from arena.games.draw.deal import DrawDeal
from arena.games.draw.view import DrawView
from arena.games.exchange.deal import ExchangeDeal
from arena.games.exchange.view import ExchangeView

TOP: Final = 4
"""Cards of a pile that are shown, the top one last."""


class Pile(NamedTuple):
    """Cards that lie together; `seat` is the one in front of which they lie, None for the middle."""

    name: str
    seat: int | None
    cards: Hand


@singledispatch
def piles(deal: Deal) -> list[Pile]:
    """What lies on the table, face down or not."""
    return []


@piles.register
def _(deal: ExchangeDeal) -> list[Pile]:
    return [Pile("widow", None, deal.widow)]


@piles.register
def _(deal: DrawDeal) -> list[Pile]:
    return [Pile("discard", None, deal.pile[-TOP:])]


@piles.register
def _(deal: CambioDeal) -> list[Pile]:
    drawn = () if deal.drawn is None else (deal.drawn,)
    return [Pile("discard", None, deal.discard[-TOP:]), Pile("drawn", deal.to_act, drawn)]


@piles.register
def _(deal: CuckooDeal) -> list[Pile]:
    return [Pile("dealt besides", deal.opening.dealer, deal.table_dealt)]


@piles.register
def _(deal: CoxDeal) -> list[Pile]:
    laid = [Pile("set", seat, cards) for seat, sets in enumerate(deal.sets) for cards in sets]
    money = [Pile("greenbacks", seat, cards) for seat, cards in enumerate(deal.greenbacks)]
    return [Pile("discards", None, deal.discards[-TOP:]), *laid, *money]


@singledispatch
def seen(view: View) -> list[Hand]:
    """The same piles as a seat sees them."""
    return []


@seen.register
def _(view: ExchangeView) -> list[Hand]:
    return [view.widow]


@seen.register
def _(view: DrawView) -> list[Hand]:
    return [view.discard[-TOP:]]


@seen.register
def _(view: CambioView) -> list[Hand]:
    return [view.discard[-TOP:], () if view.drawn is None else (view.drawn,)]


@seen.register
def _(view: CuckooView) -> list[Hand]:
    return [view.further]


@seen.register
def _(view: CoxView) -> list[Hand]:
    laid = [cards for sets in view.sets for cards in sets]
    return [view.discards[-TOP:], *laid, *view.greenbacks]
