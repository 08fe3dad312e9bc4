"""Playing a run, for the commands that do: its options, progress messages and exit status."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from math import isnan
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any, Final, NoReturn, get_args

import click
import msgspec
from click.core import ParameterSource

from arena.cli.options import Decorator, FormerOption, print_json
from arena.errors import ArenaError, PluginError
from arena.output.pages.run_pages import write_report
from arena.output.texts.run import (
    ending_fields,
    ending_line,
    ending_text,
    failure_texts,
    level_option,
    resume_command,
    start_message,
    startup_error_text,
)
from arena.output.words.terminal_layout import table_width
from arena.play.faults import summarize_failure
from arena.play.isolation import Level
from arena.play.referee import raise_gc_threshold
from arena.plugins.games import arena_command
from arena.tournament.engine.cores import usable_cores
from arena.tournament.engine.engine import Ending, RunOptions
from arena.tournament.engine.levels import choose_levels, find_startup_errors
from arena.tournament.engine.progress import Progress
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.engine.workers import StartMethod, make_workers
from arena.tournament.files import RESULTS, RunFolder
from arena.tournament.review.luck_controls import RunControls, compute_run_controls
from arena.tournament.run import Run
from arena.tournament.setup.config import Config

DEFAULT_START_METHOD: StartMethod = "spawn" if sys.platform == "win32" else "forkserver"
ADJUSTMENTS = ("luck",)
LOCAL_OPTIONS = ("jobs", "start")
"""Options about this machine's workers, which a cluster does not use."""

_file = click.Path(exists=True, dir_okay=False, path_type=Path)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=lambda: usable_cores(),  # by its name here, which tests replace
    show_default="all cores",
    help="Number of worker processes.",
)


def _refuse_nan(ctx: click.Context, param: click.Parameter, seconds: float | None) -> float | None:
    """Refuse `nan`, which is in any range."""
    if seconds is not None and isnan(seconds):
        raise click.BadParameter("nan is not a number of seconds.", ctx, param)
    return seconds


FORMER: Final[dict[str, Any]] = {"cls": FormerOption}
"""Keyword arguments of an option of a former version."""


def former_cluster_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a cluster to a command that had them; passed on as `cluster`, None without one."""
    return _add_cluster(command, FORMER | {"now": ""})


def _add_cluster(command: Callable[..., None], former: Mapping[str, Any]) -> Callable[..., None]:
    @click.option(
        "--cluster", metavar="ADDRESS", help="Play on the dask cluster at tcp:// or tls://…", **former
    )
    @click.option(
        "--tls-ca", metavar="FILE", type=_file, help="The cluster's certificate authority.", **former
    )
    @click.option(
        "--tls-cert", metavar="FILE", type=_file, help="This machine's certificate for the cluster.", **former
    )
    @click.option("--tls-key", metavar="FILE", type=_file, help="The private key of --tls-cert.", **former)
    @wraps(command)
    def with_cluster(
        cluster: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None, **others: Any
    ) -> None:
        command(cluster=_parse_cluster(cluster, tls_ca, tls_cert, tls_key), **others)

    return with_cluster


FAULTS: Final = {
    "refuse": "do not play with bots that do not start, and play on after faults",
    "keep": "play also with bots that do not start",
    "stop": "stop at the first fault",
}
"""Treatment of faults, by the value of `--on-fault`."""


def run_options(*shown: str) -> Decorator:
    """Return a decorator that adds the options that change how a run is played, not its results.

    They are passed on as `options`.

    Args:
        shown: Those of `start`, `cluster` and `on-fault` that the command has; where it had one before, the
            option is still taken.
    """
    start_kind = {} if "start" in shown else FORMER | {"now": "ARENA_START=METHOD before the command"}
    cluster_kind = {} if "cluster" in shown else FORMER | {"now": ""}
    has_on_fault = "on-fault" in shown

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @jobs_option
        @click.option(
            "--start",
            type=click.Choice(get_args(StartMethod)),
            default=DEFAULT_START_METHOD,
            envvar="ARENA_START",
            show_default=True,
            help="How worker processes are started.",
            **start_kind,
        )
        @click.option(
            "--time-limit",
            metavar="SECONDS",
            type=click.FloatRange(0, min_open=True),
            callback=_refuse_nan,
            help="Stop gracefully after SECONDS.",
        )
        @click.option(
            "--on-fault",
            type=click.Choice(list(FAULTS)),
            default="refuse",
            show_default=True,
            hidden=not has_on_fault,
            help="; ".join(f"{word}: {meaning}" for word, meaning in FAULTS.items()) + ".",
        )
        @click.option("log_level", "-v", "--verbose", flag_value=logging.DEBUG, type=int, hidden=True)
        @click.option("log_level", "-q", "--quiet", flag_value=logging.WARNING, type=int, hidden=True)
        @click.option("--strict", cls=FormerOption, now="--on-fault stop" * has_on_fault, is_flag=True)
        @click.option("--keep-going", cls=FormerOption, now="--on-fault keep" * has_on_fault, is_flag=True)
        @wraps(command)
        def with_options(
            jobs: int,
            start: StartMethod,
            time_limit: float | None,
            on_fault: str,
            log_level: int | None,
            strict: bool,
            keep_going: bool,
            cluster: Cluster | None,
            **others: Any,
        ) -> None:
            context = click.get_current_context()
            options = RunOptions(
                jobs=jobs,
                start=start,
                time_limit_s=time_limit,
                log_level=log_level or context.find_root().params.get("log_level") or logging.INFO,
                strict=strict or on_fault == "stop",
                keep_going=keep_going or on_fault == "keep",
                cluster=cluster,
            )
            command(options=options, **others)

        return _add_cluster(with_options, cluster_kind)

    return decorate


def _parse_cluster(address: str | None, *tls: Path | None) -> Cluster | None:
    """Return the cluster of the options; refuse options that would have no effect."""
    if address is None:
        if any(tls):
            raise click.UsageError("--tls-ca, --tls-cert and --tls-key require --cluster tls://…")
        return None
    source_of = click.get_current_context().get_parameter_source
    for name in LOCAL_OPTIONS:
        if source_of(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is about this machine's workers: leave it out with --cluster")
    return Cluster.parse(address, *tls)


def refuse_broken_bots(
    config: Config,
    levels: Mapping[str, Level],
    options: RunOptions,
    *,
    can_keep_going: bool = True,
    takes_without: bool = False,
) -> None:
    """Start each bot once, and print why those that do not start do not, unless the run is to keep going.

    `can_keep_going` and `takes_without` say whether the command has `--on-fault` and `--without`.
    """
    logging.getLogger("arena").addHandler(logging.NullHandler())  # failures are printed here
    errors = {} if options.keep_going else find_startup_errors(config, levels)
    if not errors:
        return
    for spec in config.bots:
        if spec.name in errors:
            click.echo(startup_error_text(spec, errors[spec.name]), err=True)
    named = ", ".join(f"{name} ({summarize_failure(error)})" for name, error in errors.items())
    advice = "fix or leave them out, or play on with --on-fault keep" if can_keep_going else "fix them"
    if takes_without:
        advice = f"fix them, leave them out with {without_options(errors)}, or play on with --on-fault keep"
    raise PluginError(f"{len(errors)} of {len(config.bots)} bots do not start: {named}; {advice}")


def open_design(
    config: Config,
    path: Path | None,
    level: str,
    options: RunOptions,
    *,
    name: str = "",
    seed: str = "",
    changes: Collection[str] = (),
    can_keep_going: bool = True,
    levels: Mapping[str, Level] = MappingProxyType({}),
) -> Run:
    """Return the run of a design in a folder: the one begun there, or a new one, once its bots were started.

    Args:
        config: The config of the design.
        path: The folder of its run; None for a new one in `results/`.
        level: The isolation level asked for.
        options: Who plays.
        name: Name of a folder in `results/`.
        seed: As for `Run.open_or_create`.
        changes: As for `Run.open_or_create`.
        can_keep_going: As for `refuse_broken_bots`.
        levels: Levels that are not asked for, by the names of bots.
    """
    others = tuple(bot for bot in config.bots if bot.name not in levels)
    chosen = {**levels, **choose_levels(msgspec.structs.replace(config, bots=others), confirmed=level)}
    if not (path and RunFolder(path).database.exists()):
        refuse_broken_bots(config, chosen, options, can_keep_going=can_keep_going)
    path = path or RunFolder.create_next(RESULTS, name).path
    return Run.open_or_create(config, path, chosen, seed=seed, isolation=level, changes=changes)


def finish_design(run: Run, ending: Ending, *, as_json: bool, note: str = "") -> NoReturn:
    """Print the result of a design, as JSON or as text, and exit with 1 if it was stopped.

    `note` says where more is.
    """
    format = run.stages.format
    if as_json:
        print_json(format.fields(run))
    else:
        click.echo("\n\n".join([format.verdict(run, table_width()), *failure_texts(run)]))
    if ending != "done":
        click.echo("Stopped early; run the same command to continue.", err=True)
    if note:
        click.echo(note, err=True)
    click.get_current_context().exit(0 if ending == "done" else 1)


def without_options(names: Iterable[str]) -> str:
    """Return the options of `arena run` that leave bots out."""
    return " ".join(f"--without {quote(name)}" for name in names)


@contextmanager
def suggesting_resume(folder: Path) -> Iterator[None]:
    """Say how to resume a run that is interrupted at once, if it has begun."""
    try:
        yield
    except KeyboardInterrupt as error:
        if not RunFolder(folder).database.exists():
            raise
        command = resume_command(Run.open(folder))
        raise ArenaError(f"interrupted; run `{command}` to continue") from error


def adjust_results(run: Run, jobs: int, *, shown: bool = True) -> RunControls:
    """Adjust the results of a run for luck, which replays all its matches; return the controls."""
    with (
        Progress(run.count_blocks(), shown=shown, task="adjusting for luck") as progress,
        make_workers(jobs, DEFAULT_START_METHOD) as pool,
    ):
        controls = compute_run_controls(run, pool, progress.count)
    run.use_results(run.results().adjusted(controls.by_game))
    return controls


def adjust_played(run: Run, options: RunOptions) -> RunControls:
    """Adjust the results of a run that was just played here or on a cluster."""
    shown = options.log_level <= logging.INFO
    return adjust_results(run, 1 if options.cluster else options.jobs, shown=shown)


def _show_cost(run: Run, computed: RunControls) -> None:
    """Say what an adjustment for luck took, unless there was nothing to adjust."""
    if any(len(controls.cluster) for controls in computed.by_game.values()):
        command = f"{arena_command()} plan {quote(str(run.folder.path))} --adjust luck{level_option(run)}"
        click.echo(
            f"Adjusting for luck took {computed.total_s:.1f} s of work; `{command}` says whether that saves "
            "more blocks than it costs.",
            err=True,
        )


def play(run: Run, options: RunOptions, *, as_json: bool = False) -> None:
    """Play the missing blocks of a run and print its table; the exit status is 1 if it was stopped.

    With `as_json` the ending is printed as JSON, without the table.
    """
    if options.log_level <= logging.INFO:
        click.echo(start_message(run, options), err=True)
    with raise_gc_threshold():
        is_reported_by_pool = not (options.cluster or run.config.adjust)
        ending = run.play(options, partial(write_report, run) if is_reported_by_pool else None)
        if run.config.adjust:
            controls = adjust_played(run, options)
            if options.log_level <= logging.INFO:
                _show_cost(run, controls)
        if not is_reported_by_pool:
            write_report(run)
    if as_json:
        print_json(ending_fields(run, ending))
        click.echo(ending_line(run, ending), err=True)
    else:
        click.echo(ending_text(run, ending, table_width()))
    click.get_current_context().exit(0 if ending == "done" else 1)
