"""`arena why`: where the difference between two bots comes from."""

from pathlib import Path

import click

from arena.cli.options import json_option, latest_run_argument, print_json
from arena.report.difference import difference_fields, difference_text
from arena.tournament.review.difference import check_names, explain_difference
from arena.tournament.running.progress import Progress
from arena.tournament.running.run import Run


@click.command(epilog="Example: arena why greedy prudent results/quick-001")
@click.argument("first", metavar="BOT")
@click.argument("second", metavar="BOT")
@latest_run_argument
@click.option("is_complete", "--all", is_flag=True, help="Print all leads, matches and deals.")
@json_option
def command(first: str, second: str, folder: Path, is_complete: bool, as_json: bool) -> None:
    """Show where the difference between two bots comes from.

    Prints who is ahead by how much, from the blocks of a run or a comparison in which both had the same seat
    on the same cards, and three deals with the commands that show them. With --all also the leads by game,
    position and opponent; by phase, hand and actions where the two first acted differently; and ten matches
    and deals with the largest swings.
    """
    run = Run.open(folder)
    check_names(run, first, second)
    with Progress(run.count_blocks()) as progress:
        found = explain_difference(run, first, second, progress.count)
    if as_json:
        print_json(difference_fields(found))
    else:
        click.echo(difference_text(found, first, second, folder, is_complete=is_complete))
