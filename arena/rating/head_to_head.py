"""One bot against another, from the score of each block: Elo difference, its interval, who is better."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.rating.elo import elo_from_score
from arena.rating.intervals import CONFIDENCE, MIN_BLOCKS, t_cdf, t_quantile
from arena.rating.pair_counts import FloatArray


@dataclass(frozen=True)
class HeadToHead:
    """Mean score of the first bot over blocks, and what it says.

    `deviation` is the standard deviation of the blocks' scores (virtual squares, if any, included), `error`
    the half width of the interval of `score`; `low` and `high` are its ends in Elo (so not symmetrical about
    `elo`), None where they lie beyond every Elo. `deviation`, `error`, `low`, `high` and `los` are None for
    fewer than 6 blocks or when all blocks score the same; `elo` is None for a score of 0 or 1.
    `los` takes the number of blocks as fixed, and so does the interval unless its confidence is that of
    repeated looks: after a stop by SPRT they are too optimistic.
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
    scores: Sequence[float] | FloatArray, confidence: float = CONFIDENCE, *, virtual_squares: float = 0.0
) -> HeadToHead:
    """What block scores, of which a half means equals, say of two bots.

    `virtual_squares` are added to the squared differences from the mean, for `deviation` and the interval;
    `los` is without them.
    Source: Student's t interval of a mean; its ends in Elo as in fishtest's stat_util.py (get_elo).
    """
    blocks = len(scores)
    if not blocks:
        return HeadToHead(0, None, None, None, None, None, None, None)
    score = math.fsum(scores) / blocks
    seen = float(np.std(scores, ddof=1)) if blocks >= MIN_BLOCKS else 0.0
    if np.ptp(scores) == 0 or not seen:
        return HeadToHead(blocks, score, None, None, elo_from_score(score), None, None, None)
    deviation = math.sqrt(seen**2 + virtual_squares / (blocks - 1))
    error = _half_width(deviation, blocks, confidence)
    return HeadToHead(
        blocks=blocks,
        score=score,
        deviation=deviation,
        error=error,
        elo=elo_from_score(score),
        low=elo_from_score(score - error),
        high=elo_from_score(score + error),
        los=t_cdf((score - 0.5) / seen * math.sqrt(blocks), blocks - 1),
    )


def compute_prior_error(blocks: int, confidence: float, virtual_squares: float) -> float:
    """The half width that the virtual squares alone give: for blocks, two or more, that all went alike."""
    return _half_width(math.sqrt(virtual_squares / (blocks - 1)), blocks, confidence)


def _half_width(deviation: float, blocks: int, confidence: float) -> float:
    return t_quantile((1 + confidence) / 2, blocks - 1) * deviation / math.sqrt(blocks)
