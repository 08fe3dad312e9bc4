"""`arena plan`: estimate how many more blocks would separate the bots."""

from pathlib import Path

import click

from arena.cli.options import GameOption, confirm_option, explain_option, json_option, run_argument
from arena.cli.run_execution import ADJUSTMENTS, DEFAULT_START_METHOD, adjust_results, jobs_option
from arena.columns.column import explain_columns
from arena.columns.table_formats import format_table, label_names, mark_names
from arena.output.tables.breakdowns import plan_table
from arena.tournament.engine.engine import RunOptions
from arena.tournament.review.luck import compare_costs, forecast_run, measure_block_seconds
from arena.tournament.run import Run

PERCENT = click.FloatRange(0, 100, min_open=True, max_open=True)


@click.command(epilog="Example: arena plan results/quick-001 greedy prudent --power 90")
@run_argument
@click.argument("pair", metavar="[BOT BOT]", nargs=-1)
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="Only this game.")
@click.option(
    "--confidence", type=PERCENT, default=95, show_default=True, help="Confidence level, in percent."
)
@click.option(
    "--power", type=PERCENT, default=80, show_default=True, help="Chance that the blocks suffice, in percent."
)
@click.option(
    "--adjust",
    type=click.Choice(ADJUSTMENTS),
    help="Plan with ratings adjusted for luck; say whether it pays.",
)
@confirm_option
@explain_option
@jobs_option
@json_option
def plan_command(
    folder: Path,
    pair: tuple[str, ...],
    variant: str | None,
    confidence: float,
    power: float,
    adjust: str | None,
    level: str | None,
    explain: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Estimate how many more blocks would separate the bots.

    For two bots, or for each bot and the next in the ranking. The blocks follow from the difference and the
    variance so far, for the errors that an extended run prints; their range holds 80 of 100 cases. The
    minutes follow from playing some blocks again with all workers.
    """
    if len(pair) not in (0, 2):
        raise click.UsageError("Name two bots, or none for all adjacent pairs.")
    two = (pair[0], pair[1]) if pair else None
    run = Run.open(folder, isolation=level)
    if adjust:
        run.check_levels()  # its blocks are also played again: refuse that before the work
    controls = adjust_results(run, jobs) if adjust else None
    results = run.results().of_variant(variant)
    forecasts = forecast_run(run, results, two, confidence / 100, power / 100)
    games = {forecast.game for forecast in forecasts if forecast.missing or controls}
    seconds = measure_block_seconds(run, games, RunOptions(jobs=jobs, start=DEFAULT_START_METHOD))
    worker_s = {game: jobs * time for game, time in seconds.items()}
    costs = compare_costs(results, controls.block_seconds, worker_s) if controls else {}
    report = mark_names(plan_table(forecasts, seconds, jobs, power / 100, costs), results.marks)
    report = label_names(report, results.labels)
    click.echo(format_table(report, "json" if as_json else "plain"))
    if explain:
        click.echo(f"\n{explain_columns(report.docs)}", err=as_json)  # keeps JSON on its own
