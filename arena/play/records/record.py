"""Records: a match as JSON, the full form that can be played again without its seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from arena.games import Deal, Match
from arena.games.notation import format_cards, format_event

VERSION = 1


def to_record(
    match: Match,
    *,
    bots: Sequence[str],
    seed: str,
    block: str = "",
    rotation: int = 0,
    faults: Iterable[tuple[int, str, int]] = (),
) -> dict[str, Any]:
    """A finished match as a record."""
    return {
        "v": VERSION,
        "variant": match.rules.name,
        "options": dict(match.rules.overrides),
        "players": match.players,
        "bots": list(bots),
        "block": block,
        "rotation": rotation,
        "seed": seed,
        "deals": [_deal(deal) for deal in match.finished_deals],
        "payoffs": list(match.payoffs),
        "placings": list(match.placings),
        "faults": [{"seat": seat, "kind": kind, "deal": deal} for seat, kind, deal in faults],
    }


def _deal(deal: Deal) -> dict[str, Any]:
    assert deal.changes is not None
    return {
        "dealer": deal.opening.dealer,
        **deal.recorded_roles,
        "hands": [format_cards(hand) if hand else None for hand in deal.dealt],
        "table": format_cards(deal.table_dealt),
        "stock": format_cards(deal.recorded_stock),
        "actions": [format_event(event.seat, event.action, event.cards) for event in deal.log],
        "result": deal.changes.result(),
    }
