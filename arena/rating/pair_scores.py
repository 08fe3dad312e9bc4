"""What the bots of each pair did to each other, as it was played: no model, no rating."""

from dataclasses import dataclass

import numpy as np

from arena.rating.intervals import CONFIDENCE, MIN_BLOCKS, t_quantile
from arena.rating.pair_counts import PairCounts


@dataclass(frozen=True)
class PairScore:
    """How `bot` did against `other`, at whatever tables they shared.

    `score` is the share of its games against the other that it won, ties a half, a match counting one game
    for each pair of their seats; `error` is the half width of its 95 % interval, None for fewer than 6 blocks
    or where none differs from the others.
    """

    bot: int
    other: int
    blocks: int
    score: float
    error: float | None


def compute_pair_scores(sums: PairCounts) -> tuple[PairScore, ...]:
    """Every pair that met, both ways round, by bot and other."""
    size = len(sums.bots)
    blocks = np.zeros(size * size, np.int64)
    # In a block n games and w points: counts of halves, so all sums are exact.
    n, w, nn, nw, ww = (np.zeros(size * size) for _ in range(5))
    for rows in sums.chunks():
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
        PairScore(pair // size, pair % size, number, share, _half_width(one, number))
        for pair, number, share, one in zip(
            met.tolist(), played.tolist(), score.tolist(), standard_error.tolist(), strict=True
        )
    )


def _half_width(standard_error: float, blocks: int) -> float | None:
    if blocks < MIN_BLOCKS or standard_error < 1e-9:  # less is what rounding leaves of nought
        return None
    return t_quantile((1 + CONFIDENCE) / 2, blocks - 1) * standard_error
