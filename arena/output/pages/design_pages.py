"""The pages of a track and of a tuning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.columns.column import documented
from arena.columns.table_formats import Sheet
from arena.output.figures.design_figures import CURVE_TITLE, draw_curve, draw_settings
from arena.output.pages.page import Page, Section, explain_section
from arena.output.texts.track import CHECKPOINT_COLUMNS, checkpoint_notes, track_title
from arena.tournament.designs.track import HERO, CheckpointRating
from arena.tournament.files import replace_file
from arena.tournament.formats.tuning import Tuning
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
    table = Sheet("Checkpoints", documented(CHECKPOINT_COLUMNS), ratings, checkpoint_notes(ratings))
    summary = "Each dot is a checkpoint, each bar its 95 % interval; 0 is the field."
    docs = [explain_section(CHECKPOINT_COLUMNS)]
    sections = [
        Section("curve", CURVE_TITLE, summary, draw_curve(ratings), table=table),
        Section("facts", "How they were rated", facts=_track_facts(run), details=docs),
    ]
    return Page(
        title=track_title(run),
        eyebrow="A bot in training",
        heading="Checkpoints",
        lead=f"{track_title(run)}.",
        sections=sections,
        source=" from the stored matches",
    ).render()


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


def write_tuning_page(run: Run) -> Path:
    """Write the page of a tuning with at least one generation, and return its path."""
    path = run.folder.path / PAGE
    with replace_file(path) as file:
        file.write(_render_tuning_page(run).encode())
    return path


def _render_tuning_page(run: Run) -> str:
    """Return the page of a tuning; equal tunings give equal pages."""
    tuning, bot = Tuning.of(run.stages), run.config.bots[0]
    sections = []
    if tuning.gains:
        summary = "Scores against the pool on deals that the search did not see."
        table = tuning.gain_sheet()._replace(title="Comparison")
        sections.append(Section("gains", "The best against the start", summary, table=table))
    summary = "Each line is a setting; the search has settled where lines stay level."
    table = tuning.history_sheet()._replace(title="Generations")
    sections.append(Section("history", "The search", summary, draw_settings(tuning), table=table))
    facts = [
        *((parameter.name, f"{parameter.low:g} to {parameter.high:g}") for parameter in tuning.parameters),
        ("bot", f"{bot.source} ({run.metadata.bots[bot.name][:DIGEST_CHARS]})"),
        ("seed", run.seed),
        ("candidates in a generation", f"{tuning.keys.candidates}"),
        ("blocks of a candidate", f"{run.config.blocks}"),
    ]
    sections.append(Section("facts", "How it was searched", facts=facts))
    return Page(title=run.config.title, eyebrow="Settings of a bot", sections=sections).render()
