"""`arena league final`: play the best bots of a league against each other."""

from typing import get_args

import click

from arena.cli.league.options import date_option, league_argument
from arena.cli.options import isolation_option
from arena.cli.run_execution import play, run_options, suggesting_resume
from arena.league.final import FinalFormat, create_final
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.report.league_site.site import write_site
from arena.tournament.running.run import RunOptions


@click.command(epilog="Example: arena league final myleague --format knockout --top 8")
@league_argument
@click.option(
    "format",
    "--format",
    type=click.Choice(get_args(FinalFormat)),
    default="knockout",
    show_default=True,
    help="Format of the run.",
)
@click.option("--top", type=click.IntRange(2), default=8, show_default=True, help="Number of bots.")
@click.option("variants", "--variant", multiple=True, help="One of the league's games; default: all.")
@click.option("--players", type=int, help="Seats at a table, if the league has several sizes.")
@click.option("--blocks", type=click.IntRange(1), help="Blocks per table.")
@isolation_option(None, "Run submitted bots at this level if league.toml does: with your rights.")
@date_option
@run_options
def command(
    folder: LeagueFolder,
    format: FinalFormat,
    top: int,
    variants: tuple[str, ...],
    players: int | None,
    blocks: int | None,
    level: str | None,
    date: str,
    options: RunOptions,
) -> None:
    """Play the best bots of a league against each other.

    A run with fresh deals is created in DIR/finals, recorded in the league, and played. The site is
    written again and links it.
    """
    run = create_final(
        *(folder, format, top),
        variants=variants,
        players=players,
        blocks=blocks,
        confirmed=level,
        date=date,
    )
    try:
        with suggesting_resume(run.folder.path):
            play(run, options)
    finally:
        with LeagueResults.open(folder.path) as results:
            write_site(results)
