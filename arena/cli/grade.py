"""`arena grade`: find out how far up the ladder of built-in bots a bot is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from shlex import quote
from typing import Any

import click
import msgspec

from arena.cli.options import (
    GameOption,
    OutputFile,
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
    SEVERAL_NOTE,
    estimate_text,
    grading_fields,
    grading_record,
    grading_text,
    grading_title,
    unplayed_fields,
    unplayed_text,
)
from arena.output.texts.run import stopped_text
from arena.output.words.text import table_width
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.engine.progress import GRACE_S, StopRequest
from arena.tournament.files import RESULTS, RunFolder
from arena.tournament.formats.grading import Grading, make_grading_seed
from arena.tournament.review.luck import measure_round
from arena.tournament.run import Run
from arena.tournament.setup.bots import HouseGames
from arena.tournament.setup.command_line import Rungs, find_rungs, grading_table, parse_bot_with_settings
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.errors import COMMAND_LINE

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
    cls=GameOption,
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
@blocks_option("Play at most this many blocks against each rung.", 1000, least=6, name="max_blocks")
@click.option(
    "--seed",
    metavar="TEXT",
    help="Draw the deals from this text. Default: from the bots' files.",
)
@isolation_option("auto")
@out_folder_option("Keep the gradings in DIR instead of results/; the same command resumes what was stopped.")
@click.option(
    "csv",
    "--csv",
    metavar="FILE",
    type=OutputFile(path_type=Path),
    help="Also write a row for each bot and game. Its score, error and los are those against the first rung "
    "not beaten; its faults and blocks are sums over all rungs.",
)
@json_option
@run_options
def grade_command(
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
    that is too high, however many rungs there are. The same files under the same name get the same grade;
    tries with other files are not counted, but `arena league grade` counts them. A game of your own has the
    rungs `random`, `rollout` and, if it has a heuristic, `retuned` between them.
    """
    terms = {"max_blocks": max_blocks, "isolation": level}
    if csv and csv.is_dir():
        raise ConfigError(f"{csv} is a folder: name a file with --csv")
    if csv and not csv.absolute().parent.is_dir():
        raise ConfigError(f"there is no folder {csv.parent} for {csv.name}: make it first")
    with StopRequest(options.time_limit_s, grace_s=GRACE_S) as stop:
        gradings = list(_plan(bots, games, players, at_least, terms, out))
        is_stopped = False
        try:
            with stop.interrupting():
                for grading in gradings:
                    grading.open_or_create(seed, level, options)
        except KeyboardInterrupt:
            is_stopped = True
        for number, grading in enumerate(gradings, 1):
            if not (options.quiet or is_stopped):
                click.echo(f"{number} of {len(gradings)}: {grading_title(grading.config)}", err=True)
            is_stopped = is_stopped or not grading.play(level, options, stop)
            if not as_json:
                click.echo(f"{grading.text()}\n")
        if len(gradings) > 1 and not as_json:
            click.echo(SEVERAL_NOTE.format(len(gradings)))
        if is_stopped:
            click.echo(_stopped_text(gradings, out), err=True)
        graded = [grading.fields(seed) for grading in gradings]
        if as_json:
            print_json(graded)
        if csv:
            csv.write_text(csv_text(CSV_FIELDS, map(grading_record, graded)), encoding="utf-8")
    status = int(is_stopped) if at_least is None else _answer_status(at_least, graded)
    click.get_current_context().exit(status)


@dataclass
class _Grading:
    """A bot that is graded at a game, and the run of that, once there is one."""

    config: Config
    rungs: Rungs
    path: Path | None
    """The folder of its run; None for a new one in results/."""
    run: Run | None = None

    def open_or_create(self, seed: str | None, level: str, options: RunOptions) -> None:
        """Open the run, if it was begun in this folder, or create one.

        Raises:
            ConfigError: If the folder has a run of another grading.
            PluginError: If the bot does not start.
        """
        if not (self.path and RunFolder(self.path).database.exists()):
            levels = choose_levels(self.config, confirmed=level)
            refuse_broken_bots(self.config, levels, options)
            name = f"grade-{_folder_name(self.config)}"
            folder = RunFolder.create(self.path) if self.path else RunFolder.create_next(RESULTS, name)
            self.run = Run.create(self.config, folder, levels, seed=seed or make_grading_seed(self.config))
            return
        self.run = Run.open(self.path, isolation=level)
        graded, *rungs = self.config.bots
        graded = msgspec.structs.replace(graded, name=self.run.config.bots[0].name)  # spelled as it was then
        asked = msgspec.structs.replace(self.config, bots=(graded, *rungs))
        if self.run.config.toml() != asked.toml() or (seed and seed != self.run.seed):
            raise ConfigError(f"{self.path} has a grading with other options: name another folder with --out")

    def play(self, level: str, options: RunOptions, stop: StopRequest) -> bool:
        """Play it and return whether it was finished; say before how long it can take."""
        assert self.run is not None
        _warn_if_changed(self.rungs)
        try:
            with stop.interrupting():
                if not (options.quiet or options.cluster or self.run.count_blocks()):
                    _announce_grading(self.run, options, stop)
                return self.run.play(options, stop=stop) == "done"
        except KeyboardInterrupt:  # the blocks in play were given up
            self.run = Run.open(self.run.folder.path, isolation=level)
            return False

    def text(self) -> str:
        """Return the result for people."""
        if self.run is None:
            return unplayed_text(self.config)
        self.run.scoreboard()  # takes in what is stored
        return grading_text(self.run, table_width())

    def fields(self, seed: str | None) -> dict[str, Any]:
        """Return the result for programs; `seed` is the one given."""
        if self.run is None:
            return unplayed_fields(self.config, self.rungs.ladder, seed)
        self.run.scoreboard()
        return grading_fields(self.run, self.rungs.ladder)


def _answer_status(rung: str, graded: Sequence[Mapping[str, Any]]) -> int:
    """Return the exit status that says whether every bot beats a rung: 0 yes, 1 no, or not known."""
    lacking = [fields for fields in graded if rung not in fields["beats"]]
    if any(fields["done"] for fields in lacking):
        return 1
    return UNKNOWN_STATUS if lacking else 0


def _warn_if_changed(rungs: Rungs) -> None:
    """Warn of rungs that do not play as they did when the ladder was frozen."""
    if rungs.changed:
        names = ", ".join(rungs.changed)
        click.echo(
            f"WARNING: these bots are not those that {rungs.ladder} was frozen with: {names}.", err=True
        )
    if rungs.needs_numba and find_spec("numba") is None:
        click.echo(
            f"WARNING: {', '.join(rungs.needs_numba)} searches at this game with numba, and is weaker here "
            "than its rung: pip install 'commerce-arena[vector]'.",
            err=True,
        )


def _stopped_text(gradings: Sequence[_Grading], out: Path | None) -> str:
    """Return how to continue gradings that were stopped."""
    if out:
        return "Stopped early; the same command resumes it."
    begun = [grading.run for grading in gradings if grading.run and not grading.run.is_over()]
    if not begun:
        return "Stopped early; nothing was begun."
    if len(gradings) == 1:
        return stopped_text(begun[0])
    path = quote(str(begun[0].folder.path))
    return (
        f"Stopped early; `{arena_command()} resume {path}` continues the grading that was stopped. "
        "With --out DIR the same command would resume all."
    )


def _plan(
    bots: Sequence[str],
    games: Sequence[str],
    players: int | None,
    at_least: str | None,
    terms: Mapping[str, Any],
    out: Path | None,
) -> Iterator[_Grading]:
    """Yield each grading, for each bot at each of its games; with `out` their runs are in that folder.

    Raises:
        PluginError: For a bot that does not exist.
        ConfigError: For a rung that the game does not have.
        UnknownVariant: For a game that does not exist.
    """
    numbers = count(1)
    for bot in map(parse_bot_with_settings, bots):
        for game in games or (bot.source.variants() or (DEFAULT_GAME,))[:1]:
            rungs = find_rungs(HouseGames(folder=Path()).rules(game))
            if at_least is not None and at_least not in rungs.bots:
                known = ", ".join(rungs.bots)
                raise ConfigError(
                    f"{rungs.ladder} has no rung {at_least!r} at {game}; from the weakest, it has {known}"
                )
            table = {**grading_table(bot, rungs.bots, game, players), **terms}
            config = make_config(table, base=Path(), where=COMMAND_LINE)
            path = out and out / f"{next(numbers):03}-{_folder_name(config)}"
            yield _Grading(config, rungs, path)


def _announce_grading(run: Run, options: RunOptions, stop: StopRequest) -> None:
    """Time some blocks and say how long the grading can take, unless it is stopped meanwhile."""
    click.echo("Timing a block against each rung.", err=True)
    rounds = Grading.of(run.stages).first_blocks(MAX_TIMED_ROUNDS)
    round_s = measure_round(run, rounds, options, MAX_TIMING_S, stop)
    if round_s is not None:
        click.echo(estimate_text(run, round_s / len(rounds[0]), options.jobs), err=True)


def _folder_name(config: Config) -> str:
    """Return which bot is graded at which game, as part of the name of its folder."""
    [entry] = config.variants
    name = config.bots[0].name
    bot = re.sub("[^A-Za-z0-9]+", "-", label_bots([name])[name]).strip("-")[:40]
    return f"{bot}-{entry.name}-{entry.players[0]}"
