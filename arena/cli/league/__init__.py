"""`arena league`: a standing league in one folder."""

import click

from arena.cli.lazy_group import LazyGroup

SUMMARIES = {
    "new": "Create a league in a new folder, with a league.toml to edit.",
    "kit": "Write a starter kit for students, a zip archive.",
    "submit": "Submit a bot to a league; the next update checks and admits it.",
    "invite": "Make accounts with which people hand in bots at the league's server, and print them as CSV.",
    "revoke": "End an account of the league's server.",
    "alias": "Set the alias of a submitter, under which pages show the bots of that person.",
    "update": "Admit what was submitted, and play until the ratings are precise.",
    "list": "Print the ladders, bots, submissions, submitters, faults, or pairs of bots to look at.",
    "withdraw": "Take a bot out of the ladders from the next update on.",
    "rename": "Give a bot with all its versions another name from the next update on.",
    "ban": "Ban a bot from the next update on, with all blocks that it sat in.",
    "final": "Play the best bots of a league against each other.",
    "reveal": "Show the next round of a final that is held back.",
    "grade": "Compare each bot of a league with milestones, for grades.",
    "site": "Write the pages of a league into its folder site/, as each update does by itself.",
}


@click.command(
    cls=LazyGroup,
    target="arena.cli.league.{0}:league_{0}_command",
    summaries=SUMMARIES,
    name="league",
    epilog="Example: arena league new myleague",
)
@click.pass_context
def league_command(ctx: click.Context) -> None:
    """Keep a standing league of bots that are submitted and rated.

    Each league is a folder. `arena league COMMAND --help` explains each command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
