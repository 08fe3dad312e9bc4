"""The pages of a track and of a tuning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.columns.column import column_docs, documented, one_line_doc
from arena.columns.table_formats import Sheet
from arena.output.figures.design_figures import CURVE_TITLE, FIGURE_TITLE, draw_curve, draw_settings
from arena.output.pages.page import render_page
from arena.output.texts.track import CHECKPOINT_COLUMNS, checkpoint_notes, track_title
from arena.output.texts.tuning import gain_sheet, history_sheet
from arena.plugins.bot_spec import BotSpec
from arena.tournament.designs.track import HERO, CheckpointRating
from arena.tournament.designs.tuning import State
from arena.tournament.files import replace_file
from arena.tournament.run import Run
from arena.tournament.store.metadata import DIGEST_CHARS

# --- track ---
# The curve of the checkpoints, their table, and how they were rated.


def write_track_page(path: Path, run: Run, ratings: Sequence[CheckpointRating]) -> None:
    """Write the page of the checkpoints that were rated; `run` is that of any of them."""
    with replace_file(path) as file:
        file.write(_render_track_page(run, ratings).encode())


def _render_track_page(run: Run, ratings: Sequence[CheckpointRating]) -> str:
    """Return the page of the checkpoints that were rated; equal ratings give equal pages."""
    return render_page(
        "track.html",
        replays=[],
        title=track_title(run),
        summary="Each dot is a checkpoint, each bar its 95 % interval; 0 is the field.",
        curve=draw_curve(ratings),
        curve_title=CURVE_TITLE,
        table=Sheet("Checkpoints", documented(CHECKPOINT_COLUMNS), ratings, checkpoint_notes(ratings)),
        facts=_track_facts(run),
        meanings={name: one_line_doc(doc) for name, doc in column_docs(CHECKPOINT_COLUMNS).items()},
    )


def _track_facts(run: Run) -> list[tuple[str, str]]:
    """Return how the checkpoints were rated."""
    metadata = run.metadata
    field = [
        f"{name} ({metadata.isolation[name]}, {digest[:DIGEST_CHARS]})"
        for name, digest in metadata.bots.items()
        if name != HERO
    ]
    rules = [f"{variant} (rules {number})" for variant, number in metadata.rules.items()]
    return [
        ("seed", run.seed),
        ("game", ", ".join(rules)),
        ("field (isolation, digest)", ", ".join(field)),
        ("isolation of the checkpoints", metadata.isolation[HERO]),
        ("blocks of a checkpoint", f"{run.stages.format.total:,}"),
    ]


# --- tuning ---
# The settings by generation, and the comparison at the end.

PAGE: Final = "tuning.html"


def write_tuning_page(folder: Path, state: State, bot: BotSpec) -> Path:
    """Write the page and return its path; equal tunings give equal pages."""
    path = folder / PAGE
    with replace_file(path) as file:
        file.write(_render_tuning_page(state, bot).encode())
    return path


def _render_tuning_page(state: State, bot: BotSpec) -> str:
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
