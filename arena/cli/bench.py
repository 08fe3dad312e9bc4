"""The command `arena bench`."""

import logging

import click

from arena.cli.options import find_game, json_option, print_json
from arena.games import VARIANTS
from arena.output.texts.run import speed_table
from arena.tournament.engine.machine import MEASUREMENT_CPU_S, measure_speed

BOTS = ("random", "greedy")
HOSTED = "greedy"


@click.command(epilog="Example: arena bench lives pool")
@click.argument("names", metavar="[VARIANT]...", nargs=-1)
@json_option
def bench_command(names: tuple[str, ...], as_json: bool) -> None:
    """Measure how many decisions per second this machine plays.

    Takes some seconds for each VARIANT (default: all), with random and with greedy bots. Greedy bots are also
    measured in processes of their own, in the first variant if none is named.
    """
    logging.getLogger("arena").addHandler(logging.NullHandler())  # a bot that cannot play is a dash below
    games = [find_game(name) for name in names] or VARIANTS
    speeds = [
        measure_speed(
            rules, bot, MEASUREMENT_CPU_S, hosted=bot == HOSTED and (bool(names) or rules is games[0])
        )
        for rules in games
        for bot in BOTS
    ]
    if as_json:
        print_json(speeds)
    else:
        click.echo(speed_table(speeds))
