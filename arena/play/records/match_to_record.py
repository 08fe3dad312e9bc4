"""Build the record of a finished match."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import cast

import msgspec

from arena.game_source_files import digest_games
from arena.games import Deal, Match, Rules
from arena.games.action import format_cards, format_event
from arena.games.seat_calculations import list_result
from arena.play.faults import FaultKind
from arena.play.records.record_schema import DealRecord, FaultRecord, GameRecord, MatchRecord


def to_record(
    match: Match,
    *,
    bots: Sequence[str],
    seed: str,
    block: str = "",
    rotation: int = 0,
    faults: Iterable[tuple[int, str, int]] = (),
) -> MatchRecord:
    """Return the record of a finished match; `faults` are (seat, kind, deal)."""
    return MatchRecord(
        v=1,
        variant=match.rules.name,
        game=describe_game(match.rules),
        options=dict(match.rules.overrides),
        players=match.players,
        bots=list(bots),
        block=block,
        rotation=rotation,
        seed=seed,
        deals=[_deal_record(deal) for deal in match.finished_deals],
        payoffs=list(match.payoffs),
        placings=list(match.placings),
        faults=[FaultRecord(seat, cast(FaultKind, kind), deal) for seat, kind, deal in faults],
    )


@lru_cache(maxsize=64)
def describe_game(rules: Rules) -> GameRecord | msgspec.UnsetType:
    """Return the version of a game that is not the arena's own; UNSET for others."""
    digest = digest_games().get(rules.family)
    return GameRecord(rules.version, digest) if digest else msgspec.UNSET


def _deal_record(deal: Deal) -> DealRecord:
    assert deal.changes is not None
    return DealRecord(
        dealer=deal.opening.dealer,
        hands=[format_cards(hand) if hand else None for hand in deal.dealt],
        table=format_cards(deal.table_dealt),
        stock=format_cards(deal.recorded_stock),
        actions=[format_event(event.seat, event.action, event.cards) for event in deal.log],
        result=list_result(deal.changes),
        roles=deal.recorded_roles.get("roles", {}),
    )
