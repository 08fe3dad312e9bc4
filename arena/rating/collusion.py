"""Pairs of bots of which one helps the other against the rest of the table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import compute_residuals
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.model_fit import adjust_holm
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows
from arena.rating.student_t import CONFIDENCE, t_cdf, t_quantile
from arena.rating.two_bots import ELO_PER_UNIT

ZERO_VARIANCE: Final = 1e-18
"""A variance below this is rounding of 0."""
MIN_COLLUSION_BLOCKS: Final = 12
"""Smallest number of blocks with and without each other: a few may happen to go alike."""
NORMAL_MAD: Final = 1.4826
"""Standard deviations per median distance from the mean, of a normal distribution."""


@dataclass(frozen=True)
class Collusion:
    """The advantage that one bot has over another, against all others, when both are at the table.

    It has two parts: the points that the one gains, and those that the other gives away. Both are compared
    with what the ratings predict and with the bot's results at tables without the other. Scores of the two
    against each other do not count.

    Attributes:
        bot: The bot that is favoured.
        helper: The other.
        blocks: Blocks with both.
        gain: Additional points of `bot` per game against others, 0 to 1.
        sacrifice: Points per game against others that `helper` loses.
        advantage: `gain + sacrifice`; not negative.
        error: Half width of its 95 % interval.
        z: Advantage in standard errors, divided by the spread of the field where that is above 1.
        p: Probability of so large an advantage in any of the pairs tested if nobody colluded (Student's t,
            Holm).
    """

    bot: int
    helper: int
    blocks: int
    gain: float
    sacrifice: float
    advantage: float
    error: float
    z: float
    p: float


class _Sample(NamedTuple):
    """A mean residual per game, its variance, and the number of blocks."""

    mean: float
    variance: float
    blocks: int


def detect_collusion(counts: PairCounts, fit: Fit) -> tuple[Collusion, ...]:
    """Return the advantages of all pairs, least `p` first.

    A pair needs at least 12 blocks together, and as many of each bot without the other.

    Honest bots, too, may play a little differently with different neighbours. Therefore the statistics are
    divided by their own spread over all pairs (1.4826 times the median distance from 0), where it is above 1:
    few colluding pairs hardly change it.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.

    Source: Efron 2004, "Large-scale simultaneous hypothesis testing", for a null distribution estimated
    from the field.
    """
    sums = _count_block_sums(counts, fit)
    pairs = list(sums.advantages())
    spread = max(1.0, NORMAL_MAD * float(np.median([pair.z for pair, _ in pairs]))) if pairs else 1.0
    alone = [
        (2 * t_cdf(-pair.z / spread, freedom), replace(pair, z=pair.z / spread)) for pair, freedom in pairs
    ]
    alone.sort(key=lambda suspect: (suspect[0], -suspect[1].advantage, suspect[1].bot, suspect[1].helper))
    p_values = adjust_holm([p for p, _ in alone])
    return tuple(replace(pair, p=p) for (_, pair), p in zip(alone, p_values, strict=True))


def find_colluding_pairs(
    counts: PairCounts, fit: Fit, level: float = 1 - CONFIDENCE
) -> tuple[Collusion, ...]:
    """Return the pairs that collude, the clearest first; `p` is below `level` for each.

    Each pair is tested without the tables of the pairs before it: otherwise a bot that wins where two others
    collude would seem to be helped by one of them. The first step decides whether there are any, so that in
    a share of at most `level` of honest fields one is found.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
        level: Share of honest fields in which a pair may be found, 0 to 1.
    """
    chosen: list[Collusion] = []
    while (pairs := detect_collusion(counts, fit)) and pairs[0].p < level:
        chosen.append(pairs[0])
        counts = counts.without_tables_of([(pairs[0].bot, pairs[0].helper)])
        fit = fit_elo(counts)
    return tuple(chosen)


def _count_block_sums(counts: PairCounts, fit: Fit) -> _BlockSums:
    sums = _BlockSums(len(counts.bots))
    strength = np.array(fit.elo) / ELO_PER_UNIT
    for rows in counts.chunks():
        sums.add(rows, strength)
    return sums


class _BlockSums:
    """Sums of residuals over blocks.

    The last axis holds, of each block, 1, games n, residual s, n², n s and s².
    """

    def __init__(self, bots: int) -> None:
        self._all = np.zeros((bots, 6))
        self._shared = np.zeros((bots, bots, 6))
        """Sums over a bot's blocks with a third at the table, by bot and third."""
        self._with = np.zeros((bots, bots, 6))
        """The same without its games against the third."""
        self._ahead = np.zeros((bots, bots, 6))
        """The same, its residual less that of the third: both against the others at the table."""

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
            games_less, residual_less = n - games[:, :, place], s - residual[:, :, place]
            np.add.at(self._with, pair, _statistics(games_less, residual_less)[:, others])
            ahead = residual_less - (s[:, place, None] - residual[:, place])
            np.add.at(self._ahead, pair, _statistics(games_less, ahead)[:, others])

    def advantages(self) -> Iterator[tuple[Collusion, float]]:
        """Yield each pair with enough blocks, the favoured first, and the degrees of freedom; `p` is 1."""
        without = self._all[:, None] - self._shared
        blocks = np.minimum(self._with[:, :, 0], np.minimum(without[:, :, 0], without[:, :, 0].T))
        enough = blocks >= MIN_COLLUSION_BLOCKS
        for first, other in np.argwhere(np.triu(enough, 1)).tolist():
            ahead = _to_sample(self._ahead[first, other])
            alone, other_alone = _to_sample(without[first, other]), _to_sample(without[other, first])
            variance = ahead.variance + alone.variance + other_alone.variance
            if variance < ZERO_VARIANCE:
                continue
            freedom = variance**2 / sum(
                sample.variance**2 / (sample.blocks - 1) for sample in (ahead, alone, other_alone)
            )
            shift = _to_sample(self._with[first, other]).mean - alone.mean
            other_shift = _to_sample(self._with[other, first]).mean - other_alone.mean
            if shift < other_shift:
                first, other, shift, other_shift = other, first, other_shift, shift
            standard_error = math.sqrt(variance)
            collusion = Collusion(
                bot=first,
                helper=other,
                blocks=ahead.blocks,
                gain=shift,
                sacrifice=-other_shift,
                advantage=shift - other_shift,
                error=t_quantile((1 + CONFIDENCE) / 2, freedom) * standard_error,
                z=(shift - other_shift) / standard_error,
                p=1.0,
            )
            yield collusion, freedom


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
