"""What the replay viewer is given: matches with their heads to choose from, and their deals packed."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from arena.games import Deal, Rules
from arena.play.records.record_schema import MatchRecord
from arena.play.suggested_actions import Suggestions
from arena.report.page.replay_frames import build_frames
from arena.report.replays import seat_name
from arena.tournament.files.record_files import FoundRecord
from arena.tournament.review.match_replay import ReplayedMatch

PAGE: Final = 1_950_000
"""Bytes a page may have: of many long matches fewer are shown."""
LEAST_ROOM: Final = 400_000
"""Of them for matches, however much else there is."""
HEAD: Final = 700
"""Bytes that a match takes besides its deals."""


class ReplayData(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the viewer gets it."""

    number: int
    game: str
    players: int
    family: str
    block: str
    rotation: int
    bots: Sequence[str]
    placings: Sequence[int]
    payoffs: Sequence[int]
    faults: Sequence[tuple[int, str, int]]
    """Seat, kind and number of the deal, one a fault."""
    others: Sequence[str]
    """Bots that were asked what they would have done."""
    deals: int
    packed: str
    """The deals as JSON, compressed with zlib, in base64."""


def replay_of_run_match(one: ReplayedMatch) -> ReplayData:
    """A match of a run."""
    result = one.result
    bots = distinguish_names(one.bots)
    return ReplayData(
        number=one.number,
        game=str(one.rules),
        players=len(bots),
        family=one.rules.family,
        block=one.address,
        rotation=one.rotation,
        bots=bots,
        placings=result.placings,
        payoffs=result.payoffs,
        faults=result.faults,
        others=(),
        deals=len(one.deals),
        packed=_packed(one.deals, bots, None),
    )


def replay_of_record(
    one: FoundRecord,
    rules: Rules,
    deals: Sequence[Deal],
    others: Sequence[str],
    answers: Sequence[Suggestions] | None,
) -> ReplayData:
    """A match of a record, with what the `others` would have done by deal and action."""
    told = one.told
    bots = distinguish_names([seat_name(told, seat) for seat in range(told.players)])
    return ReplayData(
        number=one.number,
        game=one.variant,
        players=told.players,
        family=rules.family,
        block=told.block,
        rotation=told.rotation,
        bots=bots,
        placings=told.placings or (),
        payoffs=told.payoffs or (),
        faults=_faults(told),
        others=others,
        deals=len(deals),
        packed=_packed(deals, bots, answers),
    )


def limit_to_page_size(matches: Iterable[ReplayData], others: int) -> list[ReplayData]:
    """As many of the matches as there is room for on a page with so many bytes of other things."""
    room = max(PAGE - others, LEAST_ROOM)
    kept: list[ReplayData] = []
    for one in matches:
        room -= len(one.packed) + HEAD
        if room < 0 and kept:
            break
        kept.append(one)
    return kept


def distinguish_names(bots: Sequence[str]) -> list[str]:
    """The bots of a table by seat, with the seats of those that sit there more than once."""
    return [f"{bot} ({seat})" if bots.count(bot) > 1 else bot for seat, bot in enumerate(bots)]


def to_script_json(value: Any) -> str:
    """A value as JSON that stands inside a script element and ends it nowhere."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _packed(deals: Sequence[Deal], bots: Sequence[str], answers: Sequence[Suggestions] | None) -> str:
    told = [
        build_frames(deal, bots, None if answers is None else answers[number])
        for number, deal in enumerate(deals)
    ]
    return base64.b64encode(zlib.compress(msgspec.json.encode(told), 9)).decode()


def _faults(told: MatchRecord) -> list[tuple[int, str, int]]:
    return [(fault.seat, fault.kind, fault.deal) for fault in told.faults]
