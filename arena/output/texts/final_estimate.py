"""Texts about a final of a league."""

from __future__ import annotations

from arena.columns.number_format import format_count
from arena.league.runs import Estimate
from arena.output.words.text import format_duration
from arena.tournament.run import Run


def final_estimate_text(run: Run, estimate: Estimate) -> str:
    """Return how many blocks a final takes and how long, and what decides it at the end."""
    least, most = estimate.blocks
    times = [format_duration(seconds) for seconds in estimate.seconds]
    blocks = format_count(most, "blocks")
    if least == most:
        return f"Estimate: {blocks}, about {times[1]}."
    return (
        f"Estimate: {least:,} to {blocks}, about {times[0]} to {times[1]}. A table plays "
        f"{format_count(run.config.max_blocks, 'blocks')} of each game at most; then the score decides."
    )
