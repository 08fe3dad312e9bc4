"""The argument that all commands of a league share."""

from pathlib import Path

import click

from arena.errors import StoreError
from arena.league.folder import LeagueFolder


def _open_folder(ctx: click.Context, param: click.Parameter, path: Path) -> LeagueFolder:
    try:
        return LeagueFolder.open(path)
    except StoreError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from None


league_argument = click.argument(
    "folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_open_folder,
)
