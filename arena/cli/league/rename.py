"""`arena league rename`: give a bot another name."""

import click

from arena.cli.league.options import league_argument
from arena.league.requests import Aliases, request_change
from arena.league.settings import LeagueFolder, read_settings
from arena.league.store import LeagueDatabase


@click.command(epilog="Example: arena league rename myleague ann ann-2026")
@league_argument
@click.argument("old")
@click.argument("new")
def league_rename_command(folder: LeagueFolder, old: str, new: str) -> None:
    """Give a bot with all its versions another name from the next update on.

    In a league with aliases its owner's name in it is replaced by the alias.
    """
    with LeagueDatabase.open(folder.path, "rw") as database:
        aliases = Aliases.read(database, read_settings(folder.path))
        request = request_change(database, "rename", old, new, aliases)
    click.echo(f"{request.name} is called {request.new_name} from the next update on")
