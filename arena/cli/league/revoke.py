"""`arena league revoke`: end an account of the league's server."""

import click

from arena.cli.league.options import league_argument
from arena.errors import ConfigError
from arena.league.accounts import ServerDatabase, revoke
from arena.league.settings import LeagueFolder


@click.command(epilog="Example: arena league revoke course ann")
@league_argument
@click.argument("name")
def league_revoke_command(folder: LeagueFolder, name: str) -> None:
    """End an account of the league's server.

    Its token, its link and its sessions are not valid any more. Its bots stay; `arena league withdraw`
    takes them out of the ladders. `arena league invite` makes the account anew.
    """
    with ServerDatabase.open(folder) as database:
        if not revoke(database, name):
            raise ConfigError(f"nobody called {name!r} was invited")
    click.echo(f"{name} cannot sign in any more")
