"""Measure how often printed ± hold where one half of a small field hardly ever loses to the other.

    .venv/bin/python benchmarks/lopsided_coverage.py --tournaments 1000

Three strong and three weak bots play in tables of four, with luck as in the rating model, so that their true
ratings are known. In each tournament the distance of the halves is drawn anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from arena.rating import Fit, PairCounter, fit_elo
from arena.rating.elo import ELO_PER_UNIT, LOPSIDED
from arena.rating.intervals import t_half_width
from arena.rating.pair_counts import FloatArray

BOTS = 6
SEATS = 4
TWINS = (0, 1)
BLOCKS = (6, 12, 24)  # per bot
DISTANCES = {"level field": (0.0, 0.0), "0 to 1,200": (0.0, 1200.0), "500 to 1,200": (500.0, 1200.0)}
"""Lowest and highest distance of the halves, in Elo; at 500 the weaker bot takes one game in 19."""


class LopsidedCoverage(NamedTuple):
    """Results for one number of blocks; all are shares from 0 to 1.

    Attributes:
        printed: Bots with an error bar.
        coverage: Error bars that hold, of those printed.
        wrong: Bots with an error bar that does not hold, of all bots.
        marked_coverage: Error bars that would hold, of those that the mark "~" replaces.
        twins_outside: LOS between two identical bots outside 2.5 to 97.5 %, of those printed.
    """

    printed: float
    coverage: float
    wrong: float
    marked_coverage: float
    twins_outside: float


def play_tournament(strength: FloatArray, blocks: int, rng: np.random.Generator) -> Fit:
    """Return the fit of a tournament in which every bot plays `blocks` blocks, an even number."""
    absent = np.array([rng.permutation(BOTS) for _ in range(blocks // 2)]).reshape(-1, BOTS - SEATS)
    tables = np.array([rng.permutation(np.setdiff1d(np.arange(BOTS), pair)) for pair in absent])
    seatings = np.stack([np.roll(tables, turn, axis=1) for turn in range(SEATS)], axis=1).reshape(-1, SEATS)
    luck = strength[seatings] + rng.gumbel(size=seatings.shape)
    placings = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)
    counter = PairCounter([f"bot {number}" for number in range(BOTS)], SEATS)
    counter.add(np.repeat(np.arange(len(tables)), SEATS), seatings, placings)
    return fit_elo(counter.counts())


def find_covered(fit: Fit, truth: FloatArray) -> NDArray[np.bool_]:
    """Return for each bot whether its 95 % interval holds, with a mark or not, about its group's mean."""
    covered = np.zeros(BOTS, np.bool_)
    for group in map(list, fit.varied_groups):
        within = fit.covariance[np.ix_(group, group)]
        variance = within.diagonal() - 2 * within.mean(axis=1) + within.mean()
        blocks = min(fit.blocks[bot] for bot in group)
        surplus = np.array(fit.elo)[group] - truth[group]
        covered[group] = np.abs(surplus - surplus.mean()) <= t_half_width(1.0, blocks) * np.sqrt(variance)
    return covered


def measure_lopsided_coverage(
    blocks: int, tournaments: int, distances: tuple[float, float] = DISTANCES["0 to 1,200"], seed: int = 1
) -> LopsidedCoverage:
    """Play tournaments of so many blocks a bot, and count how often their intervals hold."""
    rng = np.random.default_rng([seed, blocks])
    printed, marked, twins = [], [], []
    for _ in range(tournaments):
        truth = np.repeat([0.5, -0.5], BOTS // 2) * rng.uniform(*distances)
        fit = play_tournament(truth / ELO_PER_UNIT, blocks, rng)
        covered = find_covered(fit, truth).tolist()
        printed += [holds for holds, error in zip(covered, fit.error, strict=True) if error is not None]
        marked += [holds for holds, mark in zip(covered, fit.mark, strict=True) if mark == LOPSIDED]
        los = fit.los(*TWINS)
        if los is not None and LOPSIDED not in (fit.mark[TWINS[0]], fit.mark[TWINS[1]]):
            twins.append(not 0.025 <= los <= 0.975)
    return LopsidedCoverage(
        printed=len(printed) / BOTS / tournaments,
        coverage=_share(printed),
        wrong=(len(printed) - sum(printed)) / BOTS / tournaments,
        marked_coverage=_share(marked),
        twins_outside=_share(twins),
    )


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else math.nan


@click.command()
@click.option("--tournaments", default=1000, show_default=True, help="For each distance and length.")
@click.option("--seed", default=1, show_default=True)
def main(tournaments: int, seed: int) -> None:
    """Print a table of coverage by distance of the halves and blocks per bot."""
    click.echo("| distance | blocks | ± printed | of these hold | wrong, of all | hold behind ~ | twins |")
    click.echo("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, distances in DISTANCES.items():
        for blocks in BLOCKS:
            found = measure_lopsided_coverage(blocks, tournaments, distances, seed)
            cells = ["–" if math.isnan(share) else f"{share:.1%}" for share in found]
            click.echo(f"| {name} | {blocks} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
