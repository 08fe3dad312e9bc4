"""The figure of a track: the curve of its checkpoints."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from arena.output.figures.charts import CurvePoint, curve_chart
from arena.output.figures.figure_style import PAGE_STYLE, FigureStyle
from arena.tournament.designs.track import CheckpointRating

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
