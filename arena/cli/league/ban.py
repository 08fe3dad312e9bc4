"""`arena league ban`: take a bot and its results out of the league."""

import click

from arena.cli.league.options import league_argument
from arena.league.requests import request_change
from arena.league.settings import LeagueFolder
from arena.league.store import LeagueDatabase


@click.command(epilog="Example: arena league ban myleague ann")
@league_argument
@click.argument("name")
def league_ban_command(folder: LeagueFolder, name: str) -> None:
    """Ban a bot from the next update on, with all blocks that it sat in.

    Nobody can submit its name or its files again.
    """
    with LeagueDatabase.open(folder.path, "rw") as database:
        request = request_change(database, "ban", name)
    click.echo(f"{request.name} is banned from the next update on")
