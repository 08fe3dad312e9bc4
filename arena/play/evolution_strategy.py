"""An evolution strategy, to fit a few constants of a bot by playing.

Its steps shrink on a schedule. CMA-ES, with which `arena tune` searches, adapts its steps to the scores: with
few generations of noisy scores it adapts them to the noise, and ends lower.
"""

from collections.abc import Sequence
from math import log
from random import Random


def draw_candidates(
    mean: Sequence[float], steps: Sequence[float], pairs: int, rng: Random
) -> list[list[float]]:
    """Return pairs of candidates on opposite sides of the mean; `steps` are standard deviations."""
    candidates = []
    for _ in range(pairs):
        moves = [step * rng.gauss(0, 1) for step in steps]
        for sign in (1, -1):
            candidates.append([value + sign * move for value, move in zip(mean, moves, strict=True)])
    return candidates


def recombine(candidates: Sequence[Sequence[float]], losses: Sequence[float]) -> list[float]:
    """Return the mean of the better half of the candidates, the best weighing most."""
    best = sorted(range(len(candidates)), key=losses.__getitem__)[: len(candidates) // 2]
    weights = [log(len(best) + 0.5) - log(place) for place in range(1, len(best) + 1)]
    return [
        sum([weight * value for weight, value in zip(weights, values, strict=True)]) / sum(weights)
        for values in zip(*[candidates[place] for place in best], strict=True)
    ]
