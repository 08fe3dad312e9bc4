"""Lists of recorded matches: place, result and faults."""

from collections import Counter
from collections.abc import Iterable
from itertools import count
from shlex import quote
from typing import Any, Final

from arena.columns.column import Column
from arena.columns.kinds import INTEGER, TEXT
from arena.columns.number_format import format_count
from arena.columns.table_formats import Sheet, format_sheet
from arena.output.words.text_format import format_signed, strip_unprintable
from arena.play.records.record_check import CheckedTotals
from arena.play.records.record_schema import MatchRecord
from arena.plugins.games import arena_command
from arena.tournament.records import FoundRecord


def replays_table(matches: Iterable[FoundRecord], source: str) -> str:
    """Return a table of matches, numbered by their lines in the file, and the command that shows one."""
    sheet = Sheet("", REPLAY_COLUMNS, list(matches))
    if not sheet.rows:
        return "No match meets these conditions."
    show = f"{arena_command()} replay show {quote(source)} --match {sheet.rows[0].number}"
    return f"{format_sheet(sheet)}\n\nShow one: {show}"


def checked_text(name: str, checked: CheckedTotals) -> str:
    """Return what was checked of a file and found correct."""
    if not checked.matches:
        return f"{name}: holds no match, so nothing was checked"
    counts = zip(checked, CheckedTotals._fields, strict=True)
    return f"{name}: {', '.join(format_count(number, things) for number, things in counts)}, all true"


def outline(match: FoundRecord) -> dict[str, Any]:
    """Return a match without its deals, for programs."""
    record = match.record
    return {
        "match": match.number,
        "variant": match.variant,
        "players": record.players,
        "block": record.block,
        "rotation": record.rotation,
        "deals": len(record.deals),
        "bots": record.bots,
        "placings": record.placings,
        "payoffs": record.payoffs,
        "faults": record.faults,
    }


def seat_name(record: MatchRecord, seat: int) -> str:
    """Return the name of a seat: its bot, if the record names one."""
    bots = record.bots or ()
    return strip_unprintable(bots[seat]) if 0 <= seat < len(bots) else f"seat {seat}"


def fault_words(record: MatchRecord) -> list[str]:
    """Return the faults by seat and kind, with their number."""
    times = Counter((fault.seat, fault.kind) for fault in record.faults)
    return [f"{seat_name(record, seat)} {kind} ×{number}" for (seat, kind), number in sorted(times.items())]


def _ending(record: MatchRecord) -> list[str]:
    """Return placing, bot and payoff of each seat, the best first."""
    results = sorted(zip(record.placings or (), count(), record.payoffs or (), strict=False))
    return [
        f"{placing} {seat_name(record, seat)} ({format_signed(payoff)})" for placing, seat, payoff in results
    ]


REPLAY_COLUMNS: Final[tuple[Column[FoundRecord], ...]] = (
    Column("match", value=lambda row: row.number, kind=INTEGER),
    Column("block", value=lambda row: strip_unprintable(row.record.block) or row.variant, kind=TEXT),
    Column("rotation", value=lambda row: row.record.rotation, kind=INTEGER),
    Column("deals", value=lambda row: len(row.record.deals), kind=INTEGER),
    Column("placing, bot (payoff)", value=lambda row: ", ".join(_ending(row.record)), kind=TEXT),
    Column("faults", value=lambda row: ", ".join(fault_words(row.record)), kind=TEXT),
)
