"""The figures of a track and of a tuning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from arena.output.figures.charts import (
    CurvePoint,
    Interval,
    Series,
    curve_chart,
    history_chart,
)
from arena.output.figures.style import PAGE_STYLE, FigureStyle
from arena.tournament.designs.track import CheckpointRating
from arena.tournament.formats.tuning import Tuning

# --- track ---

CURVE_TITLE: Final = "Elo of each checkpoint against the field, with 95 % confidence intervals"


def draw_curve(
    ratings: Sequence[CheckpointRating], style: FigureStyle = PAGE_STYLE, axis: str = ""
) -> Markup:
    """Return the curve of the checkpoints; empty if none has a rating."""
    points = {
        rating.name: CurvePoint(rating.elo.elo, rating.elo.low, rating.elo.high)
        for rating in ratings
        if rating.elo.elo is not None
    }
    return curve_chart(points, CURVE_TITLE, style, axis) if points else Markup()


# --- tuning ---

FIGURE_TITLE: Final = "Place of each setting in its range, in percent, after each generation"


def draw_settings(tuning: Tuning, style: FigureStyle = PAGE_STYLE, axis: str = "") -> Markup:
    """Return the place of each setting in its range after each generation."""
    lines = tuning.settings_by_share().items()
    series = [Series(name, values, Interval(values[-1], None)) for name, values in lines]
    numbers = ["start", *(f"{number}" for number in range(1, len(tuning.generations) + 1))]
    return history_chart(numbers, series, FIGURE_TITLE, style, axis)
