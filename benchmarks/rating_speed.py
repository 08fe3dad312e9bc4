"""Time a large fit against choix: a thousand bots, a million matches at tables of four.

.venv/bin/python -m benchmarks.rating_speed
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import choix
import click
import numpy as np

from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounter, PairCounts

SEATS = 4
PIECES = 50
TURNS = 3


def simulate(bots: int, blocks: int) -> PairCounts:
    """Simulate blocks of random tables in all rotations; stronger bots are placed higher."""
    rng = np.random.default_rng(1)
    skill = rng.normal(0, 1, bots)
    counter = PairCounter([f"bot {number}" for number in range(bots)], SEATS)
    for piece in np.array_split(np.arange(blocks), PIECES):
        tables = np.stack([rng.choice(bots, SEATS, replace=False) for _ in piece]).repeat(SEATS, axis=0)
        worth = skill[tables] + rng.gumbel(size=tables.shape)
        counter.add(piece.repeat(SEATS), tables, 1 + np.argsort(np.argsort(-worth, axis=1), axis=1))
    return counter.counts()


def seconds(work: Callable[[], object]) -> float:
    """Return the shortest time of several runs."""
    spent = []
    for _ in range(TURNS):
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    return min(spent)


@click.command()
@click.option("--bots", default=1000, show_default=True)
@click.option("--blocks", default=250_000, show_default=True)
def main(bots: int, blocks: int) -> None:
    """Print the time of both fits, their ratio, and the peak memory of ours."""
    counts = simulate(bots, blocks)
    ours = seconds(lambda: fit_elo(counts))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    points = counts.points() + 1e-9  # keeps the comparison graph connected
    theirs = seconds(lambda: choix.ilsr_pairwise_dense(points))
    click.echo(
        f"fit with errors {ours:.2f} s, choix {theirs:.2f} s, ratio {ours / theirs:.1f}, {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
