"""`arena plan`: how much play would tell bots apart."""

from pathlib import Path

import click

from arena.cli.arguments import json_option
from arena.cli.run_execution import jobs_option
from arena.cli.run_folder import run_argument
from arena.report.analysis_tables import of_games
from arena.report.column_docs import explain_columns
from arena.report.plan import plan
from arena.report.table_formats import rendered
from arena.tournament.review.planning import forecast_run, measure_block_seconds
from arena.tournament.running.run import Run

PERCENT = click.FloatRange(0, 100, min_open=True, max_open=True)


@click.command(epilog="Example: arena plan results/quick-001 greedy prudent --power 90")
@run_argument
@click.argument("pair", metavar="[BOT BOT]", nargs=-1)
@click.option("--variant", metavar="NAME", help="Only this game.")
@click.option(
    "--confidence", type=PERCENT, default=95, show_default=True, help="Of the interval, in percent."
)
@click.option("--power", type=PERCENT, default=80, show_default=True, help="Chance that it is enough.")
@click.option(
    "--explain",
    is_flag=True,
    help="Say what every column is, its unit, its formula, what it is not.",
)
@jobs_option
@json_option
def command(
    folder: Path,
    pair: tuple[str, ...],
    variant: str | None,
    confidence: float,
    power: float,
    explain: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Tell how much more of a run would separate its bots.

    Two of them, or each from the next: blocks, from how much those played have differed, and minutes, from
    how fast some of them go when they are played again.
    """
    if len(pair) not in (0, 2):
        raise click.UsageError("name two bots, or none for each and the next.")
    two = (pair[0], pair[1]) if pair else None
    run = Run.open(folder)
    tallies = of_games(run.tallies(), variant)
    found = forecast_run(run, tallies, two, confidence / 100, power / 100)
    report = plan(found, measure_block_seconds(run, tallies), jobs)
    click.echo(rendered(report, "json" if as_json else "plain"))
    if explain:
        click.echo(f"\n{explain_columns(report.docs)}", err=as_json)  # what a program reads stays whole
