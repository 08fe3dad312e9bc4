"""The calibration of ratings: predicted and observed scores of new blocks, as a figure and a table."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from arena.columns.column import Column
from arena.columns.kinds import PERCENT, TEXT
from arena.columns.number_format import format_percent
from arena.output.figures.charts import Interval, dot_plot
from arena.rating.model_fit import CalibrationBin, measure_calibration
from arena.rating.student_t import MIN_BLOCKS
from arena.tournament.results.results import GameResults

MAX_BLOCKS: Final = 100_000
"""Largest number of blocks of a game that are predicted for a report."""
MIN_RANGE: Final = 10.0
"""Percentage points of the axis, at least."""


def list_calibration(game: GameResults) -> tuple[CalibrationBin, ...]:
    """Return predictions by class.

    There are none where ratings can explain anything, as results of two bots, or for too many blocks.
    """
    if game.model_fit is None or game.tally.blocks > MAX_BLOCKS:
        return ()
    return measure_calibration(game.pair_counts)


def draw_calibration(bins: Sequence[CalibrationBin], title: str) -> Markup:
    """Return how far the observed score is from the predicted one, by class, in percentage points."""
    rows = {
        _name(chance_bin): Interval(
            100 * (chance_bin.observed - chance_bin.predicted),
            None if chance_bin.error is None else 100 * chance_bin.error,
        )
        for chance_bin in bins
    }
    return dot_plot(rows, 0.0, title, MIN_RANGE, axis="observed less predicted, percentage points")


def summarize_calibration(bins: Sequence[CalibrationBin]) -> str:
    """Return what the figure shows."""
    off = [
        chance_bin
        for chance_bin in bins
        if chance_bin.error is not None and abs(chance_bin.observed - chance_bin.predicted) > chance_bin.error
    ]
    said = (
        "Ratings fitted to four fifths of the blocks predict the rest. Each row has the pairs of seats whose "
        "favourite was predicted such a score; a dot at 0 is what was predicted, each bar its 95% interval. "
    )
    if not off:
        return said + _summarize_within(sum(chance_bin.error is not None for chance_bin in bins), len(bins))
    worst = max(off, key=lambda chance_bin: abs(chance_bin.observed - chance_bin.predicted))
    return (
        f"{said}Furthest off: favourites predicted {format_percent(worst.predicted)} took "
        f"{format_percent(worst.observed)}."
    )


def _summarize_within(known: int, classes: int) -> str:
    """Return the sentence on classes of which none is off, where only `known` of them have an interval."""
    without = f"A dot without a bar has fewer than {MIN_BLOCKS} blocks, too few for an interval."
    if not known:
        return f"{without} So nothing can be said yet."
    if known < classes:
        return f"All predictions with a bar are within their intervals. {without}"
    return "All predictions are within their intervals."


def _name(chance_bin: CalibrationBin) -> str:
    return f"{chance_bin.low:.0%} to {chance_bin.low + 0.1:.0%}"


CALIBRATION_COLUMNS: Final[tuple[Column[CalibrationBin], ...]] = (
    Column("prediction", value=_name, kind=TEXT),
    Column("predicted", kind=PERCENT),
    Column("observed", kind=PERCENT, error=lambda row: row.error),
    Column("blocks"),
)
