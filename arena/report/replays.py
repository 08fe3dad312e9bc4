"""Matches as a list: where each is found, how it ended and what went wrong in it."""

from collections import Counter
from collections.abc import Iterable
from itertools import count
from typing import Any, Final

from tabulate import tabulate

from arena.play.records.record_check import CheckedTotals
from arena.play.records.record_schema import MatchRecord
from arena.report.text_format import format_count, format_signed, strip_unprintable
from arena.tournament.files.record_files import FoundRecord

HEADERS: Final = ["match", "block", "rotation", "deals", "placing, bot (payoff)", "faults"]
SIDES: Final = ["right", "left", "right", "right", "left", "left"]


def replays_table(found: Iterable[FoundRecord]) -> str:
    """The matches, one a line, numbered by their lines in the file."""
    cells = [
        [
            str(number),
            strip_unprintable(told.block) or variant,
            str(told.rotation),
            str(len(told.deals)),
            ", ".join(_ending(told)),
            ", ".join(fault_words(told)),
        ]
        for number, variant, told, _ in found
    ]
    if not cells:
        return "No match is like that."
    return tabulate(cells, HEADERS, colalign=SIDES, disable_numparse=True)


def checked_text(name: str, checked: CheckedTotals) -> str:
    """What was checked of a file and found true; or that there is nothing in it."""
    if not checked.matches:
        return f"{name}: holds no match, so nothing was checked"
    counts = zip(checked, CheckedTotals._fields, strict=True)
    return f"{name}: {', '.join(format_count(number, things) for number, things in counts)}, all true"


def outline(one: FoundRecord) -> dict[str, Any]:
    """What a program may want to know of a match without its deals."""
    told = one.told
    return {
        "match": one.number,
        "variant": one.variant,
        "players": told.players,
        "block": told.block,
        "rotation": told.rotation,
        "deals": len(told.deals),
        "bots": told.bots,
        "placings": told.placings,
        "payoffs": told.payoffs,
        "faults": told.faults,
    }


def seat_name(told: MatchRecord, seat: int) -> str:
    """What to call a seat: its bot, if the record names one."""
    bots = told.bots or ()
    return strip_unprintable(bots[seat]) if 0 <= seat < len(bots) else f"seat {seat}"


def fault_words(told: MatchRecord) -> list[str]:
    """What went wrong, by seat and kind."""
    times = Counter((fault.seat, fault.kind) for fault in told.faults)
    return [f"{seat_name(told, seat)} {kind} ×{number}" for (seat, kind), number in sorted(times.items())]


def _ending(told: MatchRecord) -> list[str]:
    """How each seat ended, the best first."""
    results = sorted(zip(told.placings or (), count(), told.payoffs or (), strict=False))
    return [
        f"{placing} {seat_name(told, seat)} ({format_signed(payoff)})" for placing, seat, payoff in results
    ]
