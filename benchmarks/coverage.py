"""Measure how often each number that the arena prints holds, where the truth is known.

    .venv/bin/python -m benchmarks.coverage --keep
    .venv/bin/python -m benchmarks.coverage --only "chain of 12"

Prints rows of benchmarks/coverage.csv, which `benchmarks.measured` summarizes; `--keep` replaces those rows
in the file. Each row is what is drawn again and again, from a law in `coverage_laws` or with a draw in
`coverage_subjects`, and one number printed of it: its nominal share, the share measured with the half width
of its 95 % interval, in percent and percentage points, the number of draws, and the options that print it.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click
import numpy as np

from benchmarks.coverage_laws import APART, EQUALS, LAWS, NUMBERS, OVERLAP, RANKS, judge
from benchmarks.coverage_names import NOMINAL_SHARES
from benchmarks.coverage_subjects import SUBJECTS, Draw, Subject

FILE: Final = Path(__file__).with_name("coverage.csv")
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


class Row(NamedTuple):
    """A row of benchmarks/coverage.csv; shares in percent, errors in percentage points."""

    drawn: str
    number: str
    nominal: str
    measured: str
    error: str
    draws: str
    options: str


def read_rows() -> list[Row]:
    """Return the rows of benchmarks/coverage.csv."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


def keep_rows(rows: list[Row]) -> None:
    """Replace rows of the same names in benchmarks/coverage.csv, which has the order of the subjects."""
    names = [name for name, _ in list_subjects()]
    drawn = {row.drawn for row in rows}
    kept = [row for row in read_rows() if row.drawn in names and row.drawn not in drawn]
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(sorted([*kept, *rows], key=lambda row: names.index(row.drawn)))


def list_subjects() -> Iterator[tuple[str, Subject]]:
    """Yield the names of all that is drawn, and how."""
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


def draw_rows(name: str, subject: Subject, trials: int, seed: int) -> Iterator[Row]:
    """Draw a subject, and yield a row for each number printed of it."""
    for number, share in measure(subject.draw, max(2, round(subject.part * trials)), seed).items():
        yield Row(
            name,
            number,
            NOMINAL.get(number, "95 %"),
            f"{100 * share.mean:.1f}",
            f"{100 * (share.error if share.mean else share.error / subject.batch):.1f}",
            str(share.draws * subject.batch),
            "" if trials == TRIALS else f"--trials {trials}",
        )


@click.command()
@click.option("--trials", default=TRIALS, show_default=True, help="Draws of a row; slow rows have fewer.")
@click.option("--seed", default=1, show_default=True)
@click.option("--only", default="", help="Only the rows whose names have this text.")
@click.option("--keep", is_flag=True, help="Replace these rows in benchmarks/coverage.csv.")
def main(trials: int, seed: int, only: str, keep: bool) -> None:
    """Print rows of measured coverage as CSV."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Row._fields)
    rows = []
    for name, subject in list_subjects():
        if only in name:
            for row in draw_rows(name, subject, trials, seed):
                writer.writerow(row)
                rows.append(row)
    if keep:
        keep_rows(rows)


if __name__ == "__main__":
    main()
