"""The Elo scale: what a difference in strength means as an expected score."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

MEAN_ELO: Final = 1500.0
ELO_PER_UNIT: Final = 400 / math.log(10)
"""Elo of one unit of strength, where a pair's odds are exp(difference)."""


def win_probability(difference: FloatArray) -> FloatArray:
    """Expected score against a bot weaker by `difference` units of strength.

    Never overflows, and is as exact near 0 as near 1.
    """
    smaller = np.exp(-np.abs(difference))
    chance: FloatArray = np.where(difference >= 0, 1.0, smaller) / (1 + smaller)
    return chance


def expected_score(elo: float) -> float:
    """Expected score, between 0 and 1, against a bot weaker by `elo`."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_score(score: float) -> float | None:
    """Elo difference at which `score` is expected; none is large enough for 0 or 1."""
    return -400 * math.log10(1 / score - 1) if 0 < score < 1 else None
