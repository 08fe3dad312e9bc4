"""How much it matters to a bot that a certain third one sits at the table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from arena.rating.elo import ELO_PER_UNIT, Fit, compute_residuals
from arena.rating.intervals import CONFIDENCE, MIN_BLOCKS, t_cdf, t_quantile
from arena.rating.intransitivity import adjust_holm
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows

NOTHING: Final = 1e-18
"""A variance below this is the rounding of one that is nought."""


@dataclass(frozen=True)
class ThirdPartyEffect:
    """How far `bot` does better against the others while `third` sits at the table than while it does not.

    Better than its rating and theirs let expect, that is: a table with a strong third is no different for
    that. Scores against the third itself do not count. `shift` is in shares of a point a game, `error` the
    half width of its 95 % interval, `p` the chance of so large a shift in any of the pairs looked at, if no
    third mattered (Welch's t on the two kinds of blocks, Holm).
    """

    bot: int
    third: int
    blocks_with: int
    blocks_without: int
    shift: float
    error: float
    p: float


def estimate_third_party_effects(sums: PairCounts, fit: Fit) -> tuple[ThirdPartyEffect, ...]:
    """All pairs of a bot and a third with at least 6 blocks both with it and without; least `p` first.

    There are none where all tables have the same bots, or two seats.
    """
    totals = _Totals(len(sums.bots))
    strength = np.array(fit.elo) / ELO_PER_UNIT
    for rows in sums.chunks():
        totals.add(rows, strength)
    found = sorted(totals.shifts(), key=lambda one: (one.p, -abs(one.shift), one.bot, one.third))
    chances = adjust_holm([one.p for one in found])
    return tuple(replace(one, p=chance) for one, chance in zip(found, chances, strict=True))


class _Sample(NamedTuple):
    """A mean surplus a game, its variance, and the blocks it is from."""

    mean: float
    variance: float
    blocks: int


class _Totals:
    """Sums over blocks of what bots took beyond expectation.

    The last axis holds, of each block, 1, games n, surplus s, n², n s and s².
    """

    def __init__(self, bots: int) -> None:
        self._all = np.zeros((bots, 6))
        self._shared = np.zeros((bots, bots, 6))
        """By bot and third: the bot's blocks with the third at the table, all its games in them."""
        self._with = np.zeros((bots, bots, 6))
        """The same without its games against the third."""

    def add(self, rows: PairRows, strength: FloatArray) -> None:
        """Counts blocks at tables where all met, those of as many bots together."""
        surplus, games = compute_residuals(rows, strength), rows.won + rows.lost
        _, starts, pairs = np.unique(rows.cluster, return_index=True, return_counts=True)
        for count in np.unique(pairs).tolist():
            bots = (1 + math.isqrt(1 + 8 * count)) // 2
            if bots > 2 and bots * (bots - 1) // 2 == count:
                at = starts[pairs == count, None] + np.arange(count)
                member = np.concatenate((rows.first[at[:, :1]], rows.second[at[:, : bots - 1]]), axis=1)
                self._count(member, _square(games[at], bots, 1), _square(surplus[at], bots, -1))

    def _count(self, member: IntArray, games: FloatArray, surplus: FloatArray) -> None:
        """Counts blocks given their bots and, by bot and other, games and surplus."""
        n, s = games.sum(axis=2), surplus.sum(axis=2)
        np.add.at(self._all, member, _statistics(n, s))
        for place in range(member.shape[1]):
            others = np.arange(member.shape[1]) != place
            pair = member[:, others], member[:, place, None]
            np.add.at(self._shared, pair, _statistics(n, s)[:, others])
            less = _statistics(n - games[:, :, place], s - surplus[:, :, place])
            np.add.at(self._with, pair, less[:, others])

    def shifts(self) -> Iterator[ThirdPartyEffect]:
        """Each bot with each third there are blocks enough for; `p` is that of the pair alone."""
        without = self._all[:, None] - self._shared
        for bot, third in np.argwhere(np.minimum(self._with, without)[:, :, 0] >= MIN_BLOCKS).tolist():
            here, gone = _sample(self._with[bot, third]), _sample(without[bot, third])
            variance = here.variance + gone.variance
            if bot == third or variance < NOTHING:
                continue
            squares = here.variance**2 / (here.blocks - 1) + gone.variance**2 / (gone.blocks - 1)
            freedom = variance**2 / squares  # Welch and Satterthwaite's
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


def _square(of_pairs: FloatArray, bots: int, sign: int) -> FloatArray:
    """By block, bot and other what is given by block and pair; `sign` is for the pair seen from behind."""
    first, second = np.triu_indices(bots, 1)
    square = np.zeros((len(of_pairs), bots, bots))
    square[:, first, second] = of_pairs
    square[:, second, first] = sign * of_pairs
    return square


def _statistics(n: FloatArray, s: FloatArray) -> FloatArray:
    return np.stack((np.ones_like(n), n, s, n * n, n * s, s * s), axis=-1)


def _sample(sums: FloatArray) -> _Sample:
    blocks, n, s, nn, ns, ss = sums.tolist()
    mean = s / n
    squares = max(ss - 2 * mean * ns + mean * mean * nn, 0.0)
    return _Sample(mean, squares * blocks / (blocks - 1) / n**2, round(blocks))
