"""Decisions per second through the vector environment, by game and opponents.

    .venv/bin/python -m benchmarks.vector_speed
    .venv/bin/python -m benchmarks.vector_speed lives --rounds 9

The last column says how a game is played: compiled, 1,024 matches at once, or by the rules, 64 at once.
The agent plays at random, which counts too. With self-play it has all seats; else its decisions alone
count, not those of its opponents. Where the opponent is a function, that plays at random, too, as cheaply as
numpy can; a network takes longer. Medians of CPU time in one process, the kinds alternating.
"""

from __future__ import annotations

from statistics import median
from typing import Any, Final

import click
from tabulate import tabulate

from arena.errors import MissingPackage
from arena.games import VARIANTS, variant
from benchmarks.adapters import MATCHES_AT_ONCE, Play, choose_random, measure, through_vector

KINDS: Final[dict[str, dict[str, Any]]] = {
    "self-play": {"self_play": True},
    "random": {},
    "greedy": {"opponents": ["greedy"]},
    "a function": {"opponents": [choose_random]},
}
"""Arguments of the environment, by who has the other seats."""


def make_plays(name: str) -> tuple[dict[str, Play], bool]:
    """Return how each kind is played in a variant, and whether that is compiled.

    Raises:
        MissingPackage: numba or Gymnasium is not installed.
    """
    from arena.adapters.vector_env import CommerceVectorEnv

    is_compiled = CommerceVectorEnv(name, players=4).is_compiled
    count, steps = (MATCHES_AT_ONCE, 50) if is_compiled else (64, 20)

    def make(arguments: dict[str, Any]) -> Play:
        return through_vector(
            lambda: CommerceVectorEnv(name, count, players=4, copy=False, **arguments), steps
        )

    return {kind: make(arguments) for kind, arguments in KINDS.items()}, is_compiled


@click.command(help=__doc__)
@click.argument("names", nargs=-1, metavar="[VARIANT...]")
@click.option("--decisions", default=400_000, show_default=True, help="Decisions of a measurement, at least.")
@click.option("--rounds", default=5, show_default=True)
def main(names: tuple[str, ...], decisions: int, rounds: int) -> None:
    rows = []
    for rules in [variant(name) for name in names] or VARIANTS:
        try:
            plays, is_compiled = make_plays(rules.name)
        except MissingPackage as missing:
            raise click.ClickException(str(missing)) from None
        speeds: dict[str, list[float]] = {kind: [] for kind in plays}
        for _ in range(rounds):
            for kind, play in plays.items():
                speeds[kind].append(measure(play, decisions))
        medians = [f"{median(values):,.0f}" for values in speeds.values()]
        rows.append([str(rules), *medians, "compiled" if is_compiled else "rules"])
    align = ["left", *["right"] * len(KINDS), "left"]
    click.echo(tabulate(rows, ["decisions/s", *KINDS, "play"], colalign=align, disable_numparse=True))


if __name__ == "__main__":
    main()
