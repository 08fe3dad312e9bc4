"""Fit the constants of `retuned`, game by game: `python -m bots.retuned_training --seed 1`.

One constant after the other is tried at each value of its grid, in one seat of the same deals, against the
heuristic as it is in the others. A value is kept if it wins more by two standard errors of the difference.
"""

from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

import click
import msgspec

from arena.games import Rules, variant
from arena.play.heuristics import make_heuristic
from bots.retuned import (
    CONSTANTS_FILE,
    FITTED_SEATS,
    FITTED_SEATS_CUCKOO,
    FittedConstants,
    load_constants,
)

GRIDS: Final[Mapping[str, Mapping[str, tuple[float, ...]]]] = {
    "barter": {
        "stand": (0.25, 0.3, 0.35, 0.4, 0.45, 0.6),
        "best": (0.1, 0.4),
    },
    "draw": {"knock": (19, 20, 21, 22, 23, 24, 26, 27, 28, 29)},
    "cuckoo": {"low": (0.2, 0.25, 0.3, 0.35, 0.45, 0.5, 0.55, 0.6)},
    "cambio": {"kept": (2, 3), "given": (1, 2), "lead": (0.3, 0.6)},
}
"""Values tried in place of the heuristic's own, by family and constant."""
FITTED: Final = ("cuccu", "trade-and-barter", "trade-and-barter-consent", "trade-and-barter-tokens", "cambio")
"""Games in which fitted constants were measured to be better than the heuristic's own."""
DEALS: Final[Mapping[str, int]] = {"barter": 800, "draw": 800, "cuckoo": 40_000, "cambio": 6000}
"""Number of deals that each value plays, by family."""
KEEP_ERRORS: Final = 2


def fit(rules: Rules, seats: int, seed: str, deals: int) -> dict[str, float]:
    """Return the constants that differ from the heuristic's own; the same arguments give the same.

    Args:
        rules: the game.
        seats: the number of seats.
        seed: decides the deals.
        deals: number of deals that each value plays.
    """
    fitted: dict[str, float] = {}
    for name, grid in GRIDS[rules.family].items():
        key = f"{seed}/{name}"
        before = play_deals(rules, seats, fitted, key, deals)
        best, most = None, 0.0
        for value in grid:
            after = play_deals(rules, seats, fitted | {name: value}, key, deals)
            gains = [one - other for one, other in zip(after, before, strict=True)]
            if fmean(gains) > max(most, KEEP_ERRORS * stdev(gains) / sqrt(deals)):
                best, most = value, fmean(gains)
        if best is not None:
            fitted[name] = best
    return fitted


def play_deals(
    rules: Rules, seats: int, constants: Mapping[str, float], seed: str, deals: int
) -> list[float]:
    """Return the values of the first deals of matches for a seat that plays with these constants."""
    usual, changed = make_heuristic(rules), make_heuristic(rules, constants)
    values = []
    for number in range(deals):
        seat = number % seats
        branch = rules.match(seats, f"{seed}/{number}").branch()
        deal = branch.playout([changed.act if one == seat else usual.act for one in range(seats)])
        values.append(rules.value(deal.opening, deal.changes, seat))
    return values


@click.command()
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same constants.")
@click.option("--variant", "names", multiple=True, help="Only these variants; the others keep theirs.")
@click.option("--out", type=click.Path(path_type=Path), default=CONSTANTS_FILE, help="The file to write.")
def main(seed: str, names: tuple[str, ...], out: Path) -> None:
    """Fit the constants of the bot `retuned`, and write them as JSON."""
    fitted: FittedConstants = dict(load_constants()) if names else {}
    for name in names or FITTED:
        rules = variant(name)
        numbers = FITTED_SEATS_CUCKOO if rules.family == "cuckoo" else FITTED_SEATS
        deals = DEALS[rules.family]
        fitted[name] = {seats: fit(rules, seats, f"{seed}/{name}/{seats}", deals) for seats in numbers}
        click.echo(f"{name}: {fitted[name]}")
    out.write_bytes(msgspec.json.format(msgspec.json.encode(fitted)) + b"\n")


if __name__ == "__main__":
    main()
