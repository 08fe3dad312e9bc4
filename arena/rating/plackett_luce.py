"""The Plackett–Luce model: the strengths that best explain whole rankings.

The best of a match is chosen with chances in proportion to exp(strength), then the second best of the rest,
and so on. Bots that tie are each chosen from all of their tie and those below (Breslow's approximation). The
model implies the same chances of a pair as Bradley–Terry, but weighs results differently.
Source: R. L. Plackett, The analysis of permutations, Applied Statistics 24, 1975; D. R. Hunter, MM algorithms
for generalized Bradley–Terry models, Ann. Statist. 32, 2004.
"""

from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import make_prior
from arena.rating.pair_counts import FloatArray, IntArray

MAX_STEPS: Final = 2_000
MIN_STEP: Final = 1e-7
"""Change of all strengths that ends the iteration."""


class Rankings(NamedTuple):
    """Matches of one game.

    Attributes:
        cluster: Number of the block of each match, shape (n,).
        bots: Number of the bot in each seat, shape (n, seats).
        placings: Placing of each seat, 1 for the best, shape (n, seats).
    """

    cluster: IntArray
    bots: IntArray
    placings: IntArray

    def select(self, chosen: IntArray) -> "Rankings":
        """Return the matches at some places."""
        return Rankings(*(column[chosen] for column in self))


def fit_plackett_luce(rankings: Rankings, points: FloatArray) -> FloatArray:
    """Return the strengths of all bots, of mean 0.

    Args:
        rankings: The matches.
        points: Square matrix of the points that row took from column in them; each bot has a virtual draw
            with those it met, as for Bradley-Terry.
    """
    size = len(points)
    prior = make_prior(points)
    bots, below, times = _count_choices(rankings, size)
    won = np.bincount(bots[:, 0], times, size) + prior.sum(axis=1)
    worth = np.ones(size)
    for _ in range(MAX_STEPS):
        share = times / (worth[bots] * below).sum(axis=1)
        chosen = np.bincount(bots.ravel(), (below * share[:, None]).ravel(), size)
        chances = chosen + ((prior + prior.T) / (worth[:, None] + worth)).sum(axis=1)
        moved = np.where(chances > 0, won / np.where(chances > 0, chances, 1), 1.0)
        moved /= np.exp(np.log(moved).mean())
        step = float(np.abs(np.log(moved / worth)).max())
        worth = moved
        if step < MIN_STEP:
            break
    strength: FloatArray = np.log(worth)
    return strength


def _count_choices(rankings: Rankings, size: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return each distinct choice: the bots with the chosen one first, who was there, and how many times."""
    if not len(rankings.bots):
        return np.zeros((0, 1), np.int64), np.zeros((0, 1)), np.zeros(0)
    seats = rankings.bots.shape[1]
    rows = []
    for seat in range(seats):
        turned = (np.roll(rankings.bots, -seat, axis=1), np.roll(rankings.placings, -seat, axis=1))
        rows.append(np.hstack((turned[0], turned[1] >= turned[1][:, :1])))
    choices, times = np.unique(np.concatenate(rows), axis=0, return_counts=True)
    is_choice = choices[:, seats:].sum(axis=1) > 1
    choices, times = choices[is_choice], times[is_choice]
    return choices[:, :seats], choices[:, seats:].astype(float), times.astype(float)
