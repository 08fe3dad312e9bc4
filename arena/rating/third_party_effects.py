"""Estimate how much better a bot does against the others while a certain third bot is at the table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from arena.rating.elo import ELO_PER_UNIT, Fit, compute_residuals
from arena.rating.intervals import CONFIDENCE, MIN_BLOCKS, t_cdf, t_quantile
from arena.rating.intransitivity import adjust_holm
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows

ZERO_VARIANCE: Final = 1e-18
"""A variance below this is rounding of 0."""


@dataclass(frozen=True)
class ThirdPartyEffect:
    """The difference that a third bot at the table makes to a bot's scores against the others.

    Scores are compared with what the ratings predict, so a strong third bot alone makes no difference;
    scores against the third bot itself do not count.

    Attributes:
        bot: The bot.
        third: The third bot.
        blocks_with: Blocks of `bot` with the third bot.
        blocks_without: Blocks of `bot` without it.
        shift: Difference in points per game, 0 to 1.
        error: Half width of its 95 % interval.
        p: Probability of so large a shift in any of the pairs tested if no third bot mattered (Welch's t on
            the two kinds of blocks, Holm).
    """

    bot: int
    third: int
    blocks_with: int
    blocks_without: int
    shift: float
    error: float
    p: float


def estimate_third_party_effects(counts: PairCounts, fit: Fit) -> tuple[ThirdPartyEffect, ...]:
    """Return the effects of all pairs with at least 6 blocks with and without the third; least `p` first.

    There are none where all tables have the same bots, or two seats.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
    """
    sums = _BlockSums(len(counts.bots))
    strength = np.array(fit.elo) / ELO_PER_UNIT
    for rows in counts.chunks():
        sums.add(rows, strength)
    effects = sorted(sums.effects(), key=lambda one: (one.p, -abs(one.shift), one.bot, one.third))
    p_values = adjust_holm([one.p for one in effects])
    return tuple(replace(one, p=p) for one, p in zip(effects, p_values, strict=True))


class _Sample(NamedTuple):
    """A mean residual per game, its variance, and the number of blocks."""

    mean: float
    variance: float
    blocks: int


class _BlockSums:
    """Sums of residuals over blocks.

    The last axis holds, of each block, 1, games n, residual s, n², n s and s².
    """

    def __init__(self, bots: int) -> None:
        self._all = np.zeros((bots, 6))
        self._shared = np.zeros((bots, bots, 6))
        """By bot and third: the bot's blocks with the third at the table, all its games in them."""
        self._with = np.zeros((bots, bots, 6))
        """The same without its games against the third."""

    def add(self, rows: PairRows, strength: FloatArray) -> None:
        """Add blocks at tables where all met, those of equally many bots together."""
        residual, games = compute_residuals(rows, strength), rows.won + rows.lost
        _, starts, pairs = np.unique(rows.cluster, return_index=True, return_counts=True)
        for count in np.unique(pairs).tolist():
            bots = (1 + math.isqrt(1 + 8 * count)) // 2
            if bots > 2 and bots * (bots - 1) // 2 == count:
                at = starts[pairs == count, None] + np.arange(count)
                member = np.concatenate((rows.first[at[:, :1]], rows.second[at[:, : bots - 1]]), axis=1)
                self._add(member, _to_matrices(games[at], bots, 1), _to_matrices(residual[at], bots, -1))

    def _add(self, member: IntArray, games: FloatArray, residual: FloatArray) -> None:
        """Add blocks given their bots and, by bot and other, games and residuals."""
        n, s = games.sum(axis=2), residual.sum(axis=2)
        np.add.at(self._all, member, _statistics(n, s))
        for place in range(member.shape[1]):
            others = np.arange(member.shape[1]) != place
            pair = member[:, others], member[:, place, None]
            np.add.at(self._shared, pair, _statistics(n, s)[:, others])
            less = _statistics(n - games[:, :, place], s - residual[:, :, place])
            np.add.at(self._with, pair, less[:, others])

    def effects(self) -> Iterator[ThirdPartyEffect]:
        """Yield each bot with each third that has enough blocks; `p` is that of the pair alone."""
        without = self._all[:, None] - self._shared
        for bot, third in np.argwhere(np.minimum(self._with, without)[:, :, 0] >= MIN_BLOCKS).tolist():
            here, gone = _to_sample(self._with[bot, third]), _to_sample(without[bot, third])
            variance = here.variance + gone.variance
            if bot == third or variance < ZERO_VARIANCE:
                continue
            squares = here.variance**2 / (here.blocks - 1) + gone.variance**2 / (gone.blocks - 1)
            freedom = variance**2 / squares  # Welch–Satterthwaite
            shift, standard_error = here.mean - gone.mean, math.sqrt(variance)
            yield ThirdPartyEffect(
                bot=bot,
                third=third,
                blocks_with=here.blocks,
                blocks_without=gone.blocks,
                shift=shift,
                error=t_quantile((1 + CONFIDENCE) / 2, freedom) * standard_error,
                p=2 * t_cdf(-abs(shift) / standard_error, freedom),
            )


def _to_matrices(of_pairs: FloatArray, bots: int, sign: int) -> FloatArray:
    """Return by block, bot and other what is given by block and pair; `sign` applies to the reversed pair."""
    first, second = np.triu_indices(bots, 1)
    matrices = np.zeros((len(of_pairs), bots, bots))
    matrices[:, first, second] = of_pairs
    matrices[:, second, first] = sign * of_pairs
    return matrices


def _statistics(n: FloatArray, s: FloatArray) -> FloatArray:
    return np.stack((np.ones_like(n), n, s, n * n, n * s, s * s), axis=-1)


def _to_sample(sums: FloatArray) -> _Sample:
    blocks, n, s, nn, ns, ss = sums.tolist()
    mean = s / n
    squares = max(ss - 2 * mean * ns + mean * mean * nn, 0.0)
    return _Sample(mean, squares * blocks / (blocks - 1) / n**2, round(blocks))
