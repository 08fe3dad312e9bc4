"""`arena verify`: replay a whole run and compare it with its files."""

from pathlib import Path

import click

from arena.cli.options import json_option, print_json, run_argument
from arena.cli.run_execution import DEFAULT_START_METHOD, jobs_option
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
    """Replay a whole run and compare it with its files.

    Replays every stored match by the rules, and checks that every block is in its place in the schedule and
    that tables and replays match the store. Prints every difference with its place, and then exits 1.
    """
    run = Run.open(folder)
    with Progress(run.count_blocks()) as progress, make_workers(jobs, DEFAULT_START_METHOD) as pool:
        verdict = verify(run, pool, progress.count)
    if as_json:
        print_json(verdict_table(verdict))
    else:
        click.echo(verdict_text(folder, verdict))
    ctx.exit(1 if verdict.wrong else 0)
