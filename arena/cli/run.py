"""`arena run`, `resume` and `merge`: play a tournament, continue it, put its shards together."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import click

from arena.cli.options import (
    FormerOption,
    GameOption,
    command,
    confirm_option,
    former_store_option,
    isolation_option,
    json_option,
    load_named_games,
    reuse_option,
    run_argument,
    settings_option,
)
from arena.cli.run_execution import (
    ADJUSTMENTS,
    play,
    refuse_broken_bots,
    run_options,
    suggesting_resume,
    without_options,
)
from arena.columns.number_format import format_count
from arena.errors import ConfigError, PluginError
from arena.output.texts.run import run_estimate_text, startup_error_text
from arena.output.words.text import printable_line
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels, find_startup_errors
from arena.tournament.engine.shard import WHOLE, Shard, refuse_random_seed
from arena.tournament.files import RESULTS, RunFolder, read_committed
from arena.tournament.files import commit as make_commitment
from arena.tournament.merged_shards import MergedShards
from arena.tournament.review.forecast import measure_first_blocks
from arena.tournament.run import Run
from arena.tournament.setup.command_line import (
    RunOverrides,
    apply_overrides,
    find_known_bot,
    leave_out_broken,
    list_named_bots,
)
from arena.tournament.setup.config import QUICK, Config, check_config
from arena.tournament.setup.toml_checks import ConfigOrigin, parse_toml, read_text
from arena.tournament.store.store import count_extensions, with_seed_of

# --- arena resume ---


@command(epilog="Example: arena resume results/quick-001", then="arena table results/quick-001 --explain")
@run_argument
@click.option(
    "withdrawn",
    "--withdraw",
    metavar="BOT",
    multiple=True,
    help="Continue without this bot; may be repeated.",
)
@reuse_option
@confirm_option
@former_store_option
@json_option
@run_options("cluster", "on-fault")
def resume_command(
    folder: Path,
    withdrawn: tuple[str, ...],
    reuse: Path | None,
    level: str | None,
    store: Path,
    as_json: bool,
    options: RunOptions,
) -> None:
    """Continue a tournament that was stopped.

    Plays the missing blocks; the results are the same as without the stop. A bot can be withdrawn from a
    swiss, knockout or ladder tournament: it plays to the next checkpoint, and later rounds go without it.
    """
    with suggesting_resume(folder):
        run = Run.open(folder, isolation=level, submissions=store)
        for bot in withdrawn:
            run = run.withdraw(bot)
        if reuse:
            run = run.extend(reuse)
        refuse_broken_bots(run.config, run.check_levels(), options)
        play(run, replace(options, reuse=reuse), as_json=as_json)


# --- arena merge ---


@command(epilog="Example: arena merge shards/* --out results/cup", then="arena verify results/cup")
@click.argument(
    "folders",
    metavar="DIR...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The run's folder: new, empty, or that of the same merge, which continues.",
)
@confirm_option
@former_store_option
@json_option
@run_options()
def merge_command(
    folders: tuple[Path, ...],
    out: Path | None,
    level: str | None,
    store: Path,
    as_json: bool,
    options: RunOptions,
) -> None:
    """Merge the shards of a run into one run.

    Its files are the same as if the run had been played at once. The shards are only read. They must have
    the same config, seed, rules and bots, and all blocks among them. Blocks in which the results of all
    shards disqualify a bot are played again here. A swiss, knockout or ladder is merged round by round:
    `arena resume SHARD --reuse MERGED` plays a shard of the next one.

    The same command continues a merge that was interrupted, as `arena resume` does, and leaves one that is
    done as it is.
    """
    folders = tuple([folder for folder in folders if not (out and folder.resolve() == out.resolve())])
    if not folders:
        raise click.UsageError(f"{out} is the only folder: name those of the shards before --out.")
    first = Run.open(folders[0], submissions=store)
    begun = Run.open(out, submissions=store) if out and RunFolder(out).database.exists() else None
    with ExitStack() as stack:
        shards = MergedShards(folders, stack)
        doubled = shards.check(first.stages)
        for difference in shards.version_differences():
            click.echo(f"WARNING: {difference}.", err=True)
        if begun and shards.is_merge(begun.folder.path, begun.metadata, is_over=begun.is_over()):
            folder = begun.folder
        else:
            folder = RunFolder.create(out) if out else RunFolder.create_next(RESULTS, "merged")
            shards.create_run(folder, first.config)
    if doubled and not options.quiet:
        click.echo(f"{doubled} blocks are in several folders, with equal results.", err=True)
    with suggesting_resume(folder.path):
        run = Run.open(folder.path, isolation=level, submissions=store)
        play(run, options, as_json=as_json)


# --- arena run --dry-run ---

MAX_TIMING_S = 5.0
"""Seconds for which blocks are timed."""


def _report_dry_run(
    config: Config | None, errors: Sequence[ConfigError], level: str | None, options: RunOptions
) -> NoReturn:
    """Print all errors of a config, the bots that do not start, and an estimate; exit 2, 1 or 0."""
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


# --- arena run ---


def _is_config(word: str) -> bool:
    """Return whether an argument names a config rather than a bot."""
    path = Path(word)
    return path.suffix == ".toml" or (path.exists() and not path.is_dir() and path.suffix != ".py")


def _parse_arguments(
    ctx: click.Context, param: click.Parameter, words: tuple[str, ...]
) -> tuple[Path | None, tuple[str, ...]]:
    """Return the config, if one is named, and the bots."""
    configs = [Path(word) for word in words if _is_config(word)]
    if len(configs) > 1:
        raise click.UsageError(f"a run has one config, not {' and '.join(map(str, configs))}.", ctx)
    return configs[0] if configs else None, tuple(word for word in words if not _is_config(word))


def _choose_bots(
    words: tuple[str, ...], without: tuple[str, ...], keep_going: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bots named by words, folders of bots among them, and the bots to leave out that are others.

    With `keep_going` those that cannot be loaded are named and left out, as long as two are left.
    """
    named, others = list_named_bots(words, without)
    broken = {text: error for text, error in named if error}
    left = tuple(text for text, error in named if not error)
    if broken and keep_going and len(left) > 1:
        _name_left_out(broken)
        return left, tuple(others)
    if len(named) == len(broken) == 1:
        raise PluginError(*broken.values())
    if len(broken) == 1:
        [error] = broken.values()
        raise PluginError(f"{error}; fix it, or leave it out with {without_options(broken)}")
    if broken:
        for text, error in broken.items():
            click.echo(printable_line(f"{text}: {error}"), err=True)
        raise PluginError(
            f"{len(broken)} of {len(named)} bots cannot be played: fix them, or leave them out with "
            f"{without_options(broken)}"
        )
    return left, tuple(others)


def _name_left_out(broken: Mapping[str, str]) -> None:
    """Print which bots a run goes on without, and why."""
    for text, error in broken.items():
        click.echo(printable_line(f"{text} is left out: {error}"), err=True)


def _parse_shard(ctx: click.Context, param: click.Parameter, text: str | None) -> Shard:
    """Return the shard to play, by default the whole run."""
    return Shard.parse(text) if text else WHOLE


def _commit(config: Path | None, out: Path | None, seed: str | None, mix: str | None) -> None:
    """Commit to the seed of a run that is played later, and print what to do with the commitment."""
    if seed is not None or mix is not None:
        raise click.UsageError("--commit draws the seed: leave --seed out, and give --mix when you play.")
    folder = RunFolder.create(out) if out else RunFolder.create_next(RESULTS, (config or QUICK).stem)
    click.echo(
        f"Commitment: {make_commitment(folder)}\n\n"
        f"Publish it before bots are due. Keep {folder.secret} to yourself.\n"
        f"Then play with `arena run {config or 'CONFIG'} --out {folder.path} --mix TEXT`,\n"
        "which reveals the seed. TEXT is a value that nobody can know yet, such as that of a random beacon\n"
        "on the day of the run; without --mix you could have chosen the seed among many."
    )


@command(
    epilog="Example: arena run mine.py:Bot --isolation inline --blocks 100",
    then="arena table results/quick-001 --explain",
)
@click.argument("arguments", metavar="[CONFIG] [BOT]...", nargs=-1, callback=_parse_arguments)
@click.option(
    "--out", metavar="DIR", type=click.Path(path_type=Path), help="The run's folder; it must be new or empty."
)
@click.option("--seed", metavar="TEXT", help="The same seed plays the same run again.")
@click.option(
    "--commit",
    is_flag=True,
    help="Commit to a random seed: print its hash to publish before bots are due, and play later.",
)
@click.option("--mix", metavar="TEXT", help="Mix a text into the committed seed, as a random beacon's value.")
@isolation_option(None)
@click.option(
    "bots",
    "--bot",
    cls=FormerOption,
    now="the bot alone, as in `arena run greedy`",
    multiple=True,
)
@click.option(
    "without", "--without", metavar="BOT", multiple=True, help="Leave out this bot; may be repeated."
)
@click.option(
    "variants",
    "--game",
    cls=GameOption,
    metavar="NAME",
    callback=load_named_games,
    multiple=True,
    help="Play this game instead of the config's; may be repeated.",
)
@click.option("--players", type=int, multiple=True, help="Number of seats at a table; may be repeated.")
@click.option("--blocks", type=int, help="Blocks per table: each plays the same cards in every seating.")
@click.option(
    "--until-resolved",
    is_flag=True,
    default=None,
    help="Play until adjacent bots are statistically separated, up to max_blocks.",
)
@click.option(
    "shard",
    "--shard",
    metavar="I/N",
    callback=_parse_shard,
    help="Play only every N-th block, from block I on; `arena merge` joins the shards.",
)
@click.option("--adjust", type=click.Choice(ADJUSTMENTS), help="Also print ratings adjusted for luck.")
@click.option(
    "dry_run",
    "--dry-run",
    is_flag=True,
    help="Play nothing: list all errors and the bots that do not start, and estimate the time.",
)
@reuse_option
@settings_option
@former_store_option
@json_option
@run_options("start", "cluster", "on-fault")
def run_command(
    arguments: tuple[Path | None, tuple[str, ...]],
    out: Path | None,
    commit: bool,
    mix: str | None,
    level: str | None,
    store: Path,
    settings: dict[str, Any],
    dry_run: bool,
    shard: Shard,
    reuse: Path | None,
    as_json: bool,
    options: RunOptions,
    bots: tuple[str, ...],
    **others: Any,
) -> None:
    """Play a tournament and rate its bots.

    Without a CONFIG, a file that ends in .toml, the quick tournament is played: the built-in bots at lives,
    four at a table. A BOT is its name, path/bot.py:Class, a folder or cmd:./program; one joins the config's
    bots, several play each other instead. A folder of bots stands for all that are in it. Options override
    the config. Tables have four seats, or one for each bot if they are fewer. Results go to a new folder in
    results/.
    """
    config, named = arguments
    if commit:
        _commit(config, out, others["seed"], mix)
        return
    playing, others["without"] = _choose_bots((*named, *bots), others["without"], options.keep_going)
    overrides = RunOverrides(isolation=level, settings=settings, bots=playing, **others)
    base = config.parent if config else Path()
    text = read_text(config or QUICK)
    table = parse_toml(text, where=str(config or QUICK))
    name, lines = (str(config), text) if config else ("", "")
    origin = ConfigOrigin(name, lines, overrides.options)
    if known := find_known_bot(table, overrides, base):
        click.echo(f"{known} is already in {config or 'the default field'}.", err=True)
    table = apply_overrides(table, overrides, base)
    if options.keep_going:
        table, broken = leave_out_broken(table, base)
        _name_left_out(broken)
    errors, requested = check_config(table, base=base, where=origin, submissions=store)
    if dry_run:
        _report_dry_run(requested, errors, level, options)
    if requested is None:
        more = f"; --dry-run lists all {len(errors)} errors" if len(errors) > 1 else ""
        raise ConfigError(f"{errors[0]}{more}")
    requested = with_seed_of(requested, reuse) if reuse else requested
    levels = choose_levels(requested, confirmed=level)  # refuses what cannot be had before there is a folder
    refuse_broken_bots(requested, levels, options, takes_without=True)
    name = (config or QUICK).stem
    if not shard.is_whole:
        name = f"{name}-shard-{shard.number}-of-{shard.shards}"
        refuse_random_seed(requested)
    committed = read_committed(RunFolder(out or RESULTS), mix, requested.seed)
    folder = RunFolder.create(out) if out else RunFolder.create_next(RESULTS, name)
    with suggesting_resume(folder.path):
        extensions = count_extensions(requested, reuse) if reuse else 0
        run = Run.create(requested, folder, levels, committed=committed, shard=shard, extensions=extensions)
        play(run, replace(options, reuse=reuse), as_json=as_json)
