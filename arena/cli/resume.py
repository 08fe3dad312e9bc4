"""`arena resume`: the rest of a tournament."""

from pathlib import Path

import click

from arena.cli.run_execution import means_options, naming_the_way_on, play
from arena.cli.run_folder import run_argument
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.workers.isolation_plan import choose_levels


@click.command(epilog="Example: arena resume results/quick-001")
@run_argument
@click.option(
    "withdrawn", "--withdraw", metavar="BOT", multiple=True, help="Go on without it; may be repeated."
)
@means_options
def command(folder: Path, withdrawn: tuple[str, ...], options: RunOptions) -> None:
    """Go on with a tournament that was stopped.

    Plays the blocks that are missing, and comes out as if it had never stopped. A bot can be withdrawn
    from a swiss, knockout or ladder: what has begun is played to its next checkpoint, and what is decided
    there goes without it.
    """
    with naming_the_way_on(folder):
        run = Run.open(folder)
        for bot in withdrawn:
            run = run.withdraw(bot)
        choose_levels(run.config)  # refuses a level that cannot be had here
        play(run, options)
