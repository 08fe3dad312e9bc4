"""`arena resume`: the rest of a tournament."""

from pathlib import Path

import click

from arena.cli.playing import means_options, play
from arena.cli.run_folder import run_argument
from arena.tournament.run import Means, Run


@click.command(epilog="Example: arena resume results/quick-001")
@run_argument
@means_options
def command(folder: Path, means: Means) -> None:
    """Go on with a tournament that was stopped.

    Plays the blocks that are missing, and comes out as if it had never stopped.
    """
    play(Run.open(folder), means)
