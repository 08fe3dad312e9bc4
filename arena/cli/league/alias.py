"""`arena league alias`: set the alias of a submitter."""

import click

from arena.cli.league.options import league_argument
from arena.league.requests import choose_alias
from arena.league.settings import LeagueFolder, read_settings
from arena.league.store import LeagueDatabase


@click.command(epilog="Example: arena league alias course ann heron")
@league_argument
@click.argument("submitter")
@click.argument("alias")
def league_alias_command(folder: LeagueFolder, submitter: str, alias: str) -> None:
    """Set the alias of a submitter, under which pages show the bots of that person.

    `aliases = true` in league.toml switches aliases on. Bots are renamed by the next update. The former alias
    stays reserved. `arena league list DIR --show submitters` lists names and aliases.
    """
    with LeagueDatabase.open(folder.path, "rw") as database:
        chosen = choose_alias(database, read_settings(folder.path), submitter, alias, is_limited=False)
    click.echo(f"The bots of {submitter} are called {chosen} from the next update on")
