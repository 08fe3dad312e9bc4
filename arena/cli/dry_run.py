"""`arena run --dry-run`: what is wrong with a tournament, and how long it would take, without a run."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import click

from arena.columns.number_format import format_count
from arena.output.texts.run import run_estimate_text, startup_error_text
from arena.output.words.text import printable_line
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels, find_startup_errors
from arena.tournament.files import RunFolder
from arena.tournament.review.luck import measure_first_blocks
from arena.tournament.run import Run
from arena.tournament.setup.config import Config, find_config_errors
from arena.tournament.setup.errors import ConfigOrigin

MAX_TIMING_S = 5.0
"""Seconds for which blocks are timed."""


def report_dry_run(
    table: Mapping[str, Any],
    base: Path,
    origin: ConfigOrigin,
    store: Path,
    level: str | None,
    options: RunOptions,
) -> NoReturn:
    """Print all errors of a config, the bots that do not start, and an estimate; exit 2, 1 or 0."""
    errors, config = find_config_errors(table, base, origin, store)
    for error in errors:
        click.echo(printable_line(str(error)))
    if config is None:
        click.echo(f"{format_count(len(errors), 'errors')}; nothing was played", err=True)
        click.get_current_context().exit(2)
    status = _check_and_time(config, level, options)
    click.get_current_context().exit(status)


def _check_and_time(config: Config, level: str | None, options: RunOptions) -> int:
    """Start each bot, time some blocks if all start, and return the exit status."""
    levels = choose_levels(config, confirmed=level)
    broken = find_startup_errors(config, levels)
    for spec in config.bots:
        if spec.name in broken:
            click.echo(startup_error_text(spec, broken[spec.name]))
    if broken:
        return 1
    with TemporaryDirectory() as scratch:
        run = Run.create(config, RunFolder.create(Path(scratch, "run")), levels)
        first = measure_first_blocks(run, options, MAX_TIMING_S)
        click.echo(run_estimate_text(run, first, options.jobs))
    return 0
