"""`arena verify`: whether a run is true from its first card to its tables."""

from pathlib import Path

import click

from arena.cli.arguments import json_option
from arena.cli.output import print_json
from arena.cli.run_execution import START, jobs_option
from arena.cli.run_folder import run_argument
from arena.report.verification import verdict_table, verdict_text
from arena.tournament.review.verification import verify
from arena.tournament.running.progress import Progress
from arena.tournament.running.run import Run
from arena.tournament.workers.executors import make_workers


@click.command(epilog="Example: arena verify results/quick-001")
@run_argument
@jobs_option
@json_option
@click.pass_context
def command(ctx: click.Context, folder: Path, jobs: int, as_json: bool) -> None:
    """Play a whole run again and compare it with its files.

    Every stored match goes through the rule book once more, every block has to be in its place in the
    schedule, and tables and replays have to be whole and what the store gives. Prints what is wrong, each
    with its place, and then exits 1.
    """
    run = Run.open(folder)
    with Progress(run.count_blocks()) as progress, make_workers(jobs, START) as hands:
        verdict = verify(run, hands, progress.count)
    if as_json:
        print_json(verdict_table(verdict))
    else:
        click.echo(verdict_text(folder, verdict))
    ctx.exit(1 if verdict.wrong else 0)
