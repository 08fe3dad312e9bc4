"""`arena compare`: find out which of two or more bots is the strongest."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import click

from arena.cli.options import (
    GameOption,
    blocks_option,
    explain_option,
    isolation_option,
    json_option,
    load_named_games,
    players_option,
    print_json,
    settings_option,
)
from arena.cli.run_execution import (
    ADJUSTMENTS,
    adjust_played,
    refuse_broken_bots,
    run_options,
    suggesting_resume,
)
from arena.columns.column import ColumnDocs, column_docs, explain_columns
from arena.output.texts.comparison import (
    LINES,
    LUCK_LINES,
    announcement,
    comparison_fields,
    comparison_text,
    not_kept_text,
)
from arena.output.texts.run import stopped_text
from arena.output.texts.selection import selection_announcement, selection_fields, selection_text
from arena.output.words.text import table_width
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder
from arena.tournament.formats.selection import COLUMNS
from arena.tournament.run import Run
from arena.tournament.setup.command_line import comparison_table
from arena.tournament.setup.config import make_config
from arena.tournament.setup.errors import COMMAND_LINE


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


def parse_names(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str, ...]:
    """Return the names of bots separated by commas."""
    names = tuple(name.strip() for name in text.split(",")) if text is not None else ()
    if not all(names):
        raise click.BadParameter(f"{text!r} lacks a bot: write BOT,BOT, such as random,prudent.", ctx, param)
    return names


def _check_call(
    bots: Sequence[str], names: Sequence[str], stop_rules: Mapping[str, Any], adjust: str | None
) -> None:
    """Refuse options that do not go together."""
    if len(names) > len(bots):
        number = "two" if len(bots) == 2 else len(bots)
        raise click.BadParameter(f"{len(names)} names for {number} bots.", param_hint="'--name'")
    if len(bots) > 2 and stop_rules["sprt"]:
        raise click.UsageError("--sprt compares two bots; more are compared without it.")
    if len(bots) > 2 and stop_rules["fixed"]:
        raise click.UsageError("--fixed compares two bots; more are compared without it.")
    if len(bots) > 2 and adjust:
        raise click.UsageError(
            "--adjust compares two bots; keep a comparison of more with --out DIR, and then run "
            "`arena table DIR --adjust luck`."
        )
    if len(bots) > 2 and stop_rules["alone"]:
        raise click.UsageError(
            "--alone compares two bots; --field BOT seats each of more against copies of BOT."
        )


def _goal(best: bool, rank: bool, bots: int) -> dict[str, str]:
    """Return the goal of a selection; with two bots the best and the order are the same."""
    if best and rank:
        raise click.UsageError("--best and --rank are different goals: choose one.")
    return {"goal": "rank" if rank else "best"} if bots > 2 else {}


@click.command(epilog="Example: arena compare greedy prudent --game pool --sprt 0,20")
@click.argument("first", metavar="BOT")
@click.argument("second", metavar="BOT")
@click.argument("more", metavar="[BOT]...", nargs=-1)
@click.option(
    "names",
    "--name",
    multiple=True,
    help="Name of the first bot in the results; a second --name is for the second bot, and so on.",
)
@click.option("--best", is_flag=True, help="Of three or more bots find the best; this is the default.")
@click.option("--rank", is_flag=True, help="Of three or more bots find the order of all.")
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
    "--field", metavar="BOT,…", callback=parse_names, help="Seat them in turn at tables of these bots."
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
@run_options
def compare_command(
    first: str,
    second: str,
    more: tuple[str, ...],
    names: tuple[str, ...],
    best: bool,
    rank: bool,
    variant: str,
    players: int | None,
    settings: dict[str, Any],
    field: tuple[str, ...],
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
    answer is clear; of three or more bots, those shown to be worse than another play no more.
    """
    bots = (first, second, *more)
    _check_call(bots, names, stop_rules, adjust)
    table = comparison_table(bots, names, field, variant, players, settings)
    table |= _goal(best, rank, len(bots))
    table |= {"isolation": level, "replays": 10_000 if out else 0, **stop_rules}
    table |= {"adjust": adjust} if adjust else {}
    config = make_config(table, base=Path(), where=COMMAND_LINE)
    levels = choose_levels(config, confirmed=level)  # refuses what cannot be had before there is a folder
    refuse_broken_bots(config, levels, options)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="arena-")))
        if out:
            stack.enter_context(suggesting_resume(out))
        run = Run.create(config, RunFolder.create(folder), levels)
        click.echo(TEXTS[config.format].announcement(run, options, out), err=True)
        done = run.play(options) == "done"
        _print_result(run, options, explain, as_json)
        if not done:
            click.echo(stopped_text(run) if out else not_kept_text(run), err=True)
    click.get_current_context().exit(0 if done else 1)


class Texts(NamedTuple):
    """The output of a comparison in one format."""

    announcement: Callable[[Run, RunOptions, Path | None], str]
    text: Callable[[Run], str]
    fields: Callable[[Run], dict[str, Any]]
    docs: Callable[[Run], ColumnDocs]


TEXTS: Final = {
    "comparison": Texts(
        announcement,
        comparison_text,
        comparison_fields,
        lambda run: LINES | (LUCK_LINES if run.config.adjust else {}),
    ),
    "selection": Texts(
        selection_announcement,
        lambda run: selection_text(run, table_width()),
        selection_fields,
        lambda run: column_docs(COLUMNS),
    ),
}


def _print_result(run: Run, options: RunOptions, explain: bool, as_json: bool) -> None:
    texts = TEXTS[run.config.format]
    if run.config.adjust:
        adjust_played(run, options)
    if as_json:
        print_json(texts.fields(run))
    else:
        click.echo(texts.text(run))
    if explain:
        click.echo(f"\n{explain_columns(texts.docs(run))}", err=as_json)  # keeps JSON on its own
