"""The command `arena bench`."""

import logging

import click

from arena.cli.options import find_game, json_option, print_json
from arena.errors import MissingPackage
from arena.games import VARIANTS, Rules
from arena.report.machine_text import peer_table, speed_table
from arena.tournament.machine.benchmark import MEASUREMENT_CPU_S, measure_speed
from arena.tournament.machine.peers import PeerSpeed, measure_peer, parse_peers

BOTS = ("random", "greedy")
HOSTED = "greedy"
PEER_CPU_S = 2.0


@click.command(epilog="Example: arena bench lives pool")
@click.argument("names", metavar="[VARIANT]...", nargs=-1)
@click.option(
    "--against",
    metavar="LIBRARY,…",
    help="Measure the games of open_spiel, rlcard or pettingzoo, alternating with the first VARIANT.",
)
@json_option
def command(names: tuple[str, ...], against: str | None, as_json: bool) -> None:
    """Measure how many decisions per second this machine plays.

    Takes some seconds for each VARIANT (default: all), with random and with greedy bots. Greedy bots are also
    measured in processes of their own, in the first variant if none is named.

    With --against, games of other libraries are measured instead, beside random bots in the first VARIANT.
    """
    logging.getLogger("arena").addHandler(logging.NullHandler())  # a bot that cannot play is a dash below
    games = [find_game(name) for name in names] or VARIANTS
    if against is not None:
        peers = _measure_peers(against, games[0])
        return print_json(peers) if as_json else click.echo(peer_table(peers))
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


def _measure_peers(names: str, rules: Rules) -> list[PeerSpeed]:
    """Measure the libraries that are installed; say of the others how to install them."""
    try:
        libraries = parse_peers(names)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--against") from None
    speeds = []
    for library in libraries:
        try:
            speeds.append(measure_peer(library, rules, PEER_CPU_S))
        except MissingPackage as missing:
            click.echo(f"{library} is left out: {missing}", err=True)
    return speeds
