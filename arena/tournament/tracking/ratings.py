"""Ratings of the checkpoints of a track, each by its own blocks, and their gains on the same deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from arena.rating.mean_intervals import MeanEstimate, estimate_mean
from arena.rating.two_bots import EloEstimate, estimate_block_elo
from arena.tournament.formats.paired_design import score_bot
from arena.tournament.running.run import Run
from arena.tournament.tracking.track import HERO


@dataclass(frozen=True, kw_only=True)
class CheckpointRating:
    """The rating of one checkpoint."""

    name: str
    score: float | None
    """Mean of its blocks, 0 to 1."""
    elo: EloEstimate
    """Elo difference at which the score is expected."""
    blocks: int
    gain: MeanEstimate | None
    """Gain in score over the checkpoint before, on the same deals; None for the first."""
    total_gain: MeanEstimate | None
    """Gain in score over the first checkpoint, on the same deals; None for the first."""
    matches: int
    faults: int
    disqualified: int | None
    """Blocks of its run before it was disqualified for its faults; None if it was not."""
    identical_to: str | None = None
    """Name of the first checkpoint before it with the same files; None without one."""


def rate_checkpoints(runs: Iterable[tuple[str, Run]]) -> list[CheckpointRating]:
    """Return the ratings of checkpoints by their names and runs, in the same order."""
    ratings: list[CheckpointRating] = []
    first: Mapping[str, float] | None = None
    before: Mapping[str, float] | None = None
    names_by_content: dict[str, str] = {}
    for name, run in runs:
        content = run.metadata.bots[HERO]
        scores = {block.address: score_bot(block, result, HERO) for block, result in run.outcomes()}
        rating = _rate(name, run, scores, before, first)
        ratings.append(replace(rating, identical_to=names_by_content.get(content)))
        names_by_content.setdefault(content, name)
        before, first = scores, scores if first is None else first
    return ratings


def _rate(
    name: str,
    run: Run,
    scores: Mapping[str, float],
    before: Mapping[str, float] | None,
    first: Mapping[str, float] | None,
) -> CheckpointRating:
    results = run.results()
    return CheckpointRating(
        name=name,
        score=fmean(scores.values()) if scores else None,
        elo=estimate_block_elo(list(scores.values())),
        blocks=len(scores),
        gain=_estimate_gain(scores, before),
        total_gain=_estimate_gain(scores, first),
        matches=results.matches,
        faults=sum(number for (bot, _), number in results.faults.items() if bot == HERO),
        disqualified=results.disqualified.get(HERO),
    )


def _estimate_gain(scores: Mapping[str, float], other: Mapping[str, float] | None) -> MeanEstimate | None:
    if other is None:
        return None
    return estimate_mean([score - other[block] for block, score in scores.items() if block in other])
