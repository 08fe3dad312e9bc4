"""`arena bots`: who can play."""

from pathlib import Path

import click

from arena.cli.arguments import json_option, store_option
from arena.cli.output import print_json
from arena.plugins import discover
from arena.plugins.submissions import SubmissionStore
from arena.report.bots import bot_rows, bots_table


@click.command(epilog="Example: arena bots --json")
@store_option
@json_option
def command(store: Path, as_json: bool) -> None:
    """List the bots that are installed and those that were submitted.

    Each is loaded in a process of its own; one that cannot play is listed with its error.
    The hash is of what it is made of; isolation is where it would live in a run that says nothing of it.
    """
    rows = bot_rows(discover(), SubmissionStore(store).submissions())
    if as_json:
        print_json(rows)
    else:
        click.echo(bots_table(rows))
