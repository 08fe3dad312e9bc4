"""`arena league invite`: make accounts with which people hand in bots at the league's server."""

import csv
import sys
from pathlib import Path

import click

from arena.cli.league.options import league_argument
from arena.cli.options import url_option
from arena.errors import ConfigError
from arena.league.accounts import ServerDatabase, add_submitters, invite, read_names
from arena.league.settings import LeagueFolder, read_settings
from arena.tournament.setup.errors import read_text


@click.command(epilog="Example: arena league invite course names.csv --url https://bots.example.org")
@league_argument
@click.argument("names", metavar="CSV", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@url_option("Address of the server, for the links.", default="http://127.0.0.1:8000")
@click.option(
    "--days",
    type=click.FloatRange(0, min_open=True),
    default=180.0,
    show_default=True,
    help="Days after which tokens and links expire.",
)
@click.option(
    "is_organiser",
    "--organiser",
    is_flag=True,
    help="Accounts that see all, and reveal finals.",
)
def league_invite_command(
    folder: LeagueFolder, names: Path, url: str, days: float, is_organiser: bool
) -> None:
    """Make accounts with which people hand in bots at the league's server, and print them as CSV.

    CSV has a name a line, or a column `name`. The output has name, token and link: the link signs a browser
    in once, the token is for programs and for signing in again. Neither can be printed again, as only hashes
    are stored; inviting a name again replaces both. Names that are not in the table [submitters] of
    league.toml are added to it. With --organiser they are not: such an account hands in nothing.
    """
    invited = read_names(read_text(names))
    if is_organiser:
        _refuse_submitters(folder, invited)
    elif added := add_submitters(folder, invited):
        click.echo(f"Added to [submitters] in {folder.settings}: {', '.join(added)}", err=True)
    with ServerDatabase.open(folder) as database:
        invitations = invite(database, invited, days, is_organiser=is_organiser)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["name", "token", "link"])
    writer.writerows(
        [invitation.name, invitation.token, f"{url}/sign-in/{invitation.link}"] for invitation in invitations
    )


def _refuse_submitters(folder: LeagueFolder, names: list[str]) -> None:
    if known := [name for name in names if name in read_settings(folder.path).submitters]:
        raise ConfigError(f"{', '.join(known)}: submitters cannot be organisers, take another name")
