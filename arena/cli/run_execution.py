"""Playing a run, for the commands that do: its options, and a word before and after it."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from math import isnan
from pathlib import Path
from shlex import quote
from typing import Any, get_args

import click

from arena.cli.cluster_options import cluster_options
from arena.errors import ArenaError
from arena.report.page.run_page import write_report
from arena.report.run import ending_line, ending_text
from arena.report.run_messages import start_message
from arena.tournament.cluster.connection import Cluster
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.machine.cpu import usable_cores
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.workers.executors import StartMethod

START: StartMethod = "spawn" if sys.platform == "win32" else "forkserver"


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=usable_cores,
    show_default="all cores",
    help="Worker processes.",
)


def _refuse_no_number(ctx: click.Context, param: click.Parameter, seconds: float | None) -> float | None:
    """Refuses `nan`, which is in any range."""
    if seconds is not None and isnan(seconds):
        raise click.BadParameter("nan is no number of seconds.", ctx, param)
    return seconds


def means_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options that change how a run is played, not what comes out, as `options`."""

    @jobs_option
    @click.option(
        "--start",
        type=click.Choice(get_args(StartMethod)),
        default=START,
        show_default=True,
        help="How workers are started.",
    )
    @click.option(
        "--time-limit",
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        callback=_refuse_no_number,
        help="Stop as Ctrl-C does after so long.",
    )
    @click.option(
        "log_level",
        "-v",
        "--verbose",
        flag_value=logging.DEBUG,
        type=int,
        help="Show and keep every step in the log.",
    )
    @click.option(
        "log_level", "-q", "--quiet", flag_value=logging.WARNING, type=int, help="No progress, only warnings."
    )
    @cluster_options
    @wraps(command)
    def playing(
        jobs: int,
        start: StartMethod,
        time_limit: float | None,
        log_level: int | None,
        cluster: Cluster | None,
        **rest: Any,
    ) -> None:
        level = log_level or logging.INFO
        options = RunOptions(
            jobs=jobs, start=start, time_limit_s=time_limit, log_level=level, cluster=cluster
        )
        command(options=options, **rest)

    return playing


@contextmanager
def naming_the_way_on(folder: Path) -> Iterator[None]:
    """Says how to go on with a run that is interrupted on the spot, if it has begun.

    Raises: ArenaError then, in place of KeyboardInterrupt.
    """
    try:
        yield
    except KeyboardInterrupt as error:
        if not RunFolder(folder).database.exists():
            raise
        path = quote(str(folder))
        raise ArenaError(f"interrupted; `arena resume {path}` goes on with what is stored") from error


def play(run: Run, options: RunOptions) -> None:
    """Plays what is missing of a run and prints its table; the exit status is 1 if it was stopped."""
    if options.log_level <= logging.INFO:
        click.echo(start_message(run, options), err=True)
    ending = run.play(options)
    write_report(run)
    click.echo(ending_text(run, ending))
    click.echo(ending_line(run, ending), err=True)
    click.get_current_context().exit(0 if ending == "done" else 1)
