"""Playing a run with a word before and after it, for the commands that do."""

import click

from arena.report.run import announcement, ending_text
from arena.tournament.run import Means, Run


def play(run: Run, means: Means) -> None:
    """Plays what is missing of a run and prints its table; the exit status is 1 if it was stopped."""
    click.echo(announcement(run, means), err=True)
    ending = run.play(means)
    click.echo(ending_text(run, ending))
    click.get_current_context().exit(0 if ending == "done" else 1)
