"""`arena replay`: list, show, verify and export records of matches."""

import click

from arena.cli.lazy_group import LazyGroup

SUMMARIES = {
    "list": "List matches: seats, placings and faults.",
    "show": "Print a match deal by deal.",
    "verify": "Replay matches and check every card, action and result.",
    "export": "Write a run's matches as records.",
}


@click.command(
    cls=LazyGroup,
    package="arena.cli.replay",
    summaries=SUMMARIES,
    epilog="Example: arena replay list results/quick-001 --worst greedy",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, show, verify and export the matches played.

    A SOURCE is a file of records, plain or compressed with zstd, a run's folder, whose replays are read, or
    - for standard input.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
