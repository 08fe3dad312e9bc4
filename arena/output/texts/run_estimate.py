"""The estimate of a run that has not begun, as text."""

from __future__ import annotations

from arena.columns.number_format import format_count
from arena.output.words.text_format import format_duration
from arena.tournament.review.luck import FirstBlocks
from arena.tournament.run import Run


def run_estimate_text(run: Run, first: FirstBlocks, jobs: int) -> str:
    """Return how many blocks a run takes and how long, and what a bot that uses all its time would add."""
    config = run.config
    least, most = run.stages.format.total_range or (0, config.max_blocks)
    blocks = format_count(most, "blocks")
    count = blocks if least == most else f"{least:,} to {blocks}" if least else f"up to {blocks}"
    played = f"{format_count(len(config.bots), 'bots')}, {format_count(len(config.variants), 'games')}"
    time = f"{format_duration(most * first.block_s)} with {format_count(jobs, 'jobs')}"
    lines = [f"No errors: {played}, {config.format}.", f"Estimate: {count}, about {time}."]
    if any(level != "inline" for level in run.metadata.isolation.values()):
        decisions = most * first.decisions / len(config.bots)
        slow_s = decisions * config.limits.decision_ms / 1000 / jobs
        lines.append(
            f"A bot that takes {config.limits.decision_ms:,} ms for each decision would add about "
            f"{format_duration(slow_s)}."
        )
    return "\n".join(lines)
