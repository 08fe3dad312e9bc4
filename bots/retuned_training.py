"""Fit the constants of `retuned`, game by game: `python -m bots.retuned_training --seed 1`.

One constant after the other is tried at each value of its grid, in one seat of the same deals, against the
heuristic as it is in the others. A value is kept if it wins more by two standard errors of the difference; of
equal ones the nearest to the heuristic's own is kept. Of several constants each is tried twice. A value
fitted at the edge of its grid is reported: a better one may lie beyond.
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
from arena.play.heuristics.weighted_constants import list_heuristic_constants
from arena.play.heuristics.weighted_heuristic import HEURISTIC
from bots.retuned import (
    CONSTANTS_FILE,
    FITTED_SEATS,
    FITTED_SEATS_CUCKOO,
    FittedConstants,
    load_constants,
)

GRIDS: Final[Mapping[str, Mapping[str, tuple[float, ...]]]] = {
    "barter": {
        "stand": (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.6, 0.7, 0.8),
        "best": (0.05, 0.1, 0.15, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9),
    },
    "draw": {"knock": (19, 20, 21, 22, 23, 24, 26, 27, 28, 29)},
    "cuckoo": {"low": (0.2, 0.25, 0.3, 0.35, 0.45, 0.5, 0.55, 0.6)},
    "cambio": {"kept": (2, 3), "given": (1, 2), "lead": (0.3, 0.6)},
}
"""Values tried in place of the heuristic's own, by family and constant."""
FITTED: Final = ("cuccu", "trade-and-barter", "trade-and-barter-consent", "trade-and-barter-tokens", "cambio")
"""Games in which fitted constants were measured to be better than the heuristic's own."""
DEALS: Final[Mapping[str, int]] = {"barter": 3000, "draw": 800, "cuckoo": 40_000, "cambio": 6000}
"""Number of deals that each value plays, by family."""
KEEP_ERRORS: Final = 2
PASSES: Final = 2
"""Number of times that each constant of a heuristic with several is fitted."""


def fit(rules: Rules, seats: int, seed: str, deals: int) -> dict[str, float]:
    """Return the constants that differ from the heuristic's own; the same arguments give the same.

    Args:
        rules: The game.
        seats: The number of seats.
        seed: Decides the deals.
        deals: Number of deals that each value plays.
    """
    fitted: dict[str, float] = {}
    grids = GRIDS[rules.family]
    for number in range(PASSES if len(grids) > 1 else 1):
        for name in grids:
            fitted |= fit_constant(rules, seats, fitted, name, f"{seed}/{number}/{name}", deals)
    return fitted


def fit_constant(
    rules: Rules, seats: int, fitted: Mapping[str, float], name: str, seed: str, deals: int
) -> dict[str, float]:
    """Return the best value of a constant by its name; nothing if none wins more than the present one."""
    before = play_deals(rules, seats, fitted, seed, deals)
    usual = find_usual(rules, name)
    best, most = None, 0.0
    for value in sorted(GRIDS[rules.family][name], key=lambda value: abs(value - usual)):
        after = play_deals(rules, seats, {**fitted, name: value}, seed, deals)
        gains = [gain - usual for gain, usual in zip(after, before, strict=True)]
        if fmean(gains) > max(most, KEEP_ERRORS * stdev(gains) / sqrt(deals)):
            best, most = value, fmean(gains)
    return {} if best is None else {name: best}


def find_usual(rules: Rules, name: str) -> float:
    """Return the heuristic's own value of a constant."""
    return next(
        constant.start for constant in list_heuristic_constants(rules) if constant.name == HEURISTIC + name
    )


def list_edges(rules: Rules, fitted: Mapping[str, float]) -> list[str]:
    """Return the constants whose fitted value is the lowest or the highest of those tried."""
    grids = GRIDS[rules.family]
    edges = {name: (*grids[name], find_usual(rules, name)) for name in fitted}
    return [name for name, value in fitted.items() if value in (min(edges[name]), max(edges[name]))]


def play_deals(
    rules: Rules, seats: int, constants: Mapping[str, float], seed: str, deals: int
) -> list[float]:
    """Return the values of the first deals of matches for a seat that plays with these constants."""
    usual, changed = make_heuristic(rules), make_heuristic(rules, constants)
    values = []
    for number in range(deals):
        seat = number % seats
        branch = rules.match(seats, f"{seed}/{number}").branch()
        deal = branch.playout([changed.act if place == seat else usual.act for place in range(seats)])
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
        for seats, constants in fitted[name].items():
            for constant in list_edges(rules, constants):
                click.echo(f"{name}, {seats} seats: {constant} is at the edge of its grid: widen it in GRIDS")
    out.write_bytes(msgspec.json.format(msgspec.json.encode(fitted)) + b"\n")


if __name__ == "__main__":
    main()
