"""`arena track`: rate the checkpoints of a bot in training."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from arena.cli.compare import parse_names
from arena.cli.options import (
    announce,
    blocks_option,
    explain_option,
    game_option,
    isolation_option,
    json_option,
    out_folder_option,
    players_option,
    print_json,
    settings_option,
)
from arena.cli.run_execution import refuse_broken_bots, run_options
from arena.columns.column import explain_columns
from arena.columns.table_formats import format_table
from arena.output.pages.run_pages import write_track_page
from arena.output.texts.track import advice, ignored_text, track_fields, track_sheet
from arena.output.words.text import strip_unprintable, table_width
from arena.play.isolation import Level
from arena.tournament.designs.track import (
    CheckpointRating,
    DataBot,
    Track,
    find_checkpoints,
    rate_checkpoints,
)
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RESULTS
from arena.tournament.run import Run
from arena.tournament.setup.command_line import track_table
from arena.tournament.setup.config import Config

FIELD = "random,stand-pat,greedy"
_folder = click.Path(exists=True, file_okay=False, path_type=Path)


def _parse_completed(bot: str | None, data: str | None) -> DataBot | None:
    if (bot is None) != (data is None):
        raise click.UsageError("--bot and --data are given together: a bot's folder, and the file in it.")
    return DataBot.parse(bot, data) if bot is not None and data is not None else None


@click.command(epilog="Example: arena track checkpoints --field greedy,prudent,counter --blocks 200")
@click.argument("checkpoints", metavar="DIR", type=_folder)
@click.option(
    "--bot", metavar="FOLDER", help="The bot that files in DIR complete, if DIR has no bots itself."
)
@click.option("--data", metavar="FILE", help="With --bot: the file in its folder that each of them replaces.")
@click.option(
    "--field",
    metavar="BOT,…",
    callback=parse_names,
    default=FIELD,
    show_default=True,
    help="The bots that every checkpoint plays against.",
)
@game_option
@players_option
@settings_option
@blocks_option("Blocks per table: each plays the same cards in every seating.", 100)
@click.option("--seed", metavar="TEXT", default="", help="The same seed plays the same deals again.")
@isolation_option("auto")
@out_folder_option("The track's folder; results/track- and the name of DIR without it.")
@click.option(
    "--reuse",
    metavar="DIR",
    type=_folder,
    help="Import the blocks of this track that are valid in the new one; play only the others.",
)
@explain_option
@json_option
@run_options
def track_command(
    checkpoints: Path,
    bot: str | None,
    data: str | None,
    field: tuple[str, ...],
    game: str,
    players: int | None,
    settings: dict[str, Any],
    level: str,
    out: Path | None,
    reuse: Path | None,
    explain: bool,
    as_json: bool,
    options: RunOptions,
    **terms: Any,
) -> None:
    """Rate the checkpoints of a bot in training, as one curve.

    DIR has a bot for each checkpoint: folders with a bot.toml, or Python files. With --bot and --data it has
    files of what that one bot has learnt. All play the same deals against the same field. Each is rated once,
    in a run of its own: run the same command again to rate new ones. The curve is in track.html, in the
    track's folder.
    """
    completed = _parse_completed(bot, data)
    listing = find_checkpoints(checkpoints, completed)
    if listing.ignored:
        click.echo(ignored_text(listing.ignored), err=True)
    track = Track(
        out or RESULTS / f"track-{checkpoints.resolve().name}",
        {**track_table(field, game, players, settings), "isolation": level, "replays": 0, **terms},
        completed=completed,
        isolation=level,
        reuse=reuse,
    )

    def check_bots(config: Config, levels: Mapping[str, Level]) -> None:
        refuse_broken_bots(config, levels, options)

    def announce_rating(name: str) -> None:
        if options.log_level <= logging.INFO:
            announce(f"Rating {name}")

    try:
        ending = track.play(listing.checkpoints, options, announce_rating, check_bots)
    finally:  # a broken checkpoint does not keep those before it off the curve
        runs = list(track.runs())
        ratings = rate_checkpoints(runs)
        if runs:
            write_track_page(track.page, runs[0][1], ratings)
    _print_ratings(runs, ratings, as_json=as_json, explain=explain)
    if ending != "done":
        click.echo("Stopped early; run the same command to continue.", err=True)
    click.echo(f"The curve is in {strip_unprintable(str(track.page))}", err=True)
    click.get_current_context().exit(0 if ending == "done" else 1)


def _print_ratings(
    runs: list[tuple[str, Run]], ratings: list[CheckpointRating], *, as_json: bool, explain: bool
) -> None:
    table = track_sheet(runs[0][1], ratings)
    if as_json:
        print_json(track_fields(runs[0][1], ratings))
    else:
        told = [format_table(table, "plain", table_width()), advice(runs, ratings)]
        click.echo("\n\n".join(filter(None, told)))
    if explain:
        click.echo(f"\n{explain_columns(table.docs)}", err=as_json)  # keeps JSON on its own
