"""`arena league reveal`: show the next round of a final that is held back."""

import click

from arena.cli.league.options import league_argument
from arena.columns.number_format import format_count
from arena.league.results import reveal_rounds
from arena.league.settings import LeagueFolder
from arena.output.site.site import write_site


@click.command(epilog="Example: arena league reveal course")
@league_argument
@click.option("number", "--final", type=click.IntRange(1), help="Which final; default: the latest held back.")
@click.option(
    "rounds", "--rounds", type=click.IntRange(1), default=1, show_default=True, help="How many more."
)
@click.option("reveals_all", "--all", is_flag=True, help="Reveal the whole final.")
def league_reveal_command(folder: LeagueFolder, number: int | None, rounds: int, reveals_all: bool) -> None:
    """Show the next round of a final that is held back.

    `arena league final DIR --hold-back` holds one back. The site and the presentation of `arena serve` then
    show the rounds revealed, and who meets whom in the next one. After the last round the whole report of the
    final is on the site.
    """
    done = reveal_rounds(folder, number, None if reveals_all else rounds)
    write_site(folder)
    shown = format_count(done.rounds, "rounds")
    click.echo(f"Final {done.final.number}: {done.revealed} of {shown} revealed")
