"""`arena league list`: print the ladders, the bots or the submissions."""

import click

from arena.cli.league.options import league_argument
from arena.cli.options import json_option, print_json
from arena.cli.run_execution import ADJUSTMENTS, DEFAULT_START_METHOD, jobs_option
from arena.columns.table_formats import format_table
from arena.league.results import LeagueResults
from arena.league.settings import LeagueFolder
from arena.output.tables.league import (
    bots_table,
    collusion_table,
    copies_table,
    faults_table,
    ladder_table,
    league_text,
    submissions_table,
    submitters_table,
)
from arena.tournament.engine.progress import Progress
from arena.tournament.engine.workers import make_workers
from arena.tournament.results.results import RunResults

LADDERS = "ladders"
TABLES = {
    "bots": bots_table,
    "submissions": submissions_table,
    "submitters": submitters_table,
    "faults": faults_table,
    "collusion": collusion_table,
    "copies": copies_table,
}


@click.command(epilog="Example: arena league list myleague --show bots")
@league_argument
@click.option(
    "--show",
    type=click.Choice([LADDERS, *TABLES]),
    default=LADDERS,
    show_default=True,
    help="Which of the tables.",
)
@click.option(
    "--adjust",
    type=click.Choice((*ADJUSTMENTS, "none")),
    help="Also print ratings adjusted for luck; by default as the league's settings say.",
)
@jobs_option
@json_option
@click.option("as_csv", "--csv", is_flag=True, help="Print CSV, for spreadsheets.")
def league_list_command(
    folder: LeagueFolder, show: str, adjust: str | None, jobs: int, as_json: bool, as_csv: bool
) -> None:
    """Print the ladders, bots, submissions, submitters, faults, or pairs of bots to look at.

    `submitters` has their aliases and bots. `collusion` are pairs of which one helps the other against the
    rest of the table, `copies` pairs that decide alike on the same views. `faults` has the reason of each
    kind of failure, and `submissions` in JSON and CSV the report cards with their tracebacks: the site shows
    neither. Last among the submissions, without a number, is what the check of `arena serve` rejected.
    """
    if adjust and show != LADDERS:
        raise click.UsageError(f"--adjust is for the {LADDERS}, not for --show {show}.")
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two formats: give one of them.")
    with LeagueResults.open(folder.path) as results:
        if show == LADDERS:
            is_adjusted = (adjust or results.settings.adjust) in ADJUSTMENTS
            table = ladder_table(results, _adjust(results, jobs) if is_adjusted else None)
        else:
            table = TABLES[show](results)
    if as_json:
        print_json(table.dicts)
    else:
        click.echo(format_table(table, "csv") if as_csv else league_text(table))


def _adjust(results: LeagueResults, jobs: int) -> RunResults:
    """Return the league's results adjusted for luck, which replays all its matches."""
    with Progress(results.count_blocks()) as progress, make_workers(jobs, DEFAULT_START_METHOD) as workers:
        return results.adjusted_results(workers, progress.count)
