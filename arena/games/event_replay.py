"""Deals drawn at random from all those a view allows: what was seen, played again on cards dealt anew."""

from __future__ import annotations

from arena.games.deal import Deal
from arena.games.events import Event
from arena.games.view import View

DECLINED = frozenset({"leave"})
"""What a seat may have answered without the others' hearing of it."""


def play_again(deal: Deal, past: list[Event], view: View) -> bool:
    """Plays what was seen; offers that come up beside it are declined. Whether all of it was possible."""
    for event in past:
        if event.seat is not None:
            while deal.to_act != event.seat or event.action not in deal.legal_actions.index:
                if deal.legal_actions.default.kind not in DECLINED:
                    return False
                deal.apply(deal.legal_actions.default)
            deal.apply(event.action)
    while view.legal and deal.to_act != view.seat:
        if deal.legal_actions.default.kind not in DECLINED:
            return False
        deal.apply(deal.legal_actions.default)
    return True
