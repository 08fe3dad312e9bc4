"""Measure how often a pair is named by chance below a ladder, and how often a real exception is found.

    python -m benchmarks.model_fit [FIELDS]

Bots follow the model of the ratings exactly (Gumbel luck); in 30 to 50 % of blocks all matches have the same
luck. Copies of a bot that play the same cards alike have the luck of their seats in all matches of a block.
A circle adds to the strength of the bot in the first seat, so that A beats B beats C beats A.
"""

import sys
from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.rating.elo_fit import fit_elo
from arena.rating.model_fit import assess_model_fit, compute_pair_residuals
from arena.rating.pair_counts import PairCounter, PairCounts


class Field(NamedTuple):
    """A kind of field: strengths, seats, blocks of each table, share of blocks with the same luck.

    With `of_seats` it is the luck of the seats that is the same, else that of the bots. `ties` is the share
    of matches between the bots 1 and 2 that tie, at two seats.
    """

    skill: list[float]
    seats: int
    blocks: int
    alike: float = 0.3
    circle: float = 0.0
    of_seats: bool = False
    ties: float = 0.0


FIELDS = {
    "3 bots, 2 seats, 10 blocks a table": Field([-0.5, 0, 0.5], 2, 10),
    "3 bots, 3 seats, 30 blocks": Field([-0.5, 0, 0.5], 3, 30),
    "4 bots, 4 seats, 60 blocks": Field(np.linspace(-1, 1, 4).tolist(), 4, 60),
    "4 bots, 4 seats, 150 blocks": Field(np.linspace(-1, 1, 4).tolist(), 4, 150, 0.5),
    "4 bots, 4 seats, 150 blocks, one hopeless": Field([0.5, 0.5, 0, -6], 4, 150, 0.4),
    "6 bots, 3 seats, 8 blocks a table": Field(np.linspace(-0.7, 0.7, 6).tolist(), 3, 8),
    "6 bots, 2 seats, 12 blocks a table": Field(np.linspace(-0.7, 0.7, 6).tolist(), 2, 12),
    "5 bots, four of them copies, 4 seats, 40 blocks a table": Field(
        [0.5] * 4 + [-0.8], 4, 40, alike=1.0, of_seats=True
    ),
    "10 bots, 4 seats, 1 block a table": Field(np.linspace(-0.7, 0.7, 10).tolist(), 4, 1),
    "5 bots, 2 seats, 100 blocks a table, two tie in 95 %": Field(
        [0.6, 0.0, 0.0, -0.3, -0.6], 2, 100, ties=0.95
    ),
    "a circle of 35 Elo": Field(np.linspace(-0.5, 0.5, 4).tolist(), 2, 60, circle=0.2),
    "a circle of 61 Elo": Field(np.linspace(-0.5, 0.5, 4).tolist(), 2, 60, circle=0.35),
}
HONEST = [name for name, field in FIELDS.items() if not field.circle]
"""Fields that the ratings explain."""


def play(field: Field, rng: np.random.Generator) -> PairCounts:
    """Return the counts of all tables of a field."""
    size, seats = len(field.skill), field.seats
    table = np.repeat(list(combinations(range(size), seats)), field.blocks, axis=0)
    bots = np.stack([np.roll(table, turn, axis=1) for turn in range(seats)], axis=1)
    luck = rng.gumbel(size=(len(table), seats, size))
    alike = rng.random(len(table)) < field.alike
    luck[alike] = luck[alike][:, :1]
    if not field.of_seats:
        luck = np.take_along_axis(luck, bots, axis=2)
    strength = np.array(field.skill)[bots] + luck[..., :seats]
    if field.circle:
        ahead = (bots[..., 1] - bots[..., 0]) % 3 == 1
        strength[..., 0] += np.where(ahead, field.circle, -field.circle) * (bots < 3).all(axis=-1)
    if field.ties:
        near = np.isin(bots, (1, 2)).all(axis=-1) & (rng.random(bots.shape[:-1]) < field.ties)
        strength[near] = 0.0
    placings = 1 + (strength[..., None, :] > strength[..., :, None]).sum(axis=-1)
    counter = PairCounter([f"bot{number}" for number in range(size)], seats)
    clusters = np.repeat(np.arange(len(table)), seats)
    counter.add(clusters, bots.reshape(-1, seats), placings.reshape(-1, seats))
    return counter.counts()


def main(fields: int) -> None:
    """Print, by kind of field, how often a pair is named, by the line and by `--show exceptions`."""
    for title, field in FIELDS.items():
        rng = np.random.default_rng(1)
        named, listed = 0, 0
        for _ in range(fields):
            counts = play(field, rng)
            fit = fit_elo(counts)
            assessed = assess_model_fit(counts, fit)
            named += assessed is not None and assessed.is_rejected
            residuals = compute_pair_residuals(counts, fit)
            listed += bool(residuals) and residuals[0].p < 0.05
        sys.stdout.write(f"{title:45} {named / fields:6.1%} {listed / fields:6.1%}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 300)
