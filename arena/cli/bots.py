"""`arena bots`: who can play."""

import click

from arena.cli.arguments import json_option
from arena.cli.output import print_json
from arena.plugins import discover
from arena.report.bots import bots_table


@click.command(epilog="Example: arena bots --json")
@json_option
def command(as_json: bool) -> None:
    """List the installed bots.

    Each is loaded in a process of its own; one that does not load is listed with its error.
    """
    rows = discover()
    if as_json:
        print_json(rows)
    else:
        click.echo(bots_table(rows))
