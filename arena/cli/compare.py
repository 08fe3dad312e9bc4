"""`arena compare`: which of two bots is the stronger."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import click

from arena.cli.arguments import json_option, set_option
from arena.cli.output import print_json
from arena.cli.run_execution import means_options, naming_the_way_on
from arena.report.column_docs import explain_columns
from arena.report.comparison import LINES, announcement, comparison_fields, comparison_text
from arena.report.run import stopped_text
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.cli_overrides import comparison_table
from arena.tournament.setup.config import Isolation, make_config
from arena.tournament.workers.isolation_plan import choose_levels


def _elos(ctx: click.Context, param: click.Parameter, text: str | None) -> list[float] | None:
    """Two numbers with a comma between them."""
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not two numbers: write E0,E1, such as 0,20.", ctx, param
        ) from None
    return [low, high]


def _names(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise click.BadParameter(f"{text!r} lacks a bot: write BOT,BOT, such as random,prudent.", ctx, param)
    return names


@click.command(epilog="Example: arena compare greedy prudent --variant pool --sprt 0,20")
@click.argument("first", metavar="BOT")
@click.argument("second", metavar="BOT")
@click.option("--variant", metavar="NAME", default="lives", show_default=True, help="The game.")
@click.option("--players", type=int, help="Seats at the table; four unless the game is for less or more.")
@set_option
@click.option("--sprt", metavar="E0,E1", callback=_elos, help="Test a lead of E0 Elo against one of E1.")
@click.option("--field", metavar="BOT,…", callback=_names, help="Sit in turn at tables of these.")
@click.option("--alone", is_flag=True, help="Seat the first alone among copies of the second.")
@click.option("--blocks", "max_blocks", type=int, default=10_000, show_default=True, help="The most to play.")
@click.option("--seed", metavar="TEXT", default="", help="The same seed plays the same comparison again.")
@click.option(
    "--isolation", "level", type=click.Choice(get_args(Isolation)), default="auto", help="Where bots live."
)
@click.option(
    "--out", metavar="DIR", type=click.Path(path_type=Path), help="Keep it as a run, in a new folder."
)
@click.option(
    "--explain",
    is_flag=True,
    help="Say of every line what it is, its unit, its formula, and what it does not mean.",
)
@json_option
@means_options
def command(
    first: str,
    second: str,
    variant: str,
    players: int | None,
    settings: dict[str, Any],
    field: tuple[str, ...],
    level: str,
    out: Path | None,
    explain: bool,
    as_json: bool,
    options: RunOptions,
    **ending: Any,
) -> None:
    """Find out which of two bots is the stronger.

    Both play the same cards in the same seats, block after block, and it stops by itself when the answer is
    clear: at looks fixed beforehand, so that looking does not make it so.
    """
    table = comparison_table((first, second), field, variant, players, settings)
    table |= {"isolation": level, "replays": 10_000 if out else 0, **ending}
    config = make_config(table, base=Path(), where="the command line")
    levels = choose_levels(config)  # refuses what cannot be had before there is a folder
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="arena-")))
        if out:
            stack.enter_context(naming_the_way_on(out))
        run = Run.create(config, RunFolder.create(folder), levels)
        click.echo(announcement(run, options, where=out), err=True)
        done = run.play(options) == "done"
        if as_json:
            print_json(comparison_fields(run))
        else:
            click.echo(comparison_text(run))
        if explain:
            click.echo(f"\n{explain_columns(LINES)}", err=as_json)  # what a program reads stays whole
        if out and not done:
            click.echo(stopped_text(run), err=True)
    click.get_current_context().exit(0 if done else 1)
