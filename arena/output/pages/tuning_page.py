"""The page of a tuning: the settings by generation, and the comparison at its end."""

from pathlib import Path
from typing import Final

from arena.output.figures.tuning_figure import FIGURE_TITLE, draw_settings
from arena.output.pages.render import render_page
from arena.output.texts.tuning import gain_sheet, history_sheet
from arena.plugins.bot_spec import BotSpec
from arena.tournament.designs.tuning import State
from arena.tournament.files import replace_file
from arena.tournament.store.metadata import DIGEST_CHARS

PAGE: Final = "tuning.html"


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
