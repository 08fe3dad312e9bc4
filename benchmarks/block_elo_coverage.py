"""Measure how often the interval of an Elo estimated from block scores holds, far from and near a score of 1.

    .venv/bin/python -m benchmarks.block_elo_coverage --samples 4000 --seed 1

A bot meets the same opponents in blocks of as many matches as seats, all on the same cards. In each match a
seat's performance is normal; part of its variance belongs to the cards of the seat, which the matches of a
block have in common. Printed are the shares of intervals that hold: of `estimate_block_elo`, as in
`arena track`, and of Student's t interval of the mean score with both ends converted.
"""

from __future__ import annotations

import math

import click
import numpy as np
from tabulate import tabulate

from arena.rating.pair_counts import FloatArray
from arena.rating.student_t import normal_quantile
from arena.rating.two_bots import compare_block_scores, compute_elo_bounds, elo_from_score, estimate_block_elo

SCORES = (0.5, 0.8, 0.95)
PLAYERS = (2, 4, 6)
BLOCKS = (6, 10, 20, 40, 100)
CARD_SHARES = (0.0, 0.3)
"""Parts of the variance that belong to the cards."""


def draw_block_scores(
    shape: tuple[int, int], players: int, score: float, card_share: float, rng: np.random.Generator
) -> FloatArray:
    """Return scores of a bot that is expected to score `score`, by sample and block."""
    cards = rng.normal(size=(*shape, 1, players)) * math.sqrt(card_share)
    performance = cards + rng.normal(size=(*shape, players, players)) * math.sqrt(1 - card_share)
    performance[..., 0] += normal_quantile(score) * math.sqrt(2)
    scores: FloatArray = (performance[..., :1] > performance[..., 1:]).mean(axis=(-2, -1))
    return scores


def measure_coverage(scores: FloatArray, score: float) -> tuple[float, float]:
    """Return the shares of intervals that hold the true Elo: in Elo, and converted from the mean score."""
    elo = elo_from_score(score)
    assert elo is not None
    held = [0, 0]
    for sample in scores.tolist():
        estimate = estimate_block_elo(sample)
        converted = compute_elo_bounds(compare_block_scores(sample))
        for method, (low, high) in enumerate(((estimate.low, estimate.high), converted)):
            held[method] += (low is None or low <= elo) and (high is None or elo <= high)
    return held[0] / len(scores), held[1] / len(scores)


@click.command()
@click.option("--samples", default=4000, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(samples: int, seed: int) -> None:
    """Print a row for each score, table size and share of the cards."""
    rng = np.random.default_rng(seed)
    rows = []
    for score in SCORES:
        for players in PLAYERS:
            for share in CARD_SHARES:
                shares = [
                    measure_coverage(draw_block_scores((samples, blocks), players, score, share, rng), score)
                    for blocks in BLOCKS
                ]
                cells = [f"{100 * own:.1f} ({100 * other:.1f})" for own, other in shares]
                rows.append([f"{score:.0%}", players, f"{share:.0%}", *cells])
    click.echo(tabulate(rows, ["score", "players", "cards", *[f"{blocks} blocks" for blocks in BLOCKS]]))


if __name__ == "__main__":
    main()
