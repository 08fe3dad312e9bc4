"""Data of the replay viewer: metadata of each match and its compressed deals."""

import base64
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from arena.games import Deal
from arena.output.pages.replay_frames import build_match_frames
from arena.output.tables.listings import seat_name
from arena.output.words.text import strip_unprintable
from arena.play.actions_of_other_bots import Suggestions
from arena.play.chances import Chances
from arena.play.players import Note
from arena.play.records.record_schema import MatchRecord

MAX_PAGE_BYTES: Final = 1_950_000
MIN_REPLAY_BYTES: Final = 400_000
"""Reserved for replays, whatever the size of the rest."""
REPLAYS_START: Final = '<script type="application/json" id="matches">'
"""Text in front of the replays of a page, which are JSON."""
METADATA_BYTES: Final = 700
"""Approximate size of a match beside its deals."""


class ReplayData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A match as the viewer reads it."""

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
    """Seat, kind and deal number of each fault."""
    others: Sequence[str]
    """Bots whose choices are shown for comparison."""
    deals: int
    has_notes: bool = False
    """Bots' notes are among the deals."""
    packed: str
    """The deals as JSON, compressed with zlib, in base64."""

    def by_placing(self) -> list[tuple[int, int]]:
        """Return placing and seat of each bot, the best first."""
        return sorted((placing, seat) for seat, placing in enumerate(self.placings))


def replay_of_record(
    number: int,
    record: MatchRecord,
    deals: Sequence[Deal],
    others: Sequence[str] = (),
    answers: Sequence[Suggestions] | None = None,
    chances: Sequence[Sequence[Chances]] | None = None,
    notes: Sequence[Note] = (),
) -> ReplayData:
    """Return the replay of a record.

    Args:
        number: Number of the match.
        record: Its record.
        deals: Its deals, replayed.
        others: Bots whose choices are shown.
        answers: Their choices by deal and action.
        chances: Chances of the seats by deal and step.
        notes: Notes of the bots on their decisions.
    """
    rules, bots = deals[0].opening.rules, name_seats(record)
    return ReplayData(
        number=number,
        game=str(rules),
        players=record.players,
        family=rules.family,
        block=strip_unprintable(record.block),
        rotation=record.rotation,
        bots=bots,
        placings=record.placings or (),
        payoffs=record.payoffs or (),
        faults=_faults(record),
        others=others,
        deals=len(deals),
        has_notes=bool(notes),
        packed=compress_deals(deals, bots, answers, chances, notes),
    )


def name_seats(told: MatchRecord) -> list[str]:
    """Return the names of a record's bots by seat, each different from the others."""
    return distinguish_names([seat_name(told, seat) for seat in range(told.players)])


def read_replays(page: str) -> list[ReplayData]:
    """Return the replays of a page as it was written; none, if they cannot be read."""
    _, _, rest = page.partition(REPLAYS_START)
    told, end, _ = rest.partition("</script>")
    try:
        return msgspec.json.decode(told, type=list[ReplayData]) if end else []
    except msgspec.DecodeError:
        return []


def limit_to_page_size(matches: Iterable[ReplayData], other_bytes: int) -> list[ReplayData]:
    """Return as many matches, at least one, as fit on a page with `other_bytes` of other content."""
    room = max(MAX_PAGE_BYTES - other_bytes, MIN_REPLAY_BYTES)
    kept: list[ReplayData] = []
    for match in matches:
        room -= len(match.packed) + METADATA_BYTES
        if room < 0 and kept:
            break
        kept.append(match)
    return kept


def distinguish_names(bots: Sequence[str]) -> list[str]:
    """Return the bots by seat, with the seat number after names that occur more than once."""
    return [f"{bot} ({seat})" if bots.count(bot) > 1 else bot for seat, bot in enumerate(bots)]


def to_script_json(value: Any) -> str:
    """Return a value as JSON that cannot end the script element around it."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def compress_deals(
    deals: Sequence[Deal],
    bots: Sequence[str],
    answers: Sequence[Suggestions] | None,
    chances: Sequence[Sequence[Chances]] | None = None,
    notes: Sequence[Note] = (),
) -> str:
    told = build_match_frames(deals, bots, answers, chances, notes)
    return base64.b64encode(zlib.compress(msgspec.json.encode(told), 9)).decode()


def _faults(told: MatchRecord) -> list[tuple[int, str, int]]:
    return [(fault.seat, fault.kind, fault.deal) for fault in told.faults]
