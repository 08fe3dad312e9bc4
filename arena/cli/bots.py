"""`arena bots`: list installed and submitted bots."""

from pathlib import Path

import click

from arena.cli.options import json_option, print_json, store_option
from arena.output.tables.listings import bot_rows, bots_table
from arena.plugins import discover
from arena.plugins.submissions import SubmissionStore


@click.command(epilog="Example: arena bots --json")
@store_option
@json_option
def bots_command(store: Path, as_json: bool) -> None:
    """List installed and submitted bots.

    Each is loaded in a process of its own; one that cannot play is listed with its error.
    The hash is of the bot's files; isolation is the level of a run that asks for none.
    """
    rows = bot_rows(discover(), SubmissionStore(store).submissions())
    if as_json:
        print_json(rows)
    else:
        click.echo(bots_table(rows))
