"""Measure how well the standings of a Swiss order bots: by the rating within it, and by score.

    python -m benchmarks.swiss_ranking [TOURNAMENTS]

Bots of evenly spaced strength follow the model of the ratings (Gumbel luck), 347 Elo from the first to the
last; in a third of blocks all matches have the same luck. Printed is Kendall's tau with the true order, and
how often the best bot is first.
"""

import sys
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np
from scipy.stats import kendalltau

from arena.tournament.formats import make_format
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import make_config
from arena.tournament.storage.block_result_encoding import BlockResult, MatchResult

BOTS: Final = 24
SPREAD: Final = 2.0
"""Strength of the first above the last, in units of 174 Elo."""
ALIKE: Final = 1 / 3
ROUNDS: Final = (4, 7, 12)


def play(block: Block, rng: np.random.Generator, strength: dict[str, float]) -> BlockResult:
    """Return a block whose bots have their strength and Gumbel luck."""
    luck = dict(zip(block.bots, rng.gumbel(size=len(block.bots)), strict=True))
    is_alike = rng.random() < ALIKE
    matches = []
    for seating in block.seatings:
        own = [luck[bot] if is_alike else rng.gumbel() for bot in seating]
        total = [strength[bot] + value for bot, value in zip(seating, own, strict=True)]
        placings = tuple(1 + sum(other > mine for other in total) for mine in total)
        matches.append(MatchResult(placings, (0,) * len(seating), (), b""))
    return BlockResult(block.index, tuple(matches))


def measure(rounds: int, number: int) -> tuple[list[float], list[bool]]:
    """Return tau and whether the best is first, by the rating and by score."""
    names = [f"bot{place:02}" for place in range(BOTS)]
    config = make_config(
        {
            "format": "swiss",
            "bots": [{"name": name, "bot": "greedy"} for name in names],
            "variants": [{"name": "lives", "players": 3}],
            "blocks": 20,
            "rounds": rounds,
        },
        base=Path(),
        where="benchmark",
    )
    rng = np.random.default_rng(number)
    strength = dict(zip(names, rng.permutation(np.linspace(0, SPREAD, BOTS)).tolist(), strict=True))
    swiss = make_format(config, str(number))
    while stage := swiss.next_stage():
        swiss.observe([(block, play(block, rng, strength)) for block in stage])
    board = swiss.scoreboard()
    assert board is not None
    true = [strength[row.bot] for row in board.rows]
    score = [row.score for row in board.rows]
    taus = [float(kendalltau(true, order).statistic) for order in (range(BOTS, 0, -1), score)]
    return taus, [true[0] == max(true), true[int(np.argmax(score))] == max(true)]


def main(tournaments: int) -> None:
    """Print a line for each number of rounds."""
    for rounds in ROUNDS:
        measured = [measure(rounds, number) for number in range(tournaments)]
        taus = [fmean(tau[at] for tau, _ in measured) for at in range(2)]
        firsts = [fmean(first[at] for _, first in measured) for at in range(2)]
        sys.stdout.write(
            f"{rounds:2} rounds: tau {taus[0]:.3f} by the rating, {taus[1]:.3f} by score; "
            f"best first {firsts[0]:.0%}, {firsts[1]:.0%}\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 200)
