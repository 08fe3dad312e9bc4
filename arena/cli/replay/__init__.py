"""`arena replay`: the matches that were played."""

import click

from arena.cli.lazy_group import LazyGroup

SUMMARIES = {
    "list": "List matches: who sat there, who won, what went wrong.",
    "show": "Print a match deal by deal, as a person follows it.",
    "verify": "Play matches again and check every card, action and result.",
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

    A SOURCE is a file of records, plain or compressed with zstd, a run's folder, which stands for the
    replays in it, or - for standard input.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
