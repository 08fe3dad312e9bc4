"""`arena league withdraw`: take a bot out of the ladders."""

import click

from arena.cli.league.options import league_argument
from arena.league.requests import request_change
from arena.league.settings import LeagueFolder
from arena.league.store import LeagueDatabase


@click.command(epilog="Example: arena league withdraw myleague ann")
@league_argument
@click.argument("name")
def league_withdraw_command(folder: LeagueFolder, name: str) -> None:
    """Take a bot out of the ladders from the next update on.

    Its results still count for its opponents. The name stays reserved: only its owner, or `arena league
    submit`, brings it back, by a submission under that name.
    """
    with LeagueDatabase.open(folder.path, "rw") as database:
        request = request_change(database, "withdraw", name)
    click.echo(f"{request.name} leaves the ladders with the next update; the name stays its owner's")
