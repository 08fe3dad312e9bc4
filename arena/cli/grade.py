"""`arena grade`: find out how far up the ladder of built-in bots a bot is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from arena.cli.options import (
    blocks_option,
    isolation_option,
    json_option,
    load_named_games,
    out_folder_option,
    players_option,
    print_json,
)
from arena.cli.run_execution import refuse_broken_bots, run_options
from arena.columns.table_formats import csv_text
from arena.errors import ConfigError
from arena.output.texts.grading import (
    CSV_FIELDS,
    estimate_text,
    grading_fields,
    grading_record,
    grading_text,
)
from arena.output.texts.terminal_layout import table_width
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.formats.grading import Grading
from arena.tournament.review.block_timing import measure_round
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.scheduling.seeds import make_seed
from arena.tournament.setup.cli_overrides import grading_table, parse_bot_with_settings
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.config_origin import COMMAND_LINE
from arena.tournament.setup.frozen_ladder import Rungs, find_rungs
from arena.tournament.setup.house_game_files import HouseGames
from arena.tournament.workers.isolation_levels import choose_levels

DEFAULT_GAME = "lives"
MAX_TIMING_S = 3.0
"""Seconds after which no more blocks are timed."""
MAX_TIMED_ROUNDS = 100
"""Blocks against each rung of which some are timed."""
UNKNOWN_STATUS = 3
"""Exit status of a grading that was stopped before it was known whether a bot beats the rung asked for."""


@click.command(epilog="Example: arena grade mine.py --game lives --at-least greedy")
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option(
    "games",
    "--game",
    metavar="NAME",
    callback=load_named_games,
    multiple=True,
    help="Grade at this game; may be repeated. Default: lives, or the first game that the bot declares.",
)
@players_option
@click.option(
    "--at-least",
    metavar="RUNG",
    help="Exit with status 0 if every bot beats this one at every game, 1 if one does not, and 3 if the "
    "grading was stopped before that was known.",
)
@blocks_option("Play at most this many blocks against each rung.", 1000, name="max_blocks")
@click.option("--seed", metavar="TEXT", help="The same seed plays the same grading again.")
@isolation_option("auto")
@out_folder_option("Keep each grading as a run in DIR; the same command resumes what was stopped.")
@click.option(
    "csv",
    "--csv",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also write a row for each bot and game.",
)
@json_option
@run_options
def command(
    bots: tuple[str, ...],
    games: tuple[str, ...],
    players: int | None,
    at_least: str | None,
    max_blocks: int,
    seed: str | None,
    level: str,
    out: Path | None,
    csv: Path | None,
    as_json: bool,
    options: RunOptions,
) -> None:
    """Find out how far up the ladder of built-in bots a bot is.

    The rungs of a game are built-in bots, each stronger than the one before. The bot is compared with them in
    turn, as by `arena compare`, until it is not shown to beat one. At most 2.5 of 100 gradings name a rung
    that is too high, however many rungs there are. A game of your own has the rungs `random`, `rollout`
    and, if it has a heuristic, `retuned` between them.
    """
    terms = {"max_blocks": max_blocks, "isolation": level, "replays": 10_000 if out else 0}
    if csv and not csv.absolute().parent.is_dir():
        raise ConfigError(f"there is no folder {csv.parent} for {csv.name}: make it first")
    gradings = list(_plan(bots, games, players, at_least, terms))
    graded, done = [], True
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="arena-")))
        for number, (config, rungs) in enumerate(gradings, 1):
            run = _open_or_create(folder / _folder_name(number, config), config, seed, level, options)
            _warn_if_changed(rungs)
            done = _play(run, options)
            graded.append(grading_fields(run, rungs.ladder))
            if not as_json:
                click.echo(f"{grading_text(run, table_width())}\n")
            if not done:
                click.echo(_stopped_text(out), err=True)
                break
    if as_json:
        print_json(graded)
    if csv:
        csv.write_text(csv_text(CSV_FIELDS, map(grading_record, graded)), encoding="utf-8")
    unplayed = len(gradings) - len(graded)
    status = _answer_status(at_least, graded, unplayed) if at_least else 0 if done else 1
    click.get_current_context().exit(status)


def _answer_status(rung: str, graded: Sequence[Mapping[str, Any]], unplayed: int) -> int:
    """Return the exit status that says whether every bot beats a rung: 0 yes, 1 no, or not known."""
    lacking = [fields for fields in graded if rung not in fields["beats"]]
    if any(fields["done"] for fields in lacking):
        return 1
    return UNKNOWN_STATUS if lacking or unplayed else 0


def _warn_if_changed(rungs: Rungs) -> None:
    """Warn of rungs that do not play as they did when the ladder was frozen."""
    if rungs.changed:
        names = ", ".join(rungs.changed)
        click.echo(
            f"WARNING: these bots are not those that {rungs.ladder} was frozen with: {names}.", err=True
        )
    if "expert" in rungs.bots and find_spec("numba") is None:
        click.echo(
            "WARNING: where expert searches, it is weaker here than its rung, as it needs numba: "
            "pip install 'commerce-arena[vector]'.",
            err=True,
        )


def _stopped_text(out: Path | None) -> str:
    return (
        "Stopped early; the same command resumes it." if out else "Stopped early; nothing was kept (--out)."
    )


def _plan(
    bots: Sequence[str],
    games: Sequence[str],
    players: int | None,
    at_least: str | None,
    terms: Mapping[str, Any],
) -> Iterator[tuple[Config, Rungs]]:
    """Yield the config and the rungs of each grading, for each bot at each of its games.

    Raises:
        PluginError: For a bot that does not exist.
        ConfigError: For a rung that the game does not have.
        UnknownVariant: For a game that does not exist.
    """
    for bot in map(parse_bot_with_settings, bots):
        for game in games or (bot.source.variants() or (DEFAULT_GAME,))[:1]:
            rungs = find_rungs(HouseGames(folder=Path()).rules(game))
            if at_least and at_least not in rungs.bots:
                known = ", ".join(rungs.bots)
                raise ConfigError(
                    f"{rungs.ladder} has no rung {at_least!r} at {game}; from the weakest, it has {known}"
                )
            table = {**grading_table(bot, rungs.bots, game, players), **terms}
            yield make_config(table, base=Path(), where=COMMAND_LINE), rungs


def _open_or_create(path: Path, config: Config, seed: str | None, level: str, options: RunOptions) -> Run:
    """Return the run of a grading: that in its folder, if it was begun there, or a new one.

    Raises:
        ConfigError: If the folder has a run of another grading.
    """
    if not RunFolder(path).database.exists():
        levels = choose_levels(config, confirmed=level)
        refuse_broken_bots(config, levels, options)
        return Run.create(config, RunFolder.create(path), levels, seed=make_seed(seed or ""))
    run = Run.open(path, isolation=level)
    if run.config.toml() != config.toml() or (seed and seed != run.seed):
        raise ConfigError(f"{path} has a grading with other options: name another folder with --out")
    return run


def _play(run: Run, options: RunOptions) -> bool:
    """Play a grading and return whether it was finished; say before how long it can take."""
    if not (options.quiet or options.cluster or run.count_blocks()):
        rounds = Grading.of(run.stages).first_blocks(MAX_TIMED_ROUNDS)
        round_s = measure_round(run, rounds, options, MAX_TIMING_S)
        click.echo(estimate_text(run, round_s / len(rounds[0]), options.jobs), err=True)
    return run.play(options) == "done"


def _folder_name(number: int, config: Config) -> str:
    """Return the name of the folder of a grading among others."""
    [entry] = config.variants
    bot = re.sub("[^A-Za-z0-9]+", "-", config.bots[0].name).strip("-")[:40]
    return f"{number:03}-{bot}-{entry.name}-{entry.players[0]}"
