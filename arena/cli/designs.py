"""`arena compare`, `grade` and `track`: find out how strong a bot is."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from arena.cli.options import (
    FormerOption,
    GameOption,
    OutputFile,
    announce,
    blocks_option,
    command,
    explain_option,
    game_option,
    isolation_option,
    json_option,
    load_named_games,
    out_folder_option,
    parse_bots,
    players_option,
    print_json,
    settings_option,
)
from arena.cli.run_execution import (
    ADJUSTMENTS,
    adjust_played,
    open_design,
    refuse_broken_bots,
    run_options,
    suggesting_resume,
)
from arena.columns.column import explain_columns
from arena.columns.table_formats import csv_text, format_table
from arena.errors import ConfigError
from arena.output.pages.design_pages import write_track_page
from arena.output.texts.run import grading_estimate_text, stopped_text
from arena.output.texts.track import advice, ignored_text, track_fields, track_sheet
from arena.output.words.terminal_layout import table_width
from arena.output.words.text import strip_unprintable
from arena.play.isolation import Level
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.tournament.designs.track import (
    CheckpointRating,
    DataBot,
    Track,
    find_checkpoints,
    rate_checkpoints,
)
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import GRACE_S, StopRequest
from arena.tournament.files import RESULTS, RunFolder
from arena.tournament.formats.grading import (
    CSV_FIELDS,
    SEVERAL_NOTE,
    Grading,
    grading_record,
    make_grading_seed,
)
from arena.tournament.formats.paired_design import PairedFormat, describe_same_bots
from arena.tournament.review.forecast import measure_round
from arena.tournament.run import Run
from arena.tournament.setup.bots import HouseGames
from arena.tournament.setup.command_line import Rungs, design_table, find_rungs, parse_bot_with_settings
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.toml_checks import COMMAND_LINE

# --- arena compare ---


def _parse_elos(ctx: click.Context, param: click.Parameter, text: str | None) -> list[float] | None:
    """Return two numbers separated by a comma."""
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not two numbers: write E0,E1, such as 0,20.", ctx, param
        ) from None
    return [low, high]


def _check_call(
    bots: Sequence[str], names: Sequence[str], stop_rules: Mapping[str, Any], adjust: str | None
) -> None:
    """Refuse options that do not go together."""
    if len(names) > len(bots):
        number = "two" if len(bots) == 2 else len(bots)
        raise click.BadParameter(f"{len(names)} names for {number} bots.", param_hint="'--name'")
    for option in ("sprt", "fixed"):
        if len(bots) > 2 and stop_rules[option]:
            raise click.UsageError(f"--{option} compares two bots; more are compared without it.")
    if len(bots) > 2 and adjust:
        raise click.UsageError(
            "--adjust compares two bots; keep a comparison of more with --out DIR, and then run "
            "`arena table DIR --adjust luck`."
        )
    if len(bots) > 2 and stop_rules["alone"]:
        raise click.UsageError(
            "--alone compares two bots; --field BOT seats each of more against copies of BOT."
        )


GOALS: Final = ("best", "rank")
"""Goals of a comparison of three or more bots."""


@command(
    epilog="Example: arena compare greedy prudent --game pool --sprt 0,20",
    then="arena why greedy prudent results/comparison",
)
@click.argument("first", metavar="BOT")
@click.argument("second", metavar="BOT")
@click.argument("more", metavar="[BOT]...", nargs=-1)
@click.option(
    "names",
    "--name",
    multiple=True,
    help="Name of the first bot in the results; a second --name is for the second bot, and so on.",
)
@click.option(
    "--goal",
    type=click.Choice(GOALS),
    default="best",
    show_default=True,
    help="Of three or more bots find the best, or rank all.",
)
@click.option("--best", cls=FormerOption, now="--goal best", is_flag=True)
@click.option("--rank", cls=FormerOption, now="--goal rank", is_flag=True)
@click.option(
    "variant",
    "--game",
    cls=GameOption,
    callback=load_named_games,
    metavar="NAME",
    default="lives",
    show_default=True,
    help="The game.",
)
@players_option
@settings_option
@click.option(
    "--sprt", metavar="E0,E1", callback=_parse_elos, help="Sequential test of a lead of E0 Elo against E1."
)
@click.option(
    "--field", metavar="BOT,…", callback=parse_bots, help="Seat them in turn at tables of these bots."
)
@click.option("--alone", is_flag=True, help="Seat the first bot alone against copies of the second.")
@blocks_option("Play at most this many blocks.", 10_000, name="max_blocks")
@click.option("--fixed", is_flag=True, help="Play all of --blocks, whatever the score is.")
@click.option("--seed", metavar="TEXT", default="", help="The same seed plays the same comparison again.")
@isolation_option("auto")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Keep the comparison as a run, in a new folder.",
)
@click.option(
    "--adjust",
    type=click.Choice(ADJUSTMENTS),
    help="Of two bots also print the score adjusted for luck.",
)
@explain_option
@json_option
@run_options("on-fault")
def compare_command(
    first: str,
    second: str,
    more: tuple[str, ...],
    names: tuple[str, ...],
    goal: str,
    best: bool,
    rank: bool,
    variant: str,
    players: int | None,
    settings: dict[str, Any],
    field: tuple[str, ...],
    max_blocks: int,
    seed: str,
    level: str,
    out: Path | None,
    adjust: str | None,
    explain: bool,
    as_json: bool,
    options: RunOptions,
    **stop_rules: Any,
) -> None:
    """Find out which of two or more bots is the strongest.

    A bot takes settings as in 'rollout(playouts=20)'. Two versions of a bot with one name get a suffix from
    the hash of their files, such as mine@1a2b3c4. All play the same cards in the same seats, block after
    block. A group-sequential test, whose interim analyses are fixed in advance, stops the comparison when the
    answer is clear, or the two had the same result in each of 200 blocks; a bot is not played against a copy
    of itself. Of three or more bots, those shown to be worse than another play no more.
    """
    bots = (first, second, *more)
    _check_call(bots, names, stop_rules, adjust)
    format = "selection" if more else "comparison"
    table = design_table(format, bots, field, variant, players, settings, names)
    table |= {"goal": "rank" if rank else goal} if len(bots) > 2 else {}
    table |= {"isolation": level, "replays": 10_000 if out else 0, "seed": seed, "max_blocks": max_blocks}
    table |= {key: value for key, value in {**stop_rules, "adjust": adjust}.items() if value}
    config = make_config(table, base=Path(), where=COMMAND_LINE)
    if not (more or stop_rules["fixed"]) and (same := describe_same_bots(config.bots, 2)):
        _print_same_bots(config, level, options, same[0], as_json)
        return
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="arena-")))
        if out:
            stack.enter_context(suggesting_resume(out))
        run = open_design(config, folder, level, options)
        click.echo(run.stages.format.announcement(run, options.workers, out), err=True)
        done = run.play(options) == "done"
        _print_result(run, options, explain, as_json)
        if not done:
            click.echo(stopped_text(run) if out else _not_kept_text(run), err=True)
    click.get_current_context().exit(0 if done else 1)


def _print_result(run: Run, options: RunOptions, explain: bool, as_json: bool) -> None:
    format = PairedFormat.of(run.stages)
    if run.config.adjust:
        adjust_played(run, options)
    if as_json:
        print_json(format.fields(run))
    else:
        click.echo(format.answer(run, table_width()))
    if explain:
        click.echo(f"\n{explain_columns(format.docs(run))}", err=as_json)  # keeps JSON on its own


def _print_same_bots(config: Config, level: str, options: RunOptions, sentence: str, as_json: bool) -> None:
    """Print that two bots are the same and why nothing is played; as JSON the fields without blocks."""
    click.echo(f"{sentence}: neither is the stronger. --fixed plays them anyway.", err=as_json)
    if as_json:
        with TemporaryDirectory(prefix="arena-") as folder:
            run = open_design(config, Path(folder), level, options)
            print_json({**run.stages.format.fields(run), "alike": True})


def _not_kept_text(run: Run) -> str:
    """Return how to play a comparison again that was stopped and is not kept: no block of it is to come."""
    return (
        f"Stopped early; its seed is {run.seed}. It is not kept: with --out DIR it could be resumed, and "
        f"--seed {quote(run.seed)} plays the same blocks again."
    )


# --- arena grade ---

DEFAULT_GAME = "lives"
MAX_TIMING_S = 3.0
"""Seconds after which no more blocks are timed."""
MAX_TIMED_ROUNDS = 100
"""Blocks against each rung of which some are timed."""
UNKNOWN_STATUS = 3
"""Exit status of a grading that was stopped before it was known whether a bot beats the rung asked for."""


@command(epilog="Example: arena grade mine.py --game lives --at-least greedy", then="arena snapshot mine.py")
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
@run_options("on-fault")
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
                click.echo(f"{number} of {len(gradings)}: {grading.title}", err=True)
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
        """Open the run, if it was begun in this folder, or create one."""
        name = f"grade-{_folder_name(self.config)}"
        is_begun = self.path and RunFolder(self.path).database.exists()
        seed = seed or ("" if is_begun else make_grading_seed(self.config))
        self.run = open_design(
            self.config, self.path, level, options, name=name, seed=seed, changes=("alike_blocks",)
        )

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

    @property
    def title(self) -> str:
        """Which bot is graded, and at which game."""
        return Grading(self.config, "").title

    def text(self) -> str:
        """Return the result as text."""
        if self.run is None:
            return f"{self.title}: not begun."
        self.run.scoreboard()  # takes in what is stored
        return Grading.of(self.run.stages).verdict(self.run, table_width())

    def fields(self, seed: str | None) -> dict[str, Any]:
        """Return the result as JSON; `seed` is the one given."""
        ladder = {"ladder": self.rungs.ladder}
        if self.run is None:
            digest = self.config.bots[0].source.digest()
            return Grading(self.config, "").fields_of(digest, seed) | {**ladder, "folder": None}
        self.run.scoreboard()
        return Grading.of(self.run.stages).fields(self.run) | ladder


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
    """Yield each grading, for each bot at each of its games; with `out` their runs are in that folder."""
    numbers = count(1)
    for bot in map(parse_bot_with_settings, bots):
        for game in games or (bot.source.variants() or (DEFAULT_GAME,))[:1]:
            rungs = find_rungs(HouseGames(folder=Path()).rules(game))
            if at_least is not None and at_least not in rungs.bots:
                known = ", ".join(rungs.bots)
                raise ConfigError(
                    f"{rungs.ladder} has no rung {at_least!r} at {game}; from the weakest, it has {known}"
                )
            table = {**design_table("grading", [bot], rungs.others(bot, game), game, players, {}), **terms}
            config = make_config(table, base=Path(), where=COMMAND_LINE)
            path = out and out / f"{next(numbers):03}-{_folder_name(config)}"
            yield _Grading(config, rungs, path)


def _announce_grading(run: Run, options: RunOptions, stop: StopRequest) -> None:
    """Time some blocks and say how long the grading can take, unless it is stopped meanwhile."""
    click.echo("Timing a block against each rung.", err=True)
    format = Grading.of(run.stages)
    rounds = format.first_blocks(MAX_TIMED_ROUNDS)
    round_s = measure_round(run, rounds, options, MAX_TIMING_S, stop)
    if round_s is not None:
        block_s = round_s / len(rounds[0])
        click.echo(grading_estimate_text(format.total_range[1], block_s, options.jobs), err=True)


def _folder_name(config: Config) -> str:
    """Return which bot is graded at which game, as part of the name of its folder."""
    [entry] = config.variants
    name = config.bots[0].name
    bot = re.sub("[^A-Za-z0-9]+", "-", label_bots([name])[name]).strip("-")[:40]
    return f"{bot}-{entry.name}-{entry.players[0]}"


# --- arena track ---

FIELD = "random,stand-pat,greedy"
_folder = click.Path(exists=True, file_okay=False, path_type=Path)


def _parse_completed(bot: str | None, data: str | None) -> DataBot | None:
    if (bot is None) != (data is None):
        raise click.UsageError("--bot and --data are given together: a bot's folder, and the file in it.")
    return DataBot.parse(bot, data) if bot is not None and data is not None else None


@command(
    epilog="Example: arena track checkpoints --field greedy,prudent,counter --blocks 200",
    then="arena tune mybot",
)
@click.argument("checkpoints", metavar="DIR", type=_folder)
@click.option(
    "--bot", metavar="FOLDER", help="The bot that files in DIR complete, if DIR has no bots itself."
)
@click.option("--data", metavar="FILE", help="With --bot: the file in its folder that each of them replaces.")
@click.option(
    "--field",
    metavar="BOT,…",
    callback=parse_bots,
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
@run_options()
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
        design_table("gauntlet", (), field, game, players, settings)
        | {"isolation": level, "replays": 0, **terms},
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
