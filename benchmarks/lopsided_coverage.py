"""Measure how often printed ± hold in level and lopsided fields with few blocks.

    .venv/bin/python -m benchmarks.lopsided_coverage --tournaments 1000

Bots play with luck as in the rating model, so that their true ratings are known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click
import numpy as np

from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.pair_counts import FloatArray, PairCounter
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO
from benchmarks.coverage_laws import find_surplus

BOTS = {2: 6, 4: 8, 6: 12}
"""Number of bots, by number of seats."""
BLOCKS = (6, 10, 20, 40)  # per bot
TWINS = (-1, -2)
FIELDS = {"level": (0.0, 0.0), "one ahead": (512.0, 512.0), "halves": (512.0, 512.0), "far": (0.0, 1200.0)}
"""Lowest and highest distance of the two parts, in Elo; at 512 the stronger takes 95 %, at 1,200 99.9 %."""


class Coverage(NamedTuple):
    """Results for one field and number of blocks; all are shares from 0 to 1.

    Attributes:
        printed: Bots with an error bar.
        stronger: Error bars of the stronger part that hold, of those printed.
        others: The same of the weaker part.
        pairs: The same of the distances of the strongest bot and the others.
        twins_outside: LOS between two identical bots outside 2.5 to 97.5 %, of those printed.
    """

    printed: float
    stronger: float
    others: float
    pairs: float
    twins_outside: float


def play_tournament(strength: FloatArray, seats: int, blocks: int, rng: np.random.Generator) -> Fit:
    """Return the fit of a tournament in which every bot plays `blocks` blocks."""
    size = len(strength)
    tables = np.array([rng.permutation(size) for _ in range(blocks)]).reshape(-1, seats)
    seatings = np.stack([np.roll(tables, turn, axis=1) for turn in range(seats)], axis=1).reshape(-1, seats)
    luck = strength[seatings] + rng.gumbel(size=seatings.shape)
    placings = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)
    counter = PairCounter([f"bot {number}" for number in range(size)], seats)
    counter.add(np.repeat(np.arange(len(tables)), seats), seatings, placings)
    return fit_elo(counter.counts())


def draw_truth(field: str, seats: int, rng: np.random.Generator) -> tuple[FloatArray, int]:
    """Return the true Elo of bots, the strongest first, and how many are in the stronger part."""
    size = BOTS[seats]
    stronger = size // 2 if field in ("halves", "far") else 1
    elo = np.zeros(size)
    elo[:stronger] = rng.uniform(*FIELDS[field])
    return elo - elo.mean() + MEAN_ELO, stronger


def is_covered(fit: Fit, truth: FloatArray) -> Iterator[tuple[int, bool]]:
    """Yield each bot that has an error bar, and whether it holds about the centre of its group."""
    for bot, surplus in enumerate(find_surplus(fit, truth).tolist()):
        error = fit.error[bot]
        if error is not None:
            yield bot, abs(surplus) <= error


def measure_coverage(field: str, seats: int, blocks: int, tournaments: int, seed: int = 1) -> Coverage:
    """Play tournaments of so many blocks a bot, and count how often their intervals hold."""
    rng = np.random.default_rng([seed, list(FIELDS).index(field), seats, blocks])
    by_part: tuple[list[bool], list[bool]] = ([], [])
    pairs, twins = [], []
    for _ in range(tournaments):
        truth, stronger = draw_truth(field, seats, rng)
        fit = play_tournament(truth / ELO_PER_UNIT, seats, blocks, rng)
        for bot, holds in is_covered(fit, truth):
            by_part[bot >= stronger].append(holds)
        for other in range(stronger, len(truth)):
            error = fit.pair_error(0, other)
            if error is not None and not fit.mark[0] and not fit.mark[other]:
                pairs.append(abs(fit.elo[0] - fit.elo[other] - truth[0] + truth[other]) <= error)
        los = fit.los(len(truth) + TWINS[0], len(truth) + TWINS[1])
        if los is not None:
            twins.append(not 0.025 <= los <= 0.975)
    return Coverage(
        printed=sum(map(len, by_part)) / BOTS[seats] / tournaments,
        stronger=_share(by_part[0]),
        others=_share(by_part[1]),
        pairs=_share(pairs),
        twins_outside=_share(twins),
    )


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else math.nan


@click.command()
@click.option("--tournaments", default=1000, show_default=True, help="For each field and length.")
@click.option("--seed", default=1, show_default=True)
def main(tournaments: int, seed: int) -> None:
    """Print a table of coverage by field, seats and blocks per bot."""
    click.echo(
        "| field | seats | blocks | ± printed | of the stronger hold | of the others | of pairs | twins |"
    )
    click.echo("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for field in FIELDS:
        for seats in BOTS:
            for blocks in BLOCKS:
                shares = measure_coverage(field, seats, blocks, tournaments, seed)
                cells = ["–" if math.isnan(share) else f"{share:.1%}" for share in shares]
                click.echo(f"| {field} | {seats} | {blocks} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
