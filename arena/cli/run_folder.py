"""The argument of commands that work on a run."""

from pathlib import Path

import click

from arena.errors import StoreError
from arena.tournament.files.run_folder import RunFolder


def _holding_run(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    try:
        return path and RunFolder.open(path).path
    except StoreError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from None


run_argument = click.argument(
    "folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_holding_run,
)
reuse_option = click.option(
    "--reuse",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_holding_run,
    help="Take the blocks of this run that hold in the new one, and play only the others.",
)
