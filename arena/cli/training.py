"""`arena tune`, `exploit` and `train`: make a bot stronger, or train one against another."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click
import msgspec
from tqdm import tqdm

from arena.cli.options import (
    GameOption,
    OutputFile,
    announce,
    blocks_option,
    command,
    find_game,
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
    DEFAULT_START_METHOD,
    former_cluster_options,
    jobs_option,
    refuse_broken_bots,
)
from arena.errors import PluginError
from arena.games import variant
from arena.output.pages.design_pages import write_tuning_page
from arena.output.texts.exploitation import exploitation_fields, exploitation_text
from arena.output.texts.tuning import best_so_far, tuning_fields, tuning_text
from arena.output.words.terminal_layout import table_width
from arena.output.words.text import strip_unprintable
from arena.plugins import BotSpec
from arena.plugins.bot_spec import name_file_of_bot
from arena.tournament.designs.exploit import (
    Budget,
    Trainer,
    make_exploitation_config,
    name_exploiter,
    new_exploiter_folder,
)
from arena.tournament.designs.tuning import (
    MIN_CANDIDATES,
    STATE,
    Parameter,
    Terms,
    Tuner,
    declared_parameters,
    find_unmentioned,
    import_optimizer,
    make_tuning_config,
    parse_parameters,
    read_state,
    start_from_settings,
)
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.engine.logs import console_logging
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.files import RESULTS, refuse_other_content
from arena.tournament.schedule import make_seed
from arena.tournament.setup.command_line import parse_bot_with_settings
from arena.tournament.setup.config import Config

# --- arena tune ---

BAR = "{desc} {percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]"


@command(epilog="Example: arena tune counter --param safe=0.6..0.99 --against greedy")
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
    generations: int,
    candidates: int,
    blocks: int,
    final_blocks: int,
    seed: str,
    level: str,
    out: Path | None,
    jobs: int,
    cluster: Cluster | None,
    as_json: bool,
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
    tuned = start_from_settings(tuned, spec.settings)
    config = make_tuning_config(bot, against, games, players, settings, isolation=level)
    name = name_file_of_bot(spec.name.partition("(")[0])
    folder = out or RESULTS / f"tune-{name}"
    refuse_other_content(folder, "a search", STATE)
    kept = read_state(folder)
    terms = Terms(
        config=config.toml(),
        digests=[spec.source.digest() for spec in config.bots],
        parameters=tuned,
        candidates=candidates,
        blocks=blocks,
        seed=kept.terms.seed if kept and not seed else make_seed(seed),
    )
    levels = choose_levels(config, confirmed=level)
    options = RunOptions(jobs=jobs, start=DEFAULT_START_METHOD, cluster=cluster)
    refuse_broken_bots(config, levels, options, can_keep_going=False)
    tuner = Tuner(folder=folder, config=config, levels=levels, terms=terms, options=options)
    _announce_tuning(config, tuned, spec)
    done = _run(tuner, generations, final_blocks, is_shown=not as_json)
    _show(tuner, msgspec.structs.replace(config.bots[0], name=name), as_json=as_json)
    click.get_current_context().exit(0 if done else 1)


def _announce_tuning(config: Config, parameters: Sequence[Parameter], bot: BotSpec) -> None:
    """Warn of settings that the bot does not seem to read, and print what is to be played."""
    for name in find_unmentioned(parameters, bot.source):
        shown = strip_unprintable(bot.name)
        click.echo(f"Warning: no file of {shown} mentions {name}: is this setting misspelt?", err=True)
    announce(
        "Tuning at "
        + ", ".join(f"{variant.rules} with {variant.players[0]} players" for variant in config.variants)
    )


def _show(tuner: Tuner, own: BotSpec, *, as_json: bool) -> None:
    """Print what was found, and write its page."""
    if not tuner.state.generations:
        click.echo("Stopped in the first generation; run the same command to continue.", err=True)
        return
    page = write_tuning_page(tuner.folder, tuner.state, own)
    if as_json:
        print_json(tuning_fields(tuner.state, own))
    else:
        click.echo(tuning_text(tuner.state, own, tuner.folder, table_width()))
    click.echo(f"The search is in {strip_unprintable(str(page))}", err=True)


def _run(tuner: Tuner, generations: int, final_blocks: int, *, is_shown: bool) -> bool:
    """Search and compare with a progress bar; return whether all was played."""
    steps = 2 * max(generations - len(tuner.state.generations), 0) + 1  # the halves of generations, the end
    disable = None if is_shown else True  # None: shown on a terminal only
    with tqdm(total=steps, bar_format=BAR, desc="tuning", dynamic_ncols=True, disable=disable) as bar:
        shown = ""

        def advance(share: float, stage: str) -> None:
            nonlocal shown
            bar.set_description_str(stage, refresh=False)
            bar.update(share)
            if bar.disable and is_shown and stage != shown:
                announce(f"{stage.capitalize()}, {best_so_far(tuner.state)}".rstrip(", "))
            shown = stage

        with console_logging():
            return tuner.run(generations, final_blocks, advance)


# --- arena exploit ---

MAX_MINUTES = 100_000


@command(epilog="Example: arena exploit greedy --game lives --minutes 3")
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
    help="Keep the trained bot in this new folder.",
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
    blocks: int,
    seed: str,
    level: str,
    out: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Train a bot that beats another, and measure by how much.

    The trained bot plays its game's heuristic with fitted constants, and another action where a fitted score
    prefers it. It plays against copies of BOT, or with one BOT in a field. It is kept as a folder that any
    command takes as a bot. What it wins is a lower bound: another bot may beat BOT by more.

    A generation takes 288 blocks, and choosing where to begin and what to keep up to about as many each; the
    time is estimated after the first blocks. For a search bot say --generations 1 --blocks 30, or give it
    less to search, as in 'rollout(playouts=20)'. Ctrl-C ends the training early, and the bot found so far is
    measured; during the measurement it ends that, and the blocks played count. A second Ctrl-C ends at once.
    """
    name = parse_bot_with_settings(bot).name
    folder = out or Path(name_exploiter(name))
    with new_exploiter_folder(folder, name, find_game(game).name):
        config = make_exploitation_config(
            folder, bot, field, game, players, settings, isolation=level, seed=seed
        )
        exploiter = config.bots[0].name
        others = msgspec.structs.replace(config, bots=config.bots[1:])
        levels = {**choose_levels(others, confirmed=level), exploiter: "inline"}
        options = RunOptions(jobs=jobs, start=DEFAULT_START_METHOD)
        refuse_broken_bots(config, levels, options, can_keep_going=False)
        [entry] = config.variants
        announce(f"Training {exploiter} at {entry.rules}, {entry.players[0]} players, with {jobs} jobs")
        trainer = Trainer(
            config=config,
            folder=folder,
            levels=levels,
            seed=make_seed(seed),
            options=options,
            is_shown=not as_json,
        )
        done = trainer.run(Budget(generations=generations, minutes=minutes), blocks)
    if as_json:
        print_json(exploitation_fields(done, folder))
    else:
        click.echo(exploitation_text(done, folder))
    click.get_current_context().exit(1 if done.is_cut_short else 0)


# --- arena train ---

TRAINERS = "arena.trainers"
"""Group of entry points of distributions, each with the name of its game.

A trainer is called with a seed and the path of a file, and writes there what a bot plays by; the same seed
writes the same bytes.
"""


@command(epilog="Example: arena train lives --seed 1 --out tuned.json")
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
