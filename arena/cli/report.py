"""`arena report`: write the page of a run."""

from pathlib import Path

import click

from arena.cli.options import latest_run_argument
from arena.cli.run_execution import adjust_results
from arena.output.pages.run_pages import write_bot_page, write_report
from arena.tournament.engine.machine import usable_cores
from arena.tournament.run import Run


@click.command(epilog="Example: arena report results/quick-001")
@latest_run_argument
@click.option(
    "bots", "--bot", metavar="BOT", multiple=True, help="Write the page of this bot instead; may be repeated."
)
def report_command(folder: Path, bots: tuple[str, ...]) -> None:
    """Write a run's tables, figures and replays as one offline page.

    Without DIR it is the latest run in results/.

    report.html opens in any browser without a network, and is a single file. It covers the matches played so
    far; `arena run` writes it at the end of a run. With --bot, bot-NUMBER-NAME.html is a page for the author
    of a bot: its ratings, opponents, faults and costliest deals, with their replays.
    """
    run = Run.open(folder)
    if bots:
        for bot in bots:
            click.echo(write_bot_page(run, bot))
        return
    if run.config.adjust:
        adjust_results(run, usable_cores())
    write_report(run)
    click.echo(run.folder.report)
