"""The page of a track: the curve of its checkpoints, their table, and how they were rated."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from markupsafe import Markup

from arena.columns.column import column_docs, documented, one_line_doc
from arena.columns.sheets import Sheet
from arena.report.page.figure_style import PAGE_STYLE, FigureStyle
from arena.report.page.figures import CurvePoint, curve_chart
from arena.report.page.render import render_page
from arena.report.track import COLUMNS, missing_notes, track_title
from arena.tournament.files.run_folder import replace_file
from arena.tournament.running.run import Run
from arena.tournament.storage.metadata import DIGEST_CHARS
from arena.tournament.tracking.ratings import CheckpointRating
from arena.tournament.tracking.track import HERO

CURVE_TITLE: Final = "Elo of each checkpoint against the field, with 95 % confidence intervals"


def write_track_page(path: Path, run: Run, ratings: Sequence[CheckpointRating]) -> None:
    """Write the page of the checkpoints that were rated; `run` is that of any of them."""
    with replace_file(path) as file:
        file.write(render_track_page(run, ratings).encode())


def render_track_page(run: Run, ratings: Sequence[CheckpointRating]) -> str:
    """Return the page of the checkpoints that were rated; equal ratings give equal pages."""
    return render_page(
        "track.html",
        replays=[],
        title=track_title(run),
        summary="Each dot is a checkpoint, each bar its 95 % interval; 0 is the field.",
        curve=draw_curve(ratings),
        curve_title=CURVE_TITLE,
        table=Sheet("Checkpoints", documented(COLUMNS), ratings, missing_notes(ratings)),
        facts=_facts(run),
        meanings={name: one_line_doc(doc) for name, doc in column_docs(COLUMNS).items()},
    )


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


def _facts(run: Run) -> list[tuple[str, str]]:
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
