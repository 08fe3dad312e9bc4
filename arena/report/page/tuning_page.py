"""The page of a tuning: the settings by generation, and the comparison at its end."""

from pathlib import Path
from typing import Final

from markupsafe import Markup

from arena.plugins.spec import BotSpec
from arena.report.page.figure_style import PAGE_STYLE, FigureStyle
from arena.report.page.figures import Interval, Series, history_chart
from arena.report.page.render import render_page
from arena.report.tuning import gain_sheet, history_sheet, settings_by_share
from arena.tournament.files.run_folder import replace_file
from arena.tournament.storage.metadata import DIGEST_CHARS
from arena.tournament.tuning.state import State

PAGE: Final = "tuning.html"
FIGURE_TITLE: Final = "Place of each setting in its range, in percent, after each generation"


def write_tuning_page(folder: Path, state: State, bot: BotSpec) -> Path:
    """Write the page and return its path; equal tunings give equal pages."""
    path = folder / PAGE
    with replace_file(path) as file:
        file.write(render_tuning_page(state, bot).encode())
    return path


def render_tuning_page(state: State, bot: BotSpec) -> str:
    """Return the page of a tuning with at least one generation."""
    ranges = [
        (parameter.name, f"{parameter.low:g} to {parameter.high:g}") for parameter in state.terms.parameters
    ]
    return render_page(
        "tuning.html",
        replays=[],
        title=f"Tuning of {bot.name}",
        figure=draw_settings(state),
        figure_title=FIGURE_TITLE,
        gains=gain_sheet(state)._replace(title="Comparison") if state.gains else None,
        history=history_sheet(state)._replace(title="Generations"),
        facts=[
            *ranges,
            ("bot", f"{bot.source} ({bot.source.digest()[:DIGEST_CHARS]})"),
            ("seed", state.terms.seed),
            ("candidates in a generation", f"{state.terms.candidates}"),
            ("blocks of a candidate", f"{state.terms.blocks}"),
        ],
    )


def draw_settings(state: State, style: FigureStyle = PAGE_STYLE, axis: str = "") -> Markup:
    """Return the place of each setting in its range after each generation."""
    lines = settings_by_share(state.terms.parameters, state)
    series = [Series(name, values, Interval(values[-1], None)) for name, values in lines.items()]
    numbers = ["start", *(f"{number}" for number in range(1, len(state.generations) + 1))]
    return history_chart(numbers, series, FIGURE_TITLE, style, axis)
