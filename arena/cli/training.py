"""`arena tune`, `exploit` and `train`: make a bot stronger, or train one against another."""

import logging
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click

from arena.cli.options import (
    GameOption,
    OutputFile,
    announce,
    blocks_option,
    command,
    game_option,
    isolation_option,
    json_option,
    load_named_games,
    out_folder_option,
    parse_bots,
    players_option,
    settings_option,
)
from arena.cli.run_execution import (
    finish_design,
    former_cluster_options,
    jobs_option,
    open_design,
    suggesting_resume,
)
from arena.errors import ArenaError, ConfigError, PluginError
from arena.games import variant
from arena.output.pages.design_pages import write_tuning_page
from arena.output.words.text import strip_unprintable
from arena.plugins import BotSpec
from arena.plugins.bot_spec import name_file_of_bot
from arena.tournament.designs.searches import make_exploit_config, make_tuning_config, name_exploiter
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import GRACE_S, StopRequest
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.files import RESULTS
from arena.tournament.formats.tuning import (
    MIN_CANDIDATES,
    TITLE,
    Parameter,
    Tuning,
    declared_parameters,
    find_unmentioned,
    import_optimizer,
    parse_parameters,
    start_from_settings,
)
from arena.tournament.run import Run
from arena.tournament.setup.command_line import parse_bot_with_settings
from arena.tournament.setup.config import Config

# --- arena tune ---

FORMER_STATE = "tuning.json"
"""File of a search by an earlier version of the arena."""
LENGTHS = ("generations", "final_blocks")
"""Options that a search may be continued with other values of."""


@command(
    epilog="Example: arena tune counter --param safe=0.6..0.99 --against greedy",
    then="arena compare counter 'counter(safe=0.9)'",
)
@click.argument("bot", metavar="BOT")
@click.option(
    "--param",
    "parameters",
    metavar="NAME[=LOW..HIGH[@START]]",
    multiple=True,
    help="A setting of BOT, the range to search, and its present value; may be repeated. A NAME alone takes "
    "the declared range; without the option all declared settings are searched.",
)
@click.option(
    "integers",
    "--integer",
    metavar="NAME[=LOW..HIGH[@START]]",
    multiple=True,
    help="The same for a setting that takes whole numbers.",
)
@click.option(
    "--against",
    metavar="BOT,…",
    callback=parse_bots,
    help="The bots it plays against; without them BOT as it is.",
)
@click.option(
    "--game", "games", cls=GameOption, callback=load_named_games, metavar="NAME", multiple=True,
    default=("lives",), show_default=True, help="A game; may be repeated.",
)  # fmt: skip
@players_option
@settings_option
@click.option(
    "--generations", type=click.IntRange(min=1), default=20, show_default=True, help="Length of the search."
)
@click.option(
    "--candidates",
    type=click.IntRange(min=MIN_CANDIDATES),
    default=12,
    show_default=True,
    help="Settings tried in a generation, all on the same deals.",
)
@blocks_option("Blocks of a candidate; the worse half of the candidates plays half as many.", 40, least=2)
@click.option(
    "--final-blocks",
    type=click.IntRange(min=6),
    default=1000,
    show_default=True,
    help="Blocks of fresh deals at the end, for the best settings and for the start.",
)
@click.option("--seed", metavar="TEXT", default="", help="Decides all deals and candidates.")
@isolation_option("auto")
@out_folder_option("Folder of the search; results/tune- and the name of BOT without it.")
@jobs_option
@former_cluster_options
@json_option
def tune_command(
    bot: str,
    parameters: tuple[str, ...],
    integers: tuple[str, ...],
    against: tuple[str, ...],
    games: tuple[str, ...],
    players: int | None,
    settings: dict[str, object],
    level: str,
    out: Path | None,
    jobs: int,
    cluster: Cluster | None,
    as_json: bool,
    **terms: Any,
) -> None:
    """Search the settings of a bot that score best against a pool.

    The bot declares the settings and their ranges (`parameters` and `integers` in its class or its bot.toml),
    or --param and --integer give them. Hold others fixed with 'mine.py:Mine(calm=0.2)'.

    An evolution strategy tries settings, all those of a generation on the same deals. At the end the mean of
    its last generation is compared with the start on fresh deals, as picking the best candidate would bias
    its score upwards. The folder keeps what was played: after Ctrl-C the same command continues, and with
    more --generations it searches further. Needs the extra `tune`.
    """
    import_optimizer()  # fails now, rather than when bots have been started
    spec = parse_bot_with_settings(bot)
    tuned = parse_parameters(parameters, integers, declared_parameters(spec.source))
    name = name_file_of_bot(spec.name.partition("(")[0])
    folder = out or RESULTS / f"tune-{name}"
    if (folder / FORMER_STATE).exists():
        raise ConfigError(f"{folder} has a search of an earlier version: name a new folder with --out")
    config = make_tuning_config(
        bot,
        against,
        games,
        players,
        settings,
        start_from_settings(tuned, spec.settings),
        title=f"{TITLE}{name}",
        isolation=level,
        **terms,
    )
    options = RunOptions(jobs=jobs, cluster=cluster, log_level=logging.WARNING if as_json else logging.INFO)
    with suggesting_resume(folder):
        run = open_design(config, folder, level, options, can_keep_going=False, changes=LENGTHS)
        run = _change_length(run, config)
        _announce_tuning(config, tuned, spec)
        ending = run.play(options)
    tuning = Tuning.of(run.stages)
    if tuning.problem:
        shutil.rmtree(folder)  # nothing in it is of use to another search
        raise ArenaError(tuning.problem)
    if not tuning.generations:
        click.echo("Stopped in the first generation; run the same command to continue.", err=True)
        click.get_current_context().exit(1)
    page = strip_unprintable(str(write_tuning_page(run)))
    finish_design(run, ending, as_json=as_json, note=f"The search is in {page}")


def _change_length(run: Run, config: Config) -> Run:
    """Return the tuning as long as a config asks for, but no shorter than what was played whole."""
    run.scoreboard()  # takes in what is stored
    tuning, asked = Tuning.of(run.stages), config.keys
    generations = max(asked.generations, len(tuning.generations))
    if (generations, asked.final_blocks) == (tuning.keys.generations, tuning.keys.final_blocks):
        return run
    run.refuse_changes()  # before blocks are removed
    since = tuning.count_searched(min(generations, tuning.keys.generations))
    return run.change_limits(since=since, generations=generations, final_blocks=asked.final_blocks)


def _announce_tuning(config: Config, parameters: Sequence[Parameter], bot: BotSpec) -> None:
    """Warn of settings that the bot does not seem to read, and print what is to be played."""
    for name in find_unmentioned(parameters, bot.source):
        shown = strip_unprintable(bot.name)
        click.echo(f"Warning: no file of {shown} mentions {name}: is this setting misspelt?", err=True)
    announce(
        "Tuning at "
        + ", ".join(f"{variant.rules} with {variant.players[0]} players" for variant in config.variants)
    )


# --- arena exploit ---

MAX_MINUTES = 100_000


@command(
    epilog="Example: arena exploit greedy --game lives --minutes 3",
    then="arena check exploits-greedy/bot",
)
@click.argument("bot", metavar="BOT")
@game_option
@players_option
@settings_option
@click.option(
    "--field",
    metavar="BOT,…",
    callback=parse_bots,
    help="Seat one BOT and these bots with it, instead of copies of BOT.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, MAX_MINUTES),
    default=5,
    show_default=True,
    help="Train for about this long, and at least for one generation, which takes minutes for a search bot.",
)
@click.option(
    "--generations",
    type=click.IntRange(0, 1_000_000),
    help="Train for this many generations instead: the same seed then trains the same bot.",
)
@blocks_option("Blocks of fresh deals in the measurement.", 200, least=6)
@click.option("--seed", metavar="TEXT", default="", help="Decides all deals; drawn and printed without one.")
@isolation_option("auto", help="Isolation level of BOT and the field.")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    show_default="exploits-BOT",
    help="Keep the training, and the bot in its folder bot, in DIR.",
)
@jobs_option
@json_option
def exploit_command(
    bot: str,
    game: str,
    players: int | None,
    settings: dict[str, Any],
    field: tuple[str, ...],
    minutes: float,
    generations: int | None,
    level: str,
    out: Path | None,
    jobs: int,
    as_json: bool,
    **terms: Any,
) -> None:
    """Train a bot that beats another, and measure by how much.

    The trained bot plays its game's heuristic with fitted constants, and another action where a fitted score
    prefers it. It plays against copies of BOT, or with one BOT in a field. It is kept in DIR/bot, a folder
    that any command takes as a bot; DIR is a run. What it wins is a lower bound: another bot may beat BOT by
    more.

    A generation takes 288 blocks, and choosing where to begin and what to keep up to about as many each. For
    a search bot say --generations 1 --blocks 30, or give it less to search, as in 'rollout(playouts=20)'.
    After Ctrl-C the same command continues; --minutes then counts from zero. When the time is over
    the generation in play is finished, and the bot found is measured.
    """
    folder = out or Path(name_exploiter(parse_bot_with_settings(bot).name))
    terms |= {"generations": 0} if not minutes else {}
    terms |= {"generations": generations} if generations is not None else {}
    config = make_exploit_config(bot, field, game, players, settings, isolation=level, **terms)
    trained = config.bots[0]
    options = RunOptions(jobs=jobs, log_level=logging.WARNING if as_json else logging.INFO)
    with suggesting_resume(folder):
        run = open_design(
            config,
            folder,
            level,
            options,
            can_keep_going=False,
            changes=("ended_after",),
            levels={trained.name: "inline"},
        )
        [entry] = config.variants
        announce(f"Training {trained.name} at {entry.rules}, {entry.players[0]} players, with {jobs} jobs")
        with StopRequest(_training_s(run, minutes), grace_s=GRACE_S, is_limit_graceful=True) as stop:
            ending = run.play(options, stop=stop)
        if ending != "done" and stop.is_time_over:  # the generation in play is the last
            run = run.change_limits(ended_after=max(run.count_blocks(), 1))
            ending = run.play(options)
    finish_design(run, ending, as_json=as_json)


def _training_s(run: Run, minutes: float) -> float | None:
    """Return the seconds after which a training ends; None for one that ends by itself, or has ended."""
    ends = run.config.keys.generations is not None or run.config.ended_after is not None
    return None if ends else 60 * minutes


# --- arena train ---

TRAINERS = "arena.trainers"
"""Group of entry points of distributions, each with the name of its game.

A trainer is called with a seed and the path of a file, and writes there what a bot plays by; the same seed
writes the same bytes.
"""


@command(epilog="Example: arena train lives --seed 1 --out tuned.json", then="arena compare tuned retuned")
@click.argument("game")
@click.option("--seed", default="1", show_default=True, help="The same seed writes the same file.")
@click.option(
    "--out",
    type=OutputFile(path_type=Path, dir_okay=False, writable=True),
    required=True,
    help="File for what is trained; it is replaced.",
)
def train_command(game: str, seed: str, out: Path) -> None:
    """Train a bot for a game, and write the constants it plays by.

    For lives and schwimmen these are the constants of tuned, which expert plays by too. Training takes about
    five minutes of CPU time at lives and one or two at schwimmen, and needs numba. For cuccu it is the exact
    solution for two players, which equilibrium plays, and takes seconds. Ctrl-C ends it, and FILE stays as
    it was.
    """
    trainer = _load_trainer(game)
    if not out.absolute().parent.is_dir():
        raise click.BadParameter(f"{out.parent} is not a folder: create it first", param_hint="--out")
    with _ended_by_ctrl_c():
        trainer(seed, out)
    click.echo(f"Wrote {out}.")


def _load_trainer(game: str) -> Callable[[str, Path], None]:
    """Load the trainer for a game, by its name or alias; its package may be missing."""
    points = entry_points(group=TRAINERS)
    matching = [point for point in points if point.name == variant(game).name]
    if len(matching) != 1:
        names = ", ".join(sorted({point.name for point in points})) or "none"
        raise PluginError(f"{len(matching)} trainers are installed for {game}; games with a trainer: {names}")
    trainer: Callable[[str, Path], None] = matching[0].load()
    return trainer


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C end the process at once, as programs usually do.

    An exception in its place would be lost in a callback of numba's compiler, and training go on.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
