"""Who came before whom: the placings of many matches, kept as whole numbers.

A match counts once for every pair of its seats, unless one bot holds both. Counts are kept for every
cluster (all matches on the same cards) and pair of bots, sorted by them. So whatever is computed from
a `PairSums`, also in floating point, is the same to the last bit for any order or chunking of the input.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MATCHES_AT_ONCE: Final = 50_000
MEETINGS_AT_ONCE: Final = 400_000  # seat pairs; bounds the memory that counting borrows, to about 50 MB
ROWS_AT_ONCE: Final = 200_000


class PairRows(NamedTuple):
    """Counts of some whole clusters, a row for each cluster and pair of bots that met in it.

    `first` < `second` are bots; `won` and `lost` count matches as `first` sees them, a tie half to each.
    """

    cluster: IntArray
    first: IntArray
    second: IntArray
    won: FloatArray
    lost: FloatArray


class _Counts(NamedTuple):
    """`keys` hold (cluster, first, second), ascending; `points` count two for a win, one for a tie."""

    keys: IntArray
    games: NDArray[np.int32]
    points: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class PairCounts:
    """All that ratings need to know of the matches at tables of `seats` seats.

    `matches` counts by bot, a match once however many seats the bot held in it.
    """

    bots: tuple[str, ...]
    seats: int
    matches: tuple[int, ...]
    _counts: _Counts

    @property
    def weight(self) -> float:
        """Weight of one pair, so that a bot's pairs in a match weigh 1 together."""
        return 1 / (self.seats - 1)

    def chunks(self) -> Iterator[PairRows]:
        """All rows in order, some at a time, never a cluster in two parts."""
        keys, pairs = self._counts.keys, len(self.bots) ** 2
        start = 0
        while start < len(keys):
            last = keys[min(start + ROWS_AT_ONCE, len(keys)) - 1]
            stop = int(np.searchsorted(keys, (last // pairs + 1) * pairs))
            yield self._rows(slice(start, stop))
            start = stop

    def points(self) -> FloatArray:
        """Matrix of the points each bot (row) took from each other (column): 1 a win, a half a tie."""
        size = len(self.bots)
        taken = np.zeros(size * size)  # counts of halves: exact
        for rows in self.chunks():
            taken += np.bincount(rows.first * size + rows.second, rows.won, size * size)
            taken += np.bincount(rows.second * size + rows.first, rows.lost, size * size)
        return taken.reshape(size, size)

    def count_scoring_blocks(self, groups: Sequence[Sequence[int]]) -> IntArray:
        """Matrix of how many clusters there are in which a group (row) took points from another (column)."""
        number = len(groups)
        of_bot = np.zeros(len(self.bots), np.int64)
        for at, group in enumerate(groups):
            of_bot[list(group)] = at
        taken = np.zeros(number * number, np.int64)
        for rows in self.chunks():
            first, second = of_bot[rows.first], of_bot[rows.second]
            for winner, loser, won in ((first, second, rows.won), (second, first, rows.lost)):
                link = winner * number + loser
                clusters = np.unique(rows.cluster[won > 0] * number**2 + link[won > 0])
                taken += np.bincount(clusters % number**2, minlength=number**2)
        return taken.reshape(number, number)

    def find_constant_pairs(self, least: int) -> NDArray[np.bool_]:
        """Matrix of whether two bots met in so many clusters, and scored the same in all of them."""
        size = len(self.bots)
        times, low, high = np.zeros(size**2, np.int64), np.full(size**2, np.inf), np.full(size**2, -np.inf)
        for rows in self.chunks():
            pair, share = rows.first * size + rows.second, rows.won / (rows.won + rows.lost)
            times += np.bincount(pair, minlength=size**2)
            np.minimum.at(low, pair, share)
            np.maximum.at(high, pair, share)
        alike = ((times >= least) & (low == high)).reshape(size, size)
        both: NDArray[np.bool_] = alike | alike.T
        return both

    def block_scores(self, bot: int, other: int) -> FloatArray:
        """Mean score of `bot` against `other` in each cluster where they met, by cluster number."""
        first, second = sorted((bot, other))
        counts = self._counts
        chosen = counts.keys % len(self.bots) ** 2 == first * len(self.bots) + second
        score: FloatArray = counts.points[chosen] / (2 * counts.games[chosen])
        return score if bot == first else 1 - score

    def _rows(self, part: slice) -> PairRows:
        cluster, pair = np.divmod(self._counts.keys[part], len(self.bots) ** 2)
        first, second = np.divmod(pair, len(self.bots))
        won = self._counts.points[part] / 2
        return PairRows(cluster, first, second, won, self._counts.games[part] - won)


class PairCounter:
    """Counts matches chunk by chunk, in any order; memory grows with clusters, not with matches."""

    def __init__(self, bots: Sequence[str], seats: int) -> None:
        """Counts for `bots`, which are numbered in this order from 0, at tables of `seats`.

        Raises: ValueError without a bot, for two bots of one name, or for a table of fewer than two seats.
        """
        if not bots:
            raise ValueError("there must be a bot at least")
        if len(set(bots)) != len(bots):
            raise ValueError(f"bots must have different names: {', '.join(bots)}")
        if seats < 2:
            raise ValueError(f"a table has at least two seats, not {seats}")
        self._bots = tuple(bots)
        self._seats = seats
        self._matches = np.zeros(len(bots), dtype=np.int64)
        self._pieces: list[_Counts] = []

    def add(self, clusters: ArrayLike, bots: ArrayLike, placings: ArrayLike) -> None:
        """Adds matches: `clusters` by match, `bots` (numbers) and `placings` (1 best) by match and seat.

        A cluster's number is any whole number from 0 up to about 9e18 / len(bots)²; its matches may come
        in different chunks. Raises: ValueError if a shape, a bot or a cluster does not fit.
        """
        cluster, bot, placing = (np.asarray(values, dtype=np.int64) for values in (clusters, bots, placings))
        self._check(cluster, bot, placing)
        step = max(1, MEETINGS_AT_ONCE // (self._seats * (self._seats - 1) // 2))
        for start in range(0, len(cluster), step):
            part = slice(start, start + step)
            self._pieces.append(self._counted(cluster[part], bot[part], placing[part]))
            self._matches += _appearances(bot[part], len(self._bots))

    def counts(self) -> PairCounts:
        """The counts so far."""
        pieces, self._pieces = self._pieces, []
        self._pieces.append(_joined(pieces))
        matches = tuple(int(count) for count in self._matches)
        return PairCounts(self._bots, self._seats, matches, self._pieces[0])

    def _check(self, cluster: IntArray, bot: IntArray, placing: IntArray) -> None:
        shape = (len(cluster), self._seats)
        if bot.shape != shape or placing.shape != shape:
            raise ValueError(f"bots {bot.shape} and placings {placing.shape} must both be {shape}")
        if not len(cluster):
            return
        if bot.min() < 0 or bot.max() >= len(self._bots):
            raise ValueError(f"bots are numbered from 0 to {len(self._bots) - 1}")
        highest = np.iinfo(np.int64).max // len(self._bots) ** 2 - 1
        if cluster.min() < 0 or cluster.max() > highest:
            raise ValueError(f"clusters are numbered from 0 to {highest}")

    def _counted(self, cluster: IntArray, bot: IntArray, placing: IntArray) -> _Counts:
        left, right = np.triu_indices(self._seats, 1)
        first = np.minimum(bot[:, left], bot[:, right])
        second = np.maximum(bot[:, left], bot[:, right])
        lead = np.sign(placing[:, right] - placing[:, left])  # of the left seat: 1 won, 0 tied, -1 lost
        points = 1 + np.where(bot[:, left] == first, lead, -lead)
        keys = (cluster[:, None] * len(self._bots) + first) * len(self._bots) + second
        met = first != second
        return _merged(_Counts(keys[met], np.ones(met.sum(), np.int32), points[met].astype(np.int32)))


def count_pairs(
    bots: Sequence[str], seats: int, matches: Iterable[tuple[int, Sequence[int], Sequence[int]]]
) -> PairCounts:
    """Counts matches given one by one as (cluster, bot by seat, placing by seat)."""
    counter = PairCounter(bots, seats)
    stream = iter(matches)
    while chunk := list(islice(stream, MATCHES_AT_ONCE)):
        clusters, bot_by_seat, placing_by_seat = zip(*chunk, strict=True)
        counter.add(clusters, bot_by_seat, placing_by_seat)
    return counter.counts()


def _appearances(bot: IntArray, size: int) -> IntArray:
    """In how many matches each bot sat, one in two seats counted once."""
    by_seat = np.sort(bot, axis=1)
    again = np.zeros(bot.shape, dtype=np.bool_)
    again[:, 1:] = by_seat[:, 1:] == by_seat[:, :-1]
    return np.bincount(by_seat[~again], minlength=size)


def _joined(pieces: list[_Counts]) -> _Counts:
    """The counts of all pieces; empties the list, since both together would be twice as much memory."""
    if not pieces:
        return _Counts(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))
    counts = _Counts(*(np.concatenate(column) for column in zip(*pieces, strict=True)))
    pieces.clear()
    return _merged(counts)


def _merged(counts: _Counts) -> _Counts:
    """The same counts with one row a key, in ascending order of keys."""
    if (counts.keys[1:] > counts.keys[:-1]).all():  # as when a store is read block by block
        return counts
    order = np.argsort(counts.keys, kind="stable")
    keys = counts.keys[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    games = np.add.reduceat(counts.games[order], starts)
    return _Counts(keys[starts], games, np.add.reduceat(counts.points[order], starts))
