"""`arena doctor`: check this machine, and measure its speed."""

import logging

import click

from arena.cli.options import command, find_game, json_option, print_json
from arena.games import VARIANTS
from arena.output.texts.machine import findings_text, speed_table
from arena.tournament.engine.machine import MEASUREMENT_CPU_S, examine_machine, measure_speed
from arena.tournament.files import RESULTS

# --- arena doctor ---


@command(epilog="Example: arena doctor", then="arena run")
@click.argument("names", metavar="[VARIANT]...", nargs=-1)
@click.option("--bench", is_flag=True, help="Measure how many decisions per second this machine plays.")
@json_option
@click.pass_context
def doctor_command(ctx: click.Context, names: tuple[str, ...], bench: bool, as_json: bool) -> None:
    """Check that this machine can run tournaments, or measure its speed.

    Checks Python and packages, isolation levels, cores, load, clock, disk and memory. Each is ok, could be
    better (warn) or must be fixed (bad), with advice. Exits 1 if a check is bad.

    With --bench it is measured instead how many decisions per second are played: some seconds for each
    VARIANT (default: all), with random and with greedy bots. Greedy bots are also measured in processes of
    their own, in the first variant if none is named.
    """
    if bench:
        _measure(names, as_json)
        return
    if names:
        raise click.UsageError("a VARIANT requires --bench.")
    findings = list(examine_machine(RESULTS))
    if as_json:
        print_json(findings)
    else:
        click.echo(findings_text(findings))
    ctx.exit(1 if any(finding.state == "bad" for finding in findings) else 0)


# --- arena bench ---

BOTS = ("random", "greedy")
HOSTED = "greedy"


@command(epilog="Example: arena doctor --bench lives pool", hidden=True)
@click.argument("names", metavar="[VARIANT]...", nargs=-1)
@json_option
def bench_command(names: tuple[str, ...], as_json: bool) -> None:
    """Measure how many decisions per second this machine plays, as `arena doctor --bench` does."""
    _measure(names, as_json)


def _measure(names: tuple[str, ...], as_json: bool) -> None:
    """Print the speed at some variants."""
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
