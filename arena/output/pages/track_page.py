"""The page of a track: the curve of its checkpoints, their table, and how they were rated."""

from collections.abc import Sequence
from pathlib import Path

from arena.columns.column import column_docs, documented, one_line_doc
from arena.columns.table_formats import Sheet
from arena.output.figures.track_figure import CURVE_TITLE, draw_curve
from arena.output.pages.render import render_page
from arena.output.texts.track import CHECKPOINT_COLUMNS, checkpoint_notes, track_title
from arena.tournament.designs.track import HERO, CheckpointRating
from arena.tournament.files import replace_file
from arena.tournament.run import Run
from arena.tournament.store.metadata import DIGEST_CHARS


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
