"""Deviation ratings: strength against an equilibrium of the field, which copies of a bot do not move.

Bots are taken as the strategies of a game of k seats. A distribution of tables is an equilibrium (coarse
correlated) if nobody gains by replacing the bot of a seat by a certain other. The strictest one makes the
largest gain as small as possible, then the next largest, and so on; the gains are unique, and they are the
ratings. A bot with a rating of 0 is as good as any against that equilibrium; another loses so much there.

A table at which one bot has two seats is hardly ever played, and a clone must count as such a table. So the
payoff of a seat is taken as the mean of its scores against the other seats, which are known from the table of
pairs, and a half against a copy. For such a payoff tensor the expected gain depends on the mean of the seats'
distributions alone, whatever k: with s the scores and y a distribution over bots, the gain of bot a is
Σ y(b) s(a, b) - 1/2.
Source: L. Marris, S. Liu, I. Gemp, G. Piliouras, M. Lanctot, Deviation ratings: a general, clone invariant
rating method, 2025.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import ELO_PER_UNIT, win_probability
from arena.rating.elo_fit import Fit
from arena.rating.mean_intervals import CONFIDENCE, MIN_BLOCKS
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts

DRAWS: Final = 200
"""Bootstrap samples of blocks."""
SEED: Final = 36
"""Seed of the bootstrap, so that a table is always the same."""
SLACKS: Final = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
"""Widths, in points, by which limits are widened in turn until a linear program has a solution."""
TOLERANCE: Final = 1e-7
"""Dual values and gains below this are rounding of 0."""
MAX_CYCLE_BOTS: Final = 20
"""Largest field in which all sets of three bots are tried before a linear program."""


class DeviationRating(NamedTuple):
    """The rating of a bot.

    Attributes:
        bot: Number of the bot.
        gain: Points per pair of seats, -1 to 0, that a seat gains by playing this bot in the equilibrium.
        low: Lower end of its 95 % interval (percentiles of a bootstrap over blocks); None for fewer than 6
            blocks of the bot.
        high: Upper end.
    """

    bot: int
    gain: float
    low: float | None
    high: float | None


def compute_deviation_ratings(
    counts: PairCounts, fit: Fit, draws: int = DRAWS
) -> tuple[DeviationRating, ...]:
    """Return the ratings of all bots that met another, best first, equals by number.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts. Each pair is given one virtual game with the score that the ratings
            predict; pairs that never met have nothing else.
        draws: Number of bootstrap samples; 0 for ratings without intervals.
    """
    bots = [bot for bot in range(len(fit.bots)) if fit.blocks[bot]]
    if not bots:
        return ()
    within = np.ix_(bots, bots)
    strength = np.array(fit.elo) / ELO_PER_UNIT
    predicted = win_probability(strength[:, None] - strength)
    gains = compute_gains(_score(counts.points(), predicted)[within])
    known = {bot for bot in bots if fit.blocks[bot] >= MIN_BLOCKS}
    resampled = _resample(counts, draws if known else 0)
    samples = [compute_gains(_score(points, predicted)[within]) for points in resampled]
    tail = (1 - CONFIDENCE) / 2
    ends = np.quantile(samples, (tail, 1 - tail), axis=0) if samples else None
    ratings = []
    for place, bot in enumerate(bots):
        low, high = ends[:, place].tolist() if ends is not None and bot in known else (None, None)
        ratings.append(DeviationRating(bot, float(gains[place]), low, high))
    return tuple(sorted(ratings, key=lambda rating: -rating.gain))


def compute_gains(scores: FloatArray) -> FloatArray:
    """Return the gain of each bot in the strictest equilibrium: a lexicographic minimum, so it is unique.

    A bot that beats each other is the only equilibrium, and so are three that beat each other in a circle if
    all others lose against their mixture. Else there are linear programs in turn: the largest gain of the
    bots left is minimized, and those with a dual value above 0 have that gain in every solution.

    Args:
        scores: Square matrix of the share that row takes from column, 0 to 1; a half on the diagonal.

    Example:
        >>> rock_paper_scissors = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
        >>> compute_gains(rock_paper_scissors).tolist()
        [0.0, 0.0, 0.0]
        >>> compute_gains(np.array([[0.5, 0.75], [0.25, 0.5]])).tolist()
        [0.0, -0.25]
    """
    size = len(scores)
    winner = int(np.argmax((scores > 0.5).sum(axis=1)))
    if (np.delete(scores[winner], winner) > 0.5 + TOLERANCE).all():  # nothing else is an equilibrium
        return np.asarray(np.round(scores[:, winner] - 0.5, 6) + 0.0)
    if size <= MAX_CYCLE_BOTS and (circular := _find_circular_gains(scores - 0.5)) is not None:
        return circular
    limits, left = np.full(size, np.nan), np.arange(size)
    while len(left):
        gain, duals = _minimize_largest_gain(scores, limits)
        tight = left[np.abs(duals[left]) > TOLERANCE]
        limits[tight if len(tight) else left] = gain
        left = np.flatnonzero(np.isnan(limits))
    rounded: FloatArray = np.round(limits, 6) + 0.0
    return rounded


def _find_circular_gains(leads: FloatArray) -> FloatArray | None:
    """Return the gains against three bots in a circle of wins; None if no three are an equilibrium.

    In their mixture each has the lead of the pair of the two others as its weight, so that none of the three
    gains. If every other bot loses against it, no other mixture lets nobody gain: that would put weight on
    losing bots, or mix the three otherwise, and one of them would gain.

    Args:
        leads: Square matrix of the scores less a half; opposite entries add up to 0.
    """
    first, second, third = np.array(list(combinations(range(len(leads)), 3)), int).reshape(-1, 3).T
    weights = np.stack((leads[second, third], leads[third, first], leads[first, second]))
    is_circle = (weights > TOLERANCE).all(axis=0) | (weights < -TOLERANCE).all(axis=0)
    weights = weights[:, is_circle] / weights[:, is_circle].sum(axis=0)
    trios = np.stack((first, second, third))[:, is_circle]
    gains: FloatArray = np.einsum("bkt,kt->bt", leads[:, trios], weights)
    fits = (gains < -TOLERANCE).sum(axis=0) == len(leads) - 3
    return np.round(gains[:, np.argmax(fits)], 6) + 0.0 if fits.any() else None


def _minimize_largest_gain(scores: FloatArray, limits: FloatArray) -> tuple[float, FloatArray]:
    """Return the least possible largest gain of the bots without a limit, and the dual value of each bot.

    The limits of the others are those of a solution, but rounding can leave no point within all of them; then
    they are widened a little, as far as it takes.
    """
    from scipy.optimize import linprog

    size, is_left = len(scores), np.isnan(limits)
    for slack in SLACKS:
        solution = linprog(
            np.append(np.zeros(size), 1.0),
            A_ub=np.column_stack((scores - 0.5, -is_left.astype(float))),
            b_ub=np.where(is_left, 0.0, limits + slack),
            A_eq=np.append(np.ones(size), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0.0, None)] * size + [(None, None)],
            method="highs-ds",
        )
        if solution.fun is not None and solution.status == 0:
            return float(solution.fun), np.asarray(solution.ineqlin.marginals)
    return float(np.nanmin(limits)), np.zeros(size)  # each bot without a limit gets the least one so far


def _score(points: FloatArray, predicted: FloatArray) -> FloatArray:
    """Return the share that row takes from column, with one virtual game of each pair."""
    score: FloatArray = (points + predicted) / (points + points.T + 1)
    np.fill_diagonal(score, 0.5)
    return score


def _resample(counts: PairCounts, draws: int) -> Sequence[FloatArray]:
    """Return the points of samples of as many blocks, drawn with replacement."""
    size = len(counts.bots)
    rng = np.random.default_rng(SEED)
    chunks = list(counts.chunks())
    clusters = sum(len(np.unique(rows.cluster)) for rows in chunks)
    samples = []
    for _ in range(draws):
        times = np.bincount(rng.integers(clusters, size=clusters), minlength=clusters)
        points, start = np.zeros(size**2), 0
        for rows in chunks:
            place: IntArray = start + np.cumsum(np.diff(rows.cluster, prepend=rows.cluster[0]) > 0)
            start = int(place[-1]) + 1
            points += np.bincount(rows.first * size + rows.second, rows.won * times[place], size**2)
            points += np.bincount(rows.second * size + rows.first, rows.lost * times[place], size**2)
        samples.append(points.reshape(size, size))
    return samples
