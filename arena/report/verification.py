"""What was found when a run was played again, in lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.report.text_format import format_count, strip_unprintable
from arena.tournament.review.block_replay import Problem
from arena.tournament.review.verification import Verification

MOST: Final = 100
"""Lines of what is wrong, before the rest is only counted."""


def verdict_text(path: Path, verdict: Verification) -> str:
    """A line for each thing that is wrong, and one for what was checked."""
    return "\n".join(strip_unprintable(line) for line in _lines(path, verdict))


def verdict_table(verdict: Verification) -> dict[str, Any]:
    """The same for programs."""
    return {"true": not verdict.wrong, **msgspec.structs.asdict(verdict)}


def _lines(path: Path, verdict: Verification) -> Iterator[str]:
    for wrong in verdict.wrong[:MOST]:
        yield f"{path / wrong.file}{_place(wrong)}: {wrong.what}"
    if len(verdict.wrong) > MOST:
        yield f"and {len(verdict.wrong) - MOST:,} more"
    counts = (
        format_count(verdict.blocks, "blocks"),
        format_count(verdict.matches, "matches"),
        format_count(verdict.deals, "deals"),
        format_count(verdict.actions, "actions"),
        format_count(verdict.files, "files"),
    )
    ending = f"{format_count(len(verdict.wrong), 'things')} wrong" if verdict.wrong else "all true"
    yield f"{path}: {', '.join(counts)}, {ending}"
    if verdict.wrong:
        yield from (f"It may be for this: {note}" for note in verdict.notes)
    if verdict.playing:
        yield "It is being played just now: its files, which are written at its end, were not compared."
    elif verdict.missing:
        yield f"{format_count(verdict.missing, 'blocks')} more to play: `arena resume {path}`"


def _place(wrong: Problem) -> str:
    """Where in the file it is."""
    places = []
    if wrong.index is not None:
        places.append(f"block {wrong.index} ({wrong.block})")
    if wrong.rotation is not None:
        places.append(f"match of rotation {wrong.rotation}")
    if wrong.line is not None:
        places.append(f"line {wrong.line}")
    return "".join(f", {place}" for place in places)
