"""`arena export`: write a run's matches, deals and decisions to files."""

from pathlib import Path

import click

from arena.cli.options import GameOption, latest_run_argument, out_folder_option
from arena.data.export import CONTENTS, FILE_FORMATS, Content, FileFormat, check_file_format, export_run
from arena.tournament.engine.progress import Progress
from arena.tournament.run import Run


def _require(ctx: click.Context, param: click.Parameter, style: FileFormat) -> FileFormat:
    """Refuse a format whose library is missing, before anything is printed."""
    if not ctx.resilient_parsing:
        check_file_format(style)
    return style


@click.command(epilog="Example: arena export results/quick-001 --format csv --only matches")
@latest_run_argument
@click.option(
    "style",
    "--format",
    type=click.Choice(list(FILE_FORMATS)),
    default="parquet",
    show_default=True,
    callback=_require,
    is_eager=True,
)
@out_folder_option(
    "Write to this folder, which must be new or empty (default: `export` in the run's folder)."
)
@click.option("--only", type=click.Choice(CONTENTS), multiple=True, help="Only these rows; may be repeated.")
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="Only this game.")
def export_command(
    folder: Path, style: FileFormat, out: Path | None, only: tuple[Content, ...], variant: str | None
) -> None:
    """Write a run's matches, deals and decisions to files.

    Without DIR it is the latest run in results/.

    Writes one file of matches, one of deals, and one of decisions for each game and table size. A decision
    has its observation vector, the mask of legal actions and the number of the chosen one. The files contain
    all cards of the matches played, and the seeds of their blocks; not the run's seed. Parquet requires
    the extra `parquet` (pip install 'commerce-arena[parquet]').
    """
    run = Run.open(folder)
    with Progress(run.count_blocks()) as progress:
        paths = export_run(run, out or folder / "export", style, only or CONTENTS, variant, progress.count)
    for path in paths:
        click.echo(path)
