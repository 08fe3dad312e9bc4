"""Compare two bots by their block scores, and all pairs by their shares of points; no rating is involved."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import ELO_PER_UNIT, elo_from_score
from arena.rating.mean_intervals import CONFIDENCE, MIN_BLOCKS, t_cdf, t_half_width, t_quantile
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.sprt import VIRTUAL_SQUARES

LOST_CUBE: Final = 0.125
"""Cubed deviation of a block that is lost as a whole, for losses that are rare and not seen yet."""


@dataclass(frozen=True)
class HeadToHead:
    """The mean score of one bot against another over blocks, and the Elo difference it means.

    Attributes:
        blocks: Number of blocks.
        score: Mean score, 0 to 1; None without blocks.
        deviation: Standard deviation of the block scores, with virtual squares and skewness. None,
            like `error`, `low`, `high` and `los`, for fewer than 6 blocks or when all blocks score the same.
        error: Half width of the interval of `score`.
        elo: Elo difference; None for a score of 0 or 1.
        low: Lower end of the interval in Elo, not symmetrical about `elo`; None if unbounded.
        high: Upper end of the interval in Elo; None if unbounded.
        los: Likelihood of superiority, 0 to 1, read from the interval: where one half is an end of it 97.5 %
            or 2.5 %, or as `nominal` says. Both take the number of blocks as fixed unless the confidence is
            adjusted for repeated looks: after a stop by SPRT both are too optimistic.
    """

    blocks: int
    score: float | None
    deviation: float | None
    error: float | None
    elo: float | None
    low: float | None
    high: float | None
    los: float | None


def compare_block_scores(
    scores: Sequence[float] | FloatArray,
    confidence: float = CONFIDENCE,
    *,
    virtual_squares: float = 0.0,
    is_skewed: bool = False,
    nominal: float = CONFIDENCE,
) -> HeadToHead:
    """Return what block scores say of two bots.

    Args:
        scores: Score of the first bot in each block, 0 to 1; a half means equal.
        confidence: Confidence of the interval, 0 to 1.
        virtual_squares: Added to the sum of squared differences from the mean.
        is_skewed: Whether the error must not assume that scores are symmetrical. It then reaches from the
            score to the end of the interval towards one half, which is moved by the third moment of the
            scores and of one block that is lost as a whole, or won by the worse bot.
        nominal: Confidence with which the intervals of all looks hold together, at which LOS is read.

    Source: Student's t interval of a mean; its ends in Elo as in fishtest's stat_util.py (get_elo).

    Example:
        >>> result = compare_block_scores([0.5, 0.75, 0.5, 1.0, 0.75, 0.5, 0.75, 0.5])
        >>> round(result.score, 3), round(result.elo), round(result.los, 3)
        (0.656, 112, 0.975)
    """
    blocks = len(scores)
    if not blocks:
        return HeadToHead(0, None, None, None, None, None, None, None)
    score = math.fsum(scores) / blocks
    seen = float(np.std(scores, ddof=1)) if blocks >= MIN_BLOCKS else 0.0
    if np.ptp(scores) == 0 or not seen:
        return HeadToHead(blocks, score, None, None, elo_from_score(score), None, None, None)
    deviation = math.sqrt(seen**2 + virtual_squares / (blocks - 1))
    if is_skewed:
        cubes = float(((np.asarray(scores) - score) ** 3).sum())
        towards_half = abs(cubes) if score == 0.5 else cubes if score < 0.5 else -cubes
        deviation = _widen(deviation, towards_half, blocks, confidence)
    error = _half_width(deviation, blocks, confidence)
    return HeadToHead(
        blocks=blocks,
        score=score,
        deviation=deviation,
        error=error,
        elo=elo_from_score(score),
        low=elo_from_score(score - error),
        high=elo_from_score(score + error),
        los=t_cdf(t_quantile((1 + nominal) / 2, blocks - 1) * (score - 0.5) / error, blocks - 1),
    )


def compute_elo_bounds(result: HeadToHead) -> tuple[float | None, float | None]:
    """Return the ends of the 95 % interval of a result in Elo, also where all blocks score the same.

    Args:
        result: A score over blocks, its interval one of 95 %.

    Returns:
        The lower and the upper end, each None if it is unbounded; both are for fewer than 6 blocks. Where all
        blocks score the same, the interval is that of the virtual squares alone, see `compute_prior_error`.
    """
    if result.score is None or result.blocks < MIN_BLOCKS:
        return None, None
    error = result.error
    if error is None:
        error = compute_prior_error(result.blocks, CONFIDENCE, VIRTUAL_SQUARES)
    return elo_from_score(result.score - error), elo_from_score(result.score + error)


class EloEstimate(NamedTuple):
    """An Elo difference with its 95 % interval.

    Attributes:
        elo: The difference; None without blocks, and for a score of 0 or 1.
        error: Half width of the interval; None for fewer than 6 blocks, and where all blocks score the same.
        low: Lower end of the interval; None if it is unbounded, and for fewer than 6 blocks.
        high: Upper end of the interval, None as `low`.
    """

    elo: float | None
    error: float | None
    low: float | None
    high: float | None


def estimate_block_elo(scores: Sequence[float]) -> EloEstimate:
    """Return the Elo difference that block scores mean, with an interval symmetrical in Elo.

    For a number of blocks fixed in advance. With scores near 0 or 1 in few blocks it holds more often than
    an interval of the mean score whose ends are converted: the scale in Elo has no ends.

    Args:
        scores: Score in each block, 0 to 1; a half means equal.

    Returns:
        The difference, its error t · standard error of the score · 400 / ln 10 / (score · (1 - score)), and
        the interval. Where all blocks score the same that is the one of `compute_elo_bounds`.

    Source: delta method on the logit scale: L. D. Brown, T. T. Cai, A. DasGupta, Interval estimation for a
    binomial proportion, Statistical Science 16, 2001, section 4.

    Example:
        >>> estimate = estimate_block_elo([0.5, 0.75, 0.5, 1.0, 0.75, 0.5, 0.75, 0.5])
        >>> round(estimate.elo), round(estimate.error)
        (112, 120)
    """
    result = compare_block_scores(scores)
    if result.score is None or result.elo is None or result.error is None:
        return EloEstimate(result.elo, None, *compute_elo_bounds(result))
    error = ELO_PER_UNIT * result.error / (result.score * (1 - result.score))
    return EloEstimate(result.elo, error, result.elo - error, result.elo + error)


def is_decided(
    result: HeadToHead, confidence: float, virtual_squares: float, *, is_skewed: bool = False
) -> bool:
    """Return whether the interval of a score excludes one half.

    Where no block differs from the others, the interval is that of the virtual squares alone. Never with
    fewer than 6 blocks.

    Args:
        result: The score, its interval made with the same confidence and virtual squares.
        confidence: Confidence of the interval, 0 to 1.
        virtual_squares: As in `compare_block_scores`.
        is_skewed: As there.
    """
    if result.score is None or result.blocks < MIN_BLOCKS:
        return False
    error = result.error
    if error is None:
        error = compute_prior_error(result.blocks, confidence, virtual_squares, is_skewed=is_skewed)
    return abs(result.score - 0.5) > error


def compute_prior_error(
    blocks: int, confidence: float, virtual_squares: float, *, is_skewed: bool = False
) -> float:
    """Return the half width that the virtual squares alone give, for two or more blocks of equal score."""
    deviation = math.sqrt(virtual_squares / (blocks - 1))
    if is_skewed and deviation:
        deviation = _widen(deviation, 0.0, blocks, confidence)
    return _half_width(deviation, blocks, confidence)


def _widen(deviation: float, cubes: float, blocks: int, confidence: float) -> float:
    """Return the deviation that gives the error of scores that are not symmetrical.

    Args:
        deviation: Standard deviation of the block scores.
        cubes: Sum of the cubed differences of the scores from their mean, towards one half.
        blocks: Number of blocks.
        confidence: Confidence of the interval, above 0 and below 1.

    Source: N. J. Johnson, Modified t tests and confidence intervals for asymmetrical populations, J. Amer.
    Statist. Assoc. 73, 1978.
    """
    quantile = t_quantile((1 + confidence) / 2, blocks - 1)
    third = max(cubes + LOST_CUBE, 0.0) / blocks
    return deviation + (1 + 2 * quantile**2) * third / (6 * deviation**2 * quantile * math.sqrt(blocks))


def _half_width(deviation: float, blocks: int, confidence: float) -> float:
    return t_quantile((1 + confidence) / 2, blocks - 1) * deviation / math.sqrt(blocks)


@dataclass(frozen=True)
class PairScore:
    """The score of `bot` against `other`, at whatever tables they shared.

    Attributes:
        bot: Number of the bot.
        other: Number of its opponent.
        blocks: Blocks in which they met.
        score: Share of its games against `other` that it won, ties a half; a match counts one game for each
            pair of their seats.
        error: Half width of the 95 % interval; None for fewer than 6 blocks, or where blocks do not differ.
    """

    bot: int
    other: int
    blocks: int
    score: float
    error: float | None


def compute_pair_scores(counts: PairCounts) -> tuple[PairScore, ...]:
    """Return the score of every pair that met, both ways round, by bot and other."""
    size = len(counts.bots)
    blocks = np.zeros(size * size, np.int64)
    # In a block n games and w points: counts of halves, so all sums are exact.
    n, w, nn, nw, ww = (np.zeros(size * size) for _ in range(5))
    for rows in counts.chunks():
        games = rows.won + rows.lost
        for pair, won in (
            (rows.first * size + rows.second, rows.won),
            (rows.second * size + rows.first, rows.lost),
        ):
            blocks += np.bincount(pair, minlength=size * size)
            for kept, more in ((n, games), (w, won), (nn, games**2), (nw, games * won), (ww, won**2)):
                kept += np.bincount(pair, more, size * size)
    met = np.flatnonzero(blocks)
    score = w[met] / n[met]
    squares = np.maximum(ww[met] - 2 * score * nw[met] + score**2 * nn[met], 0)
    played = blocks[met]
    standard_error = np.sqrt(squares * played / np.maximum(played - 1, 1)) / n[met]
    return tuple(
        PairScore(pair // size, pair % size, number, share, _pair_error(deviation, number))
        for pair, number, share, deviation in zip(
            met.tolist(), played.tolist(), score.tolist(), standard_error.tolist(), strict=True
        )
    )


def _pair_error(standard_error: float, blocks: int) -> float | None:
    if blocks < MIN_BLOCKS or standard_error < 1e-9:  # less is what rounding leaves of 0
        return None
    return t_half_width(standard_error, blocks)
