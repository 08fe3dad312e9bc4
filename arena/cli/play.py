"""`arena play`: play against bots in the terminal."""

from pathlib import Path
from typing import Any

import click

from arena.cli.options import find_game, isolation_option, settings_option
from arena.errors import ConfigError
from arena.interactive import (
    InteractiveMatch,
    Terminal,
    check_output_file,
    choose_opponents,
    interrupt_on_signals,
    save_record,
)
from arena.tournament.scheduling.seeds import make_seed


def _parse_names(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, ...]:
    """Return the names of bots separated by commas."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


@click.command(epilog="Example: arena play whisky-poker --against counter,greedy")
@click.argument("name", metavar="[VARIANT]", default="lives")
@click.option(
    "--against",
    metavar="BOT,…",
    default="",
    callback=_parse_names,
    help="Opponents; by default bots that know the game.",
)
@click.option("--players", type=int, help="Number of seats; four, or one more than --against names.")
@click.option(
    "--seat", type=click.IntRange(0), default=0, show_default=True, help="Your seat, counted from 0."
)
@click.option("--seed", metavar="TEXT", default="", help="The same seed deals the same cards again.")
@settings_option
@isolation_option("auto")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Save the record to this file.")
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
    """Play against bots in the terminal.

    The VARIANT is lives unless you name another. While you play, ? shows the rules, h a hint, and quit
    leaves. The match is saved as a record, for `arena replay`. Another match after it has new cards.
    """
    rules = find_game(name, settings)
    bots = choose_opponents(rules, against, players, level)
    if seat > len(bots):
        raise ConfigError(f"--seat {seat}: the seats are 0 to {len(bots)}")
    if out:
        check_output_file(out)
    terminal = Terminal.from_stdio()
    while True:
        match = InteractiveMatch(rules, bots, seat, make_seed(seed), terminal)
        with interrupt_on_signals():
            is_over = match.play()
        if record := match.record():
            path = save_record(record, rules.name, out)
            saved = f"\nSaved the record to {path}\n\n  arena replay show {path}   prints the match"
            terminal.say(saved, has_cards=False)
        if not (is_over and terminal.confirm("\nPlay again? [y/N] ")):
            break
        seed, out = "", None
