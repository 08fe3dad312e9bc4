"""`arena league list`: print the ladders, the bots or the submissions."""

import click

from arena.cli.league.options import league_argument
from arena.cli.options import json_option, print_json
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.report.league_text import bot_rows, collusion_rows, copy_rows, ladder_rows, request_rows, rows_text

ROWS = {
    "ladders": ladder_rows,
    "bots": bot_rows,
    "submissions": request_rows,
    "collusion": collusion_rows,
    "copies": copy_rows,
}


@click.command(epilog="Example: arena league list myleague --show bots")
@league_argument
@click.option(
    "--show",
    type=click.Choice(list(ROWS)),
    default="ladders",
    show_default=True,
    help="Which of the tables.",
)
@json_option
def command(folder: LeagueFolder, show: str, as_json: bool) -> None:
    """Print the ladders, the bots, the submissions, or pairs of bots to look at.

    `collusion` are pairs of which one helps the other against the rest of the table, `copies` pairs that
    decide alike on the same views.
    """
    with LeagueResults.open(folder.path) as results:
        rows = ROWS[show](results)
    print_json(rows) if as_json else click.echo(rows_text(rows))
