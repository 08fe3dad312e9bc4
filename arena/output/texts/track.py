"""The ratings of the checkpoints of a track, as text and as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from arena.columns.column import Column, ColumnDoc, documented, records
from arena.columns.kinds import ELO, PERCENT, TEXT
from arena.columns.number_format import format_count, format_number
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.errors import PluginError
from arena.output.texts.run import compare_command
from arena.output.words.text import strip_unprintable
from arena.plugins.bot_spec import parse_source
from arena.rating.student_t import MIN_BLOCKS, MeanEstimate
from arena.tournament.designs.track import CheckpointRating
from arena.tournament.run import Run

MAX_NAMES: Final = 5
"""Maximum number of ignored entries that a message names."""
MIN_COUNT_TO_WARN: Final = 3
"""Least number of checkpoints at which picking the best biases its rating noticeably."""


def _gain_text(gain: MeanEstimate | None) -> str:
    if gain is None or gain.value is None:
        return ""
    error = "" if gain.error is None else f" ± {max(100 * gain.error, 0.1):.1f}"
    return f"{100 * gain.value:+z.1f}{error}"


def _elo_text(row: CheckpointRating) -> str:
    estimate = row.elo
    if estimate.elo is None and estimate.low is not None:
        return f">{estimate.low:+z.1f}"
    if estimate.elo is None and estimate.high is not None:
        return f"<{estimate.high:+z.1f}"
    return format_number(estimate.elo, "+z.1f")


def _gain_columns(field: str, attribute: str) -> list[Column[CheckpointRating]]:
    """Return the machine-readable columns of a gain and its error, which have no text."""

    def value(row: CheckpointRating) -> float | None:
        gain: MeanEstimate | None = getattr(row, attribute)
        return gain and gain.value

    def error(row: CheckpointRating) -> float | None:
        gain: MeanEstimate | None = getattr(row, attribute)
        return gain and gain.error

    return [Column(field, value=value, kind=PERCENT), Column(f"{field}_error", value=error, kind=PERCENT)]


CHECKPOINT_COLUMNS: Final[tuple[Column[CheckpointRating], ...]] = (
    Column("checkpoint", ColumnDoc("Name of the checkpoint's file or folder."), lambda row: row.name, TEXT),
    Column(
        "elo",
        ColumnDoc(
            "Strength against the field: the Elo difference at which its score is expected.",
            "Elo; 0 is the field, 400 more are odds of ten to one",
            "-400 · log10(100 / score - 1)",
            """Relative to this field at this game. Against bots of very different strengths it is nearer to 0
            than the distance to their mean. Later checkpoints do not change it.""",
        ),
        value=lambda row: row.elo.elo,
        text=_elo_text,
        digits=1,
    ),
    Column(
        "±",
        ColumnDoc(
            "Half width of the 95 % confidence interval of the Elo.",
            "Elo",
            """Student's t at 97.5 % with blocks - 1 degrees of freedom · standard error of the score over
            blocks · 400 / ln 10 / (score · (1 - score)), the score between 0 and 1""",
            """For one checkpoint by itself. Use gain to tell two apart, as all play the same deals; picking
            the best of many biases its rating upwards.""",
        ),
        value=lambda row: row.elo.error,
        kind=ELO,
        field="error",
        digits=1,
    ),
    Column("low", value=lambda row: row.elo.low, digits=1),
    Column("high", value=lambda row: row.elo.high, digits=1),
    Column(
        "score",
        ColumnDoc(
            "Share of the field's bots left behind.",
            "percent",
            "100 · mean over blocks of (better places + ties / 2) / opponents",
        ),
        kind=PERCENT,
    ),
    Column(
        "gain",
        ColumnDoc(
            "Gain in score over the checkpoint before, with the half width of its 95 % interval.",
            "percentage points",
            """100 · mean over blocks of (its score - that of the other on the same deals against the same
            bots); Student's t interval of these differences""",
        ),
        text=lambda row: _gain_text(row.gain),
    ),
    *_gain_columns("gain", "gain"),
    Column(
        "since first",
        ColumnDoc("Gain in score over the first checkpoint.", "percentage points", "as gain"),
        text=lambda row: _gain_text(row.total_gain),
    ),
    *_gain_columns("gain_since_first", "total_gain"),
    Column(
        "blocks",
        ColumnDoc("Blocks played: deals, each in all seatings of a table."),
    ),
    Column("matches"),
    Column("faults", ColumnDoc("Failures of the checkpoint in all matches.")),
    Column("identical_to"),
)


def track_sheet(run: Run, ratings: Sequence[CheckpointRating]) -> TableSet:
    """Return the table of the checkpoints that were rated; `run` is that of any of them."""
    sheet = Sheet(
        title=track_title(run),
        columns=documented(CHECKPOINT_COLUMNS),
        rows=ratings,
        notes=checkpoint_notes(ratings),
        optional=("faults", "blocks", "since first"),
        full="`--json` has all",
    )
    return TableSet(CHECKPOINT_COLUMNS, [sheet], ratings)


def track_title(run: Run) -> str:
    """Return what all checkpoints of a track were rated at."""
    [entry] = run.config.variants
    field = ", ".join(spec.name for spec in run.config.bots[1:])
    return f"Checkpoints at {entry.rules}, {entry.players[0]} players, against {field}"


def checkpoint_notes(ratings: Sequence[CheckpointRating]) -> list[str]:
    """Return notes on missing errors, identical checkpoints, bounds and disqualified checkpoints."""
    notes = [NO_ERROR_NOTE] if any(rating.elo.error is None for rating in ratings) else []
    notes += [
        f"{rating.name} has the same files as {rating.identical_to}: any difference is chance."
        for rating in ratings
        if rating.identical_to is not None
    ]
    if any(rating.elo.elo is None and rating.blocks >= MIN_BLOCKS for rating in ratings):
        notes.append("> and <: won or lost every point; the Elo is an end of the 95 % interval.")
    notes += [
        f"{rating.name} was disqualified for its faults after {format_count(rating.disqualified, 'blocks')}; "
        "in the other blocks the arena played its safest action."
        for rating in ratings
        if rating.disqualified is not None
    ]
    return notes


def advice(runs: Sequence[tuple[str, Run]], ratings: Sequence[CheckpointRating]) -> str:
    """Return how to measure the best checkpoint against the first on fresh deals; empty for few."""
    scores = [(rating.score, -number) for number, rating in enumerate(ratings) if rating.score is not None]
    if len(scores) < MIN_COUNT_TO_WARN or not (best := -max(scores)[1]):
        return ""
    name, run = runs[best]
    first = next((folder for _, folder in runs if _exists(folder)), run)
    if first is run or not _exists(run):  # it has been deleted
        return ""
    command = compare_command(
        [run.config.bots[0], first.config.bots[0], *run.config.bots[1:]], run.config.variants[0]
    )
    return (
        f"{name} is rated highest, but picking the best of {len(scores)} biases its rating upwards. Measure "
        "it on fresh deals:\n"
        f"  {strip_unprintable(command)}"
    )


def _exists(run: Run) -> bool:
    """Return whether the checkpoint of a run is still there."""
    try:
        parse_source(str(run.config.bots[0].source), Path())
    except PluginError:
        return False
    return True


def ignored_text(names: Sequence[str]) -> str:
    """Return which entries of a folder are not checkpoints."""
    more = len(names) - MAX_NAMES
    listed = ", ".join(names[:MAX_NAMES]) + (f" and {more:,} more" if more > 0 else "")
    return strip_unprintable(f"Ignored, as not checkpoints: {listed}")


def track_fields(run: Run, ratings: Sequence[CheckpointRating]) -> dict[str, Any]:
    """Return the ratings as JSON, shares in percent as in the table."""
    [entry] = run.config.variants
    return {
        "variant": str(entry.rules),
        "players": entry.players[0],
        "field": [spec.name for spec in run.config.bots[1:]],
        "seed": run.seed,
        "checkpoints": records(CHECKPOINT_COLUMNS, ratings),
    }
