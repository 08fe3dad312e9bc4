"""`arena resume`: continue a tournament that was stopped."""

from dataclasses import replace
from pathlib import Path

import click

from arena.cli.options import confirm_option, json_option, reuse_option, run_argument, store_option
from arena.cli.run_execution import play, refuse_broken_bots, run_options, suggesting_resume
from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run


@click.command(epilog="Example: arena resume results/quick-001")
@run_argument
@click.option(
    "withdrawn",
    "--withdraw",
    metavar="BOT",
    multiple=True,
    help="Continue without this bot; may be repeated.",
)
@reuse_option
@confirm_option
@store_option
@json_option
@run_options
def resume_command(
    folder: Path,
    withdrawn: tuple[str, ...],
    reuse: Path | None,
    level: str | None,
    store: Path,
    as_json: bool,
    options: RunOptions,
) -> None:
    """Continue a tournament that was stopped.

    Plays the missing blocks; the results are the same as without the stop. A bot can be withdrawn from a
    swiss, knockout or ladder tournament: it plays to the next checkpoint, and later rounds go without it.
    """
    with suggesting_resume(folder):
        run = Run.open(folder, isolation=level, submissions=store)
        for bot in withdrawn:
            run = run.withdraw(bot)
        if reuse:
            run = run.extend(reuse)
        refuse_broken_bots(run.config, run.check_levels(), options)
        play(run, replace(options, reuse=reuse), as_json=as_json)
