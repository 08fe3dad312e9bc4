"""`arena play`: a person against bots."""

from pathlib import Path
from typing import Any, get_args

import click

from arena.cli.arguments import set_option
from arena.errors import ConfigError
from arena.games import variant
from arena.interactive import (
    InteractiveMatch,
    Terminal,
    check_output_file,
    choose_opponents,
    interrupt_on_signals,
    save_record,
)
from arena.tournament.scheduling.seeds import make_seed
from arena.tournament.setup.config import Isolation


def _names(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in text.split(","))))


@click.command(epilog="Example: arena play whisky-poker --against counter,greedy")
@click.argument("name", metavar="[VARIANT]", default="lives")
@click.option(
    "--against", metavar="BOT,…", default="", callback=_names, help="Who else plays; else bots that know it."
)
@click.option("--players", type=int, help="Seats at the table; four, or as many as the bots named need.")
@click.option("--seat", type=click.IntRange(0), default=0, show_default=True, help="Yours, from 0.")
@click.option("--seed", metavar="TEXT", default="", help="The same seed deals the same cards again.")
@set_option
@click.option(
    "level",
    "--isolation",
    type=click.Choice(get_args(Isolation)),
    default="auto",
    help="Where bots live.",
)
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Where the record goes.")
def command(
    name: str,
    against: tuple[str, ...],
    players: int | None,
    seat: int,
    seed: str,
    settings: dict[str, Any],
    level: str,
    out: Path | None,
) -> None:
    """Sit down at a table with bots.

    The VARIANT is lives unless you name another. At the table ? shows the rules, h a hint, and quit leaves.
    What was played is kept as a record, for `arena replay`.
    """
    rules = variant(name, **settings)
    bots = choose_opponents(rules, against, players, level)
    if seat > len(bots):
        raise ConfigError(f"--seat {seat}: the seats are 0 to {len(bots)}")
    if out:
        check_output_file(out)
    terminal = Terminal.here()
    sitting = InteractiveMatch(rules, bots, seat, make_seed(seed), terminal)
    with interrupt_on_signals():
        sitting.play()
    if record := sitting.record():
        path = save_record(record, rules.name, out)
        terminal.say(f"\nThe record is in {path}\n\n  arena replay show {path}   tells it again")
