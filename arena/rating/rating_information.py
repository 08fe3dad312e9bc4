"""Information of further blocks: by how much the error of each rating would fall if some bots met.

The variance of a rating about the centre of the field is that of a Bradley–Terry model in all games so far. A
block of two bots with an expected score of p adds p(1 - p) for each point at stake to the information on
their difference, and so lowers the variance of every rating that depends on it (Sherman and Morrison's
formula). A lopsided pair tells hardly anything, an opponent about which little is known only a little, and
two bots that are far better known than the link between them and the field nothing at all.
Source: V. V. Fedorov, Theory of optimal experiments, Academic Press, 1972 (choice of the next observation).
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from arena.rating.bradley_terry import win_probability
from arena.rating.elo_fit import Fit
from arena.rating.elo_origin import find_weights
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO

PRIOR_INFORMATION: Final = 0.25
"""Information on each strength before its first game, of one virtual draw (standard deviation: 347 Elo)."""


class RatingInformation:
    """Information on the strengths of some bots in a game, and the gain of further blocks.

    Bots are numbered in the order in which they are given.
    """

    def __init__(self, counts: PairCounts, fit: Fit, bots: Sequence[int]) -> None:
        """Take the information from all games.

        Args:
            counts: All games.
            fit: Ratings fitted to them.
            bots: The bots that may play, by number in the fit.
        """
        points = counts.points() * counts.weight
        strength, places = (np.array(fit.elo) - MEAN_ELO) / ELO_PER_UNIT, np.array(bots, np.int64)
        self._block_games = counts.seats * counts.weight  # of a pair, weighted, in all rotations
        chance = win_probability(strength[:, None] - strength)
        information = (points + points.T) * chance * chance.T
        met = tuple(np.flatnonzero(fit.blocks).tolist()) or tuple(range(len(strength)))
        weights = find_weights(np.array(fit.elo), (met,))
        information = np.diag(information.sum(axis=1) + PRIOR_INFORMATION) - information
        inverse: FloatArray = np.linalg.inv(information).astype(np.float64)
        self._strength: FloatArray = strength[places]
        self._covariance: FloatArray = inverse[np.ix_(places, places)]
        self._with_mean: FloatArray = inverse[places] @ weights
        self._of_mean = float(weights @ inverse @ weights)

    @property
    def variances(self) -> FloatArray:
        """Variance of each rating about the centre of the field, in squared units of strength."""
        variances: FloatArray = self._covariance.diagonal() - 2 * self._with_mean + self._of_mean
        return variances

    def gains(self, rated: IntArray, bot: int, others: IntArray) -> FloatArray:
        """Return by how much a block of a bot with each of some others lowers the variance of some ratings.

        Args:
            rated: The bots whose ratings it is about, the rows of the result.
            bot: The bot that meets another.
            others: The other, the columns.
        """
        known = self._covariance[rated] - self._with_mean
        return np.square(known[:, [bot]] - known[:, others]) * self._pair_information(bot, others)

    def add(self, table: Sequence[int], blocks: int) -> None:
        """Count blocks of a table as if they had been played."""
        for place, bot in enumerate(table):
            for other in table[place + 1 :]:
                share = float(self._pair_information(bot, np.array([other]), blocks)[0])
                moved = self._covariance[bot] - self._covariance[other]
                moved_mean = float(self._with_mean[bot] - self._with_mean[other])
                self._covariance -= np.outer(share * moved, moved)
                self._with_mean -= share * moved_mean * moved
                self._of_mean -= share * moved_mean**2

    def _pair_information(self, bot: int, others: IntArray, blocks: int = 1) -> FloatArray:
        """Return s/(1 + sR), with R the variance of a difference, and s the information of blocks on it.

        As the difference is not known, s is its mean over a normal distribution (the probit approximation).
        """
        own = self._covariance[bot, bot]
        variance = own + self._covariance[others, others] - 2 * self._covariance[bot, others]
        scale = np.sqrt(1 + math.pi / 8 * variance)
        chance = win_probability((self._strength[bot] - self._strength[others]) / scale)
        information = blocks * self._block_games * chance * (1 - chance) / scale
        share: FloatArray = information / (1 + information * variance)
        return share
