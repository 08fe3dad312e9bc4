"""How a run is played, as options of the commands that play one."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, get_args

import click

from arena.tournament.executors import Start
from arena.tournament.run import Means

START: Start = "spawn" if sys.platform == "win32" else "forkserver"


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def means_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options that change how a run is played, not what comes out, as `means`."""

    @click.option(
        "--jobs", type=click.IntRange(1), default=_cores, show_default="all cores", help="Worker processes."
    )
    @click.option(
        "--start",
        type=click.Choice(get_args(Start)),
        default=START,
        show_default=True,
        help="How workers are started.",
    )
    @click.option(
        "--time-limit",
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        help="Stop as Ctrl-C does after so long.",
    )
    @wraps(command)
    def playing(jobs: int, start: Start, time_limit: float | None, **rest: Any) -> None:
        command(means=Means(jobs=jobs, start=start, time_limit_s=time_limit), **rest)

    return playing
