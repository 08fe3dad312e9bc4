"""Virtual blocks: a prior for events that have not been seen.

A covariance knows nothing of events to come: where small gains are frequent and large losses rare, early
looks often come before the first loss. So one virtual block that a bot wins as a whole, and one that it
loses, are added to the variance of what is tested repeatedly.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from arena.rating.bradley_terry import win_probability
from arena.rating.connectivity import Groups
from arena.rating.elo_fit import Fit
from arena.rating.elo_origin import compute_variances_about_center, find_weights
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO, VIRTUAL_SQUARES

MAX_WEIGHT: Final = 0.5
"""Largest weight of a bot in the centre of its group that is counted: that of one of two."""


class VirtualBlocks:
    """Addition of virtual blocks to the variances of ratings."""

    def __init__(self, counts: PairCounts, fit: Fit) -> None:
        """Take the information on strengths from the results so far, and their ratings."""
        self._fit = fit
        self._inverse = _invert_information(counts, fit)

    def pair_variance(self, bot: int, other: int) -> float:
        """Return what a block won from each other adds to the variance of a difference, in Elo².

        A block won as a whole is half its matches more than expected of equals; it moves the difference by
        that times the resistance between the two in the network of all games.
        """
        own, others = self._inverse[bot, bot], self._inverse[other, other]
        resistance = float(own + others - 2 * self._inverse[bot, other])
        blocks = min(self._fit.blocks[bot], self._fit.blocks[other])
        return self._variance(resistance, max(map(self._block_matches, (bot, other))), blocks)

    def pair_variances(self, bots: Sequence[int]) -> FloatArray:
        """Return the matrix of `pair_variance` of some bots that played; 0 on its diagonal."""
        inverse = self._inverse[np.ix_(bots, bots)]
        own = inverse.diagonal()
        blocks = np.array(self._fit.blocks)[bots]
        matches = np.array(self._fit.matches)[bots] / blocks
        fewer = np.maximum(np.minimum.outer(blocks, blocks), 2)
        moved = np.maximum.outer(matches, matches) * (own[:, None] + own - 2 * inverse) * ELO_PER_UNIT
        variances: FloatArray = VIRTUAL_SQUARES * moved**2 * fewer / (fewer - 1)
        return variances

    def variances_about_center(self, groups: Groups) -> FloatArray:
        """Return what a block won from all others and one lost to them add to each bot's variance, in Elo².

        The variance is that of the distance from the centre of the bot's group, in which the others count by
        their weights. It is NaN for a bot that met nobody.
        """
        weights = find_weights(np.array(self._fit.elo), groups)
        resistance = compute_variances_about_center(self._inverse, groups, weights)
        added = np.full(len(resistance), np.nan)
        for bot in (bot for group in groups if len(group) > 1 for bot in group):
            moved = float(resistance[bot]) / (1 - min(float(weights[bot]), MAX_WEIGHT))
            added[bot] = self._variance(moved, self._block_matches(bot), self._fit.blocks[bot])
        return added

    def _block_matches(self, bot: int) -> float:
        return self._fit.matches[bot] / self._fit.blocks[bot]

    @staticmethod
    def _variance(moved: float, matches: float, blocks: int) -> float:
        """Return the variance if a point more moves a rating by so many units of strength."""
        fewer = max(blocks, 2)
        return VIRTUAL_SQUARES * (matches * moved * ELO_PER_UNIT) ** 2 * fewer / (fewer - 1)


def _invert_information(counts: PairCounts, fit: Fit) -> FloatArray:
    """Return the pseudoinverse of the information on strengths in all games."""
    strength = (np.array(fit.elo) - MEAN_ELO) / ELO_PER_UNIT
    chance = win_probability(strength[:, None] - strength)
    points = counts.points() * counts.weight
    variance = (points + points.T) * chance * chance.T
    laplacian = np.diag(variance.sum(axis=1)) - variance
    return np.asarray(np.linalg.pinv(laplacian, hermitian=True), np.float64)
