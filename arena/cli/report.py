"""`arena report`: the page of a run."""

from pathlib import Path

import click

from arena.cli.run_folder import run_argument
from arena.report.page.run_page import write_report
from arena.tournament.running.run import Run


@click.command(epilog="Example: arena report results/quick-001")
@run_argument
def command(folder: Path) -> None:
    """Write a run's tables, figures and replays as one page.

    report.html opens in any browser, from disk and offline, and may be mailed as it is. It is made from what
    has been played so far; `arena run` writes it by itself at the end.
    """
    run = Run.open(folder)
    write_report(run)
    click.echo(run.folder.report)
