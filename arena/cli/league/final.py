"""`arena league final`: play the best bots of a league against each other."""

import time
from dataclasses import replace
from typing import get_args

import click

from arena.cli.league.options import date_option, league_argument
from arena.cli.options import GameOption, isolation_option
from arena.cli.run_execution import play, run_options, suggesting_resume
from arena.league.runs import (
    DEFAULT_BLOCKS,
    DEFAULT_MAX_BLOCKS,
    FinalFormat,
    create_final,
    estimate_final,
    fit_into_time,
)
from arena.league.settings import LeagueFolder
from arena.output.site.site import write_site
from arena.output.texts.run import final_estimate_text
from arena.tournament.engine.engine import RunOptions
from arena.tournament.review.luck import measure_first_blocks
from arena.tournament.run import Run

MAX_TIMING_S = 5.0
"""Seconds for which blocks are timed before a final begins."""


@click.command(epilog="Example: arena league final myleague --format knockout --top 8 --minutes 10")
@league_argument
@click.option(
    "format",
    "--format",
    type=click.Choice(get_args(FinalFormat)),
    default="knockout",
    show_default=True,
    help="Format of the run.",
)
@click.option("--top", type=click.IntRange(2), default=8, show_default=True, help="Number of bots.")
@click.option(
    "variants",
    "--game",
    cls=GameOption,
    metavar="NAME",
    multiple=True,
    help="One of the league's games; default: all.",
)
@click.option("--players", type=int, help="Seats at a table, if the league has several sizes.")
@click.option(
    "--blocks",
    type=click.IntRange(1),
    help=f"Blocks per table and round; knockout: before the first decision, {DEFAULT_BLOCKS} by default.",
)
@click.option(
    "--max-blocks",
    type=click.IntRange(1),
    help=f"Knockout: blocks after which the score decides a table; {DEFAULT_MAX_BLOCKS} by default.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    help="Take no longer than this: as many blocks as fit, and then the score decides.",
)
@click.option("is_held", "--hold-back", is_flag=True, help="Show no result until `arena league reveal` does.")
@isolation_option(None, "Run submitted bots at this level if league.toml does: with your rights.")
@date_option
@run_options
def league_final_command(
    folder: LeagueFolder,
    format: FinalFormat,
    top: int,
    variants: tuple[str, ...],
    players: int | None,
    blocks: int | None,
    max_blocks: int | None,
    minutes: float | None,
    is_held: bool,
    level: str | None,
    date: str,
    options: RunOptions,
) -> None:
    """Play the best bots of a league against each other.

    A run with fresh deals is created in DIR/finals, recorded in the league, and played. Before it begins,
    some blocks are timed and an estimate is printed. Bots that the blocks do not separate are ranked by
    score, equal ones by their place on the ladder, and are marked. The site is written again and links it.
    With --hold-back neither the site nor the output has a result before `arena league reveal` shows it.
    """
    began = time.monotonic()
    if max_blocks and format != "knockout":
        raise click.UsageError("--max-blocks is for a knockout; --blocks sets the blocks of a swiss round.")
    if minutes and options.time_limit_s:
        raise click.UsageError(
            "--minutes decides the final when the time is over, --time-limit only interrupts it: give one."
        )
    run = create_final(
        folder,
        format,
        top,
        variants=variants,
        players=players,
        blocks=blocks,
        max_blocks=max_blocks,
        confirmed=level,
        date=date,
        is_held=is_held,
    )
    try:
        with suggesting_resume(run.folder.path):
            deadline = began + 60 * minutes if minutes else None
            asked = max_blocks if format == "knockout" else blocks
            run = _estimate(run, options, deadline, asked)
            if deadline is not None:
                left = max(1.0, deadline - time.monotonic())
                options = replace(options, time_limit_s=left, ends_at_limit=True)
            _play_unseen(run, options) if is_held else play(run, options)
    finally:
        write_site(folder)


def _play_unseen(run: Run, options: RunOptions) -> None:
    """Play a final without a word on who won; the exit status is 1 if it was stopped."""
    is_done = run.play(replace(options, is_held=True)) == "done"
    league = run.folder.path.parents[1]
    click.echo(
        f"Played, and held back: `arena league reveal {league}` shows a round at a time"
        if is_done
        else f"Stopped early; `arena resume {run.folder.path}` plays on, and prints the results"
    )
    click.get_current_context().exit(0 if is_done else 1)


def _estimate(run: Run, options: RunOptions, deadline: float | None, max_blocks: int | None) -> Run:
    """Print how long the run takes, limited to the time there is; return it with its limits."""
    if options.cluster or (options.quiet and deadline is None):
        return run
    left = MAX_TIMING_S if deadline is None else (deadline - time.monotonic()) / 10
    block_s = measure_first_blocks(run, options, min(MAX_TIMING_S, left)).block_s
    if deadline is not None:
        run = fit_into_time(run, block_s, deadline - time.monotonic(), max_blocks)
    if not options.quiet:
        click.echo(final_estimate_text(run, estimate_final(run, block_s)), err=True)
    return run
