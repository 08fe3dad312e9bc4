"""`arena compare`: find out which of two bots is stronger."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from arena.cli.options import (
    explain_option,
    isolation_option,
    json_option,
    print_json,
    settings_option,
)
from arena.cli.run_execution import refuse_broken_bots, run_options, suggesting_resume
from arena.report.comparison import LINES, announcement, comparison_fields, comparison_text
from arena.report.run_ending import stopped_text
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.results.columns import explain_columns
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.cli_overrides import comparison_table
from arena.tournament.setup.config import make_config
from arena.tournament.workers.isolation_levels import choose_levels


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


def _check_names(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > 2:
        raise click.BadParameter(f"{len(names)} names for two bots.", ctx, param)
    return names


@click.command(epilog="Example: arena compare greedy prudent --variant pool --sprt 0,20")
@click.argument("first", metavar="BOT")
@click.argument("second", metavar="BOT")
@click.option(
    "names",
    "--name",
    multiple=True,
    callback=_check_names,
    help="Name of the first bot in the results; a second --name is for the second bot.",
)
@click.option("--variant", metavar="NAME", default="lives", show_default=True, help="The game.")
@click.option("--players", type=int, help="Number of seats; four, or as close as the game allows.")
@settings_option
@click.option(
    "--sprt", metavar="E0,E1", callback=_parse_elos, help="Sequential test of a lead of E0 Elo against E1."
)
@click.option(
    "--field", metavar="BOT,…", callback=parse_names, help="Seat both in turn at tables of these bots."
)
@click.option("--alone", is_flag=True, help="Seat the first bot alone among copies of the second.")
@click.option(
    "--blocks",
    "max_blocks",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Play at most this many blocks.",
)
@click.option("--seed", metavar="TEXT", default="", help="The same seed plays the same comparison again.")
@isolation_option("auto")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Keep the comparison as a run, in a new folder.",
)
@explain_option
@json_option
@run_options
def command(
    first: str,
    second: str,
    names: tuple[str, ...],
    variant: str,
    players: int | None,
    settings: dict[str, Any],
    field: tuple[str, ...],
    level: str,
    out: Path | None,
    explain: bool,
    as_json: bool,
    options: RunOptions,
    **stop_rules: Any,
) -> None:
    """Find out which of two bots is stronger.

    Two versions of a bot with one name get a suffix from the hash of their files, such as mine@1a2b3c4.
    Both play the same cards in the same seats, block after block. A group-sequential test, whose interim
    analyses are fixed in advance, stops the comparison when the answer is clear.
    """
    table = comparison_table((first, second), names, field, variant, players, settings)
    table |= {"isolation": level, "replays": 10_000 if out else 0, **stop_rules}
    config = make_config(table, base=Path(), where="the command line")
    levels = choose_levels(config, confirmed=level)  # refuses what cannot be had before there is a folder
    refuse_broken_bots(config, levels, options)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="arena-")))
        if out:
            stack.enter_context(suggesting_resume(out))
        run = Run.create(config, RunFolder.create(folder), levels)
        click.echo(announcement(run, options, where=out), err=True)
        done = run.play(options) == "done"
        if as_json:
            print_json(comparison_fields(run))
        else:
            click.echo(comparison_text(run))
        if explain:
            click.echo(f"\n{explain_columns(LINES)}", err=as_json)  # keeps JSON on its own
        if out and not done:
            click.echo(stopped_text(run), err=True)
    click.get_current_context().exit(0 if done else 1)
