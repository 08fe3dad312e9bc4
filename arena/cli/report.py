"""`arena report`: write the page of a run."""

from pathlib import Path

import click

from arena.cli.options import run_argument
from arena.report.page.run_page import write_report
from arena.tournament.running.run import Run


@click.command(epilog="Example: arena report results/quick-001")
@run_argument
def command(folder: Path) -> None:
    """Write a run's tables, figures and replays as one offline page.

    report.html opens in any browser without a network, and is a single file. It covers the matches played so
    far; `arena run` writes it at the end of a run.
    """
    run = Run.open(folder)
    write_report(run)
    click.echo(run.folder.report)
