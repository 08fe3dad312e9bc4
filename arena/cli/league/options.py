"""The argument and the option that commands of a league share."""

from datetime import date as calendar_date
from pathlib import Path

import click

from arena.errors import StoreError
from arena.league.settings import LeagueFolder


def _open_folder(ctx: click.Context, param: click.Parameter, path: Path) -> LeagueFolder:
    try:
        return LeagueFolder.open(path)
    except StoreError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from None


def _parse_date(ctx: click.Context, param: click.Parameter, text: str) -> str:
    try:
        return calendar_date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date: write 2026-01-31.", ctx, param) from None


league_argument = click.argument(
    "folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_open_folder,
)
date_option = click.option(
    "--date", metavar="DATE", default="", callback=_parse_date, help="Date to be stored; default: today."
)
