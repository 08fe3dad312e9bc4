"""Measure how well a Swiss orders bots, by its standings and by Elo, and by how much its Elo is stretched.

    python -m benchmarks.swiss_ranking [TOURNAMENTS]

24 bots of evenly spaced strength follow the model of the ratings, 347 Elo from the first to the last. Printed
are Kendall's tau with the true order and how often the best bot is first, by the standings and by Elo; the
slope of Elo on the true one, and by how much the first by Elo is too high, each as a mean over tournaments.
"""

import sys
from typing import Final

import numpy as np
from scipy.stats import kendalltau

from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO
from benchmarks.coverage_pairing import play_swiss

BOTS: Final = 24
SPREAD: Final = 2.0
"""Strength of the first above the last, in units of 174 Elo."""
SHAPES: Final = ((2, 7, 4), (2, 7, 20), (3, 4, 20), (3, 12, 20), (4, 7, 4))
"""Seats, rounds, and blocks of a table in a round."""


def measure(seats: int, rounds: int, blocks: int, number: int) -> tuple[float, ...]:
    """Return tau and whether the best is first, by the standings and by Elo, the slope and the surplus."""
    rng = np.random.default_rng(number)
    strength = rng.permutation(np.linspace(-SPREAD / 2, SPREAD / 2, BOTS))
    fit, standings = play_swiss(lambda seatings: strength[seatings], BOTS, seats, rounds, blocks, rng)
    elo, truth = np.array(fit.elo) - MEAN_ELO, ELO_PER_UNIT * strength
    first = int(elo.argmax())
    return (
        float(kendalltau(truth[standings], range(BOTS, 0, -1)).statistic),
        float(kendalltau(truth, elo).statistic),
        float(standings[0] == truth.argmax()),
        float(first == truth.argmax()),
        float(elo @ truth / (truth @ truth)),
        float(elo[first] - truth[first]),
    )


def main(tournaments: int) -> None:
    """Print a line for each shape."""
    for shape in SHAPES:
        measured = np.array([measure(*shape, number) for number in range(tournaments)])
        by_standings, by_elo, first, first_by_elo, slope, surplus = measured.mean(axis=0).tolist()
        errors = 1.96 * measured.std(axis=0, ddof=1) / np.sqrt(tournaments)
        seats, rounds, blocks = shape
        sys.stdout.write(
            f"{seats} seats, {rounds:2} rounds of {blocks:2} blocks: tau {by_standings:.3f} by the "
            f"standings, {by_elo:.3f} by Elo; best first {first:.0%}, {first_by_elo:.0%}; Elo stretched "
            f"{slope:.2f} ± {errors[4]:.2f}, the first {surplus:.0f} ± {errors[5]:.0f} too high\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 200)
