"""Measure how often each number that the arena prints holds, where the truth is known.

    .venv/bin/python -m benchmarks.coverage
    .venv/bin/python -m benchmarks.coverage --only "chain of 12"

Prints the table of docs/statistics.md. Each row is what is drawn again and again, from a law in
`coverage_laws` or with a draw in `coverage_subjects`, and one number printed of it: its nominal share, the
share measured with the half width of its 95 % interval, in percentage points, and the number of draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

import click
import numpy as np

from benchmarks.coverage_laws import APART, EQUALS, LAWS, NUMBERS, OVERLAP, RANKS, judge
from benchmarks.coverage_names import NOMINAL_SHARES
from benchmarks.coverage_subjects import SUBJECTS, Draw, Subject

NOMINAL: Final = {
    RANKS: "≥ 95 %",
    EQUALS: "5 %",
    APART: "0 %",
    OVERLAP: "0 %",
    **NOMINAL_SHARES,
}
"""Nominal shares of numbers; 95 % for others."""
TRIALS: Final = 300
SLOW_LAWS: Final = ("Swiss", "league", "30 bots")
"""Beginnings of the names of laws that are drawn a third as often."""


class Share(NamedTuple):
    """A mean share over draws, from 0 to 1, and the half width of its 95 % interval."""

    mean: float
    error: float
    draws: int


def list_subjects() -> Iterator[tuple[str, Subject]]:
    """Yield all rows: what is drawn, and how."""
    for name, law in LAWS.items():
        yield name, Subject(partial(judge, law), 1 / 3 if name.startswith(SLOW_LAWS) else 1)
    yield from SUBJECTS.items()


def measure(draw: Draw, draws: int, seed: int = 1) -> dict[str, Share]:
    """Return how often each number holds or errs, over the draws that have it."""
    rng = np.random.default_rng(seed)
    shares: dict[str, list[float]] = {}
    for _ in range(draws):
        for name, share in draw(rng).items():
            shares.setdefault(name, []).append(share)
    return {name: summarize(shares[name]) for name in sorted(shares, key=_sort_key)}


def _sort_key(number: str) -> int:
    """Put the numbers of tournaments in one order, and leave others in that of the first draw."""
    return NUMBERS.index(number) if number in NUMBERS else len(NUMBERS)


def summarize(shares: list[float]) -> Share:
    """Return the mean of shares; one that never varies has the error of a Poisson count of 0."""
    mean, number = math.fsum(shares) / len(shares), len(shares)
    deviation = float(np.std(shares, ddof=1)) if number > 1 else 0.0
    return Share(mean, 1.96 * deviation / math.sqrt(number) if deviation else 3.0 / number, number)


def list_cells(name: str, subject: Subject, trials: int, seed: int) -> Iterator[list[str]]:
    """Yield the cells of a row for each number; only the first one names what was drawn."""
    shares = measure(subject.draw, max(2, round(subject.part * trials)), seed)
    for place, (number, share) in enumerate(shares.items()):
        measured = f"{share.mean:.1%}".replace("%", " %")
        options = f'--only "{name}"' if trials == TRIALS else f'--trials {trials} --only "{name}"'
        what = [name, f"`{options}`"] if place == 0 else ["", ""]
        yield [
            what[0],
            number,
            NOMINAL.get(number, "95 %"),
            measured,
            f"{100 * (share.error if share.mean else share.error / subject.batch):.1f}",
            f"{share.draws * subject.batch:,}",
            what[1],
        ]


HEADINGS: Final = ("drawn", "number", "nominal", "measured", "±", "draws", "python -m benchmarks.coverage")


@click.command()
@click.option("--trials", default=TRIALS, show_default=True, help="Draws of a row; slow rows have fewer.")
@click.option("--seed", default=1, show_default=True)
@click.option("--only", default="", help="Only the rows whose names have this text.")
def main(trials: int, seed: int, only: str) -> None:
    """Print the table of measured coverage in Markdown."""
    click.echo(f"| {' | '.join(HEADINGS)} |\n| --- | --- | ---: | ---: | ---: | ---: | --- |")
    for name, subject in list_subjects():
        if only in name:
            for cells in list_cells(name, subject, trials, seed):
                click.echo(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
