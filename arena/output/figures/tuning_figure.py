"""The figure of a tuning: the settings by generation."""

from typing import Final

from markupsafe import Markup

from arena.output.figures.charts import Interval, Series, history_chart
from arena.output.figures.figure_style import PAGE_STYLE, FigureStyle
from arena.output.texts.tuning import settings_by_share
from arena.tournament.designs.tuning import State

FIGURE_TITLE: Final = "Place of each setting in its range, in percent, after each generation"


def draw_settings(state: State, style: FigureStyle = PAGE_STYLE, axis: str = "") -> Markup:
    """Return the place of each setting in its range after each generation."""
    lines = settings_by_share(state.terms.parameters, state)
    series = [Series(name, values, Interval(values[-1], None)) for name, values in lines.items()]
    numbers = ["start", *(f"{number}" for number in range(1, len(state.generations) + 1))]
    return history_chart(numbers, series, FIGURE_TITLE, style, axis)
