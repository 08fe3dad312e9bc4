"""Placings counted by pair of bots: who finished ahead of whom in each block, and which bots met."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

# --- counts ---
# A match counts once for every pair of its seats, unless one bot holds both. Counts are integers, kept for
# every cluster (all matches on the same cards) and pair of bots, sorted by them. So whatever is computed from
# them, also in floating point, is the same to the last bit for any order or chunking of the input.

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MATCHES_PER_CHUNK: Final = 50_000
SEAT_PAIRS_PER_CHUNK: Final = 100_000  # bounds the memory of counting, to about 12 MB
ROWS_PER_CHUNK: Final = 50_000  # bounds that of a fit, about 200 bytes a row


class PairRows(NamedTuple):
    """Counts of some whole clusters, one row for each cluster and pair of bots that met in it.

    Attributes:
        cluster: Number of the cluster.
        first: The bot with the lower number.
        second: The other bot.
        won: Points of `first`: 1 for a win, a half for a tie.
        lost: Points of `second`.
    """

    cluster: IntArray
    first: IntArray
    second: IntArray
    won: FloatArray
    lost: FloatArray


class _Counts(NamedTuple):
    """Keys combine (cluster, first, second) and ascend; `points` count two for a win, one for a tie."""

    keys: IntArray
    games: IntArray
    points: IntArray


_NOTHING: Final = _Counts(*(np.empty(0, np.int64) for _ in range(3)))


class _Piece(NamedTuple):
    """Counts of whole clusters in as few bytes as they take: five a row where two of few bots met."""

    start: int
    """The first cluster."""
    stop: int
    """One more than the last cluster."""
    clusters: NDArray[np.unsignedinteger]
    """Cluster of each row, counted from `start`."""
    pairs: NDArray[np.unsignedinteger]
    """Pair of each row, as `first` · bots + `second`."""
    games: NDArray[np.unsignedinteger]
    points: NDArray[np.unsignedinteger]

    def unpack(self, pairs: int) -> _Counts:
        """Return the counts, given the number of all pairs."""
        keys = (self.clusters.astype(np.int64) + self.start) * pairs + self.pairs
        return _Counts(keys, self.games.astype(np.int64), self.points.astype(np.int64))


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counts of the matches of one variant at one number of seats, for ratings.

    Attributes:
        bots: Names.
        seats: Number of seats at a table.
        matches: Matches by bot; a match counts once however many seats the bot held.
    """

    bots: tuple[str, ...]
    seats: int
    matches: tuple[int, ...]
    _pieces: tuple[_Piece, ...]

    @property
    def weight(self) -> float:
        """Weight of one pair: 1 / (seats - 1), so that a bot's pairs in a match weigh 1 together."""
        return 1 / (self.seats - 1)

    def chunks(self) -> Iterator[PairRows]:
        """Yield all rows in order, in chunks of whole clusters."""
        pairs = len(self.bots) ** 2
        rest = _NOTHING
        for piece in self._pieces:
            rest = _concatenate((rest, piece.unpack(pairs)))
            while len(rest.keys) >= ROWS_PER_CHUNK:
                last = rest.keys[ROWS_PER_CHUNK - 1]
                stop = int(np.searchsorted(rest.keys, (last // pairs + 1) * pairs))
                yield self._rows(_Counts(*(column[:stop] for column in rest)))
                rest = _Counts(*(column[stop:] for column in rest))
        if len(rest.keys):
            yield self._rows(rest)

    def points(self) -> FloatArray:
        """Return the square matrix of the points that each bot (row) took from each other (column)."""
        size = len(self.bots)
        taken = np.zeros(size * size)  # counts of halves: exact
        for rows in self.chunks():
            taken += np.bincount(rows.first * size + rows.second, rows.won, size * size)
            taken += np.bincount(rows.second * size + rows.first, rows.lost, size * size)
        return taken.reshape(size, size)

    def count_scoring_blocks(self, groups: Sequence[Sequence[int]]) -> IntArray:
        """Return the matrix of the clusters in which a group (row) took points from another (column)."""
        number = len(groups)
        of_bot = np.zeros(len(self.bots), np.int64)
        for at, group in enumerate(groups):
            of_bot[list(group)] = at
        taken = np.zeros(number * number, np.int64)
        for rows in self.chunks():
            first, second = of_bot[rows.first], of_bot[rows.second]
            for winner, loser, won in ((first, second, rows.won), (second, first, rows.lost)):
                link = winner * number + loser
                keys = rows.cluster[won > 0] * number**2 + link[won > 0]
                clusters, _ = np.unique(keys, return_counts=True)  # without, numpy imports masked arrays
                taken += np.bincount(clusters % number**2, minlength=number**2)
        return taken.reshape(number, number)

    def count_blocks_across(self, places: IntArray, cuts: IntArray) -> IntArray:
        """Return in how many clusters a bot below each cut took points from one above it.

        Args:
            places: Place of each bot in some order, from 0.
            cuts: Numbers of bots above each cut.
        """
        blocks = np.zeros(len(cuts), np.int64)
        for rows in self.chunks():
            first, second = places[rows.first], places[rows.second]
            above = np.minimum(first, second)
            below = np.where(np.where(first > second, rows.won, rows.lost) > 0, np.maximum(first, second), 0)
            for number, cut in enumerate(cuts.tolist()):
                upset = rows.cluster[(above < cut) & (cut <= below)]
                blocks[number] += np.count_nonzero(np.diff(upset)) + (len(upset) > 0)
        return blocks

    def find_constant_pairs(self, min_clusters: int) -> NDArray[np.bool_]:
        """Return the matrix of whether two bots met in a number of clusters, and scored the same in all."""
        size = len(self.bots)
        times, low, high = np.zeros(size**2, np.int64), np.full(size**2, np.inf), np.full(size**2, -np.inf)
        for rows in self.chunks():
            pair, share = rows.first * size + rows.second, rows.won / (rows.won + rows.lost)
            times += np.bincount(pair, minlength=size**2)
            np.minimum.at(low, pair, share)
            np.maximum.at(high, pair, share)
        constant = ((times >= min_clusters) & (low == high)).reshape(size, size)
        both_ways: NDArray[np.bool_] = constant | constant.T
        return both_ways

    def without_tables_of(self, pairs: Iterable[tuple[int, int]]) -> "PairCounts":
        """Return the counts of the clusters in which no two bots of `pairs` met.

        `matches` is then exact where no bot has two seats at a table, and otherwise at least as large.
        """
        size = len(self.bots)
        dropped = [min(pair) * size + max(pair) for pair in pairs]
        pieces, games = [], np.zeros(size, np.int64)
        for piece in self._pieces:
            kept = ~np.isin(piece.clusters, piece.clusters[np.isin(piece.pairs, dropped)])
            left = _Piece(piece.start, piece.stop, *(column[kept] for column in piece[2:]))
            pieces.append(left)
            for bot in np.divmod(left.pairs, size):
                np.add.at(games, bot, left.games)
        matches = np.ceil(games / (self.seats - 1)).astype(int).tolist()
        return PairCounts(self.bots, self.seats, tuple(matches), tuple(pieces))

    def _rows(self, counts: _Counts) -> PairRows:
        cluster, pair = np.divmod(counts.keys, len(self.bots) ** 2)
        first, second = np.divmod(pair, len(self.bots))
        won = counts.points / 2
        return PairRows(cluster, first, second, won, counts.games - won)


class PairCounter:
    """Counts matches chunk by chunk, in any order; memory grows with clusters, not with matches.

    Example:
        >>> counter = PairCounter(["a", "b"], seats=2)
        >>> counter.add(clusters=[0, 0], bots=[[0, 1], [1, 0]], placings=[[1, 2], [1, 1]])
        >>> counter.counts().points().tolist()
        [[0.0, 1.5], [0.5, 0.0]]
    """

    def __init__(self, bots: Sequence[str], seats: int) -> None:
        """Start without matches.

        Args:
            bots: Names; bots are numbered in this order from 0.
            seats: Number of seats at a table.

        Raises:
            ValueError: `bots` is empty, two bots have one name, or a table has fewer than two seats.
        """
        if not bots:
            raise ValueError("there must be at least one bot")
        if len(set(bots)) != len(bots):
            raise ValueError(f"bots must have different names: {', '.join(bots)}")
        if seats < 2:
            raise ValueError(f"a table has at least two seats, not {seats}")
        self._bots = tuple(bots)
        self._seats = seats
        self._matches = np.zeros(len(bots), dtype=np.int64)
        self._pieces: list[_Piece] = []

    def add(self, clusters: ArrayLike, bots: ArrayLike, placings: ArrayLike) -> None:
        """Add n matches.

        Args:
            clusters: Number of each match's cluster, shape (n,), from 0 to about 9e18 / len(bots)²; the
                matches of a cluster may come in different calls.
            bots: Number of the bot in each seat, shape (n, seats).
            placings: Placing of each seat, 1 for the best, shape (n, seats).

        Raises:
            ValueError: A shape, a bot or a cluster does not fit.
        """
        cluster, bot, placing = (np.asarray(values, dtype=np.int64) for values in (clusters, bots, placings))
        self._check(cluster, bot, placing)
        step = max(1, SEAT_PAIRS_PER_CHUNK // (self._seats * (self._seats - 1) // 2))
        for start in range(0, len(cluster), step):
            part = slice(start, start + step)
            self._pieces.append(self._count(cluster[part], bot[part], placing[part]))
            self._matches += _count_matches(bot[part], len(self._bots))

    def counts(self) -> PairCounts:
        """Return the counts so far."""
        self._pieces = _join(self._pieces, len(self._bots) ** 2)
        return PairCounts(self._bots, self._seats, tuple(self._matches.tolist()), tuple(self._pieces))

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

    def _count(self, cluster: IntArray, bot: IntArray, placing: IntArray) -> _Piece:
        left, right = np.triu_indices(self._seats, 1)
        first = np.minimum(bot[:, left], bot[:, right])
        second = np.maximum(bot[:, left], bot[:, right])
        lead = np.sign(placing[:, right] - placing[:, left])  # of the left seat: 1 won, 0 tied, -1 lost
        points = 1 + np.where(bot[:, left] == first, lead, -lead)
        keys = (cluster[:, None] * len(self._bots) + first) * len(self._bots) + second
        met = first != second
        counts = _Counts(keys[met], np.ones(met.sum(), np.int64), points[met])
        return _pack(_merge(counts), len(self._bots) ** 2)


def count_pairs(
    bots: Sequence[str], seats: int, matches: Iterable[tuple[int, Sequence[int], Sequence[int]]]
) -> PairCounts:
    """Count matches given one by one.

    Args:
        bots: Names; bots are numbered in this order from 0.
        seats: Number of seats at a table.
        matches: (cluster, number of the bot by seat, placing by seat) of each match.
    """
    counter = PairCounter(bots, seats)
    stream = iter(matches)
    while chunk := list(islice(stream, MATCHES_PER_CHUNK)):
        clusters, bot_by_seat, placing_by_seat = zip(*chunk, strict=True)
        counter.add(clusters, bot_by_seat, placing_by_seat)
    return counter.counts()


def _count_matches(bot: IntArray, size: int) -> IntArray:
    """Return the number of matches of each bot; one in two seats counts once."""
    by_seat = np.sort(bot, axis=1)
    again = np.zeros(bot.shape, dtype=np.bool_)
    again[:, 1:] = by_seat[:, 1:] == by_seat[:, :-1]
    return np.bincount(by_seat[~again], minlength=size)


def _pack(counts: _Counts, pairs: int) -> _Piece:
    if not len(counts.keys):
        return _Piece(0, 0, *(np.zeros(0, np.uint8) for _ in range(4)))
    clusters, pair = np.divmod(counts.keys, pairs)
    start, last = int(clusters[0]), int(clusters[-1])
    columns = (clusters - start, pair, counts.games, counts.points)
    return _Piece(start, last + 1, *(column.astype(np.min_scalar_type(column.max())) for column in columns))


def _join(pieces: Iterable[_Piece], pairs: int) -> list[_Piece]:
    """Return the pieces in ascending order, those that share clusters merged."""
    overlapping: list[list[_Piece]] = []
    stop = 0
    for piece in sorted(pieces, key=lambda piece: piece.start):
        if piece.start < stop:
            overlapping[-1].append(piece)
        elif piece.stop:
            overlapping.append([piece])
        stop = max(stop, piece.stop)
    return [
        _pack(_merge(_concatenate([piece.unpack(pairs) for piece in group])), pairs)
        if group[1:]
        else group[0]
        for group in overlapping
    ]


def _concatenate(counts: Sequence[_Counts]) -> _Counts:
    return _Counts(*(np.concatenate(column) for column in zip(*counts, strict=True)))


def _merge(counts: _Counts) -> _Counts:
    """Return the same counts with one row per key, in ascending order of keys."""
    if (counts.keys[1:] > counts.keys[:-1]).all():  # as when a store is read block by block
        return counts
    order = np.argsort(counts.keys, kind="stable")
    keys = counts.keys[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    games = np.add.reduceat(counts.games[order], starts)
    return _Counts(keys[starts], games, np.add.reduceat(counts.points[order], starts))


# --- connectivity ---
# Which bots can be compared at all, from the graph of who took points from whom.

Links = NDArray[np.bool_]
Groups = tuple[tuple[int, ...], ...]


def find_connected_groups(points: FloatArray) -> Groups:
    """Return the groups of bots that met, directly or through others; nothing is known between two of them.

    Args:
        points: Square matrix of the points that row took from column.

    Returns:
        Groups of bot numbers, the largest first, then by first member.

    Example:
        >>> import numpy as np
        >>> find_connected_groups(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
        ((0, 1), (2,))
    """
    links = points > 0
    return _find_components(links | links.T)


def find_comparable_groups(points: FloatArray) -> Groups:
    """Return the groups in which every bot both took points from every other and lost some to it.

    It may do so through others. Only within such a group is a difference of ratings finite without a prior:
    of two groups that met, one won every point. Arguments and order are those of `find_connected_groups`.
    Source: L. R. Ford, Solution of a ranking problem from binary comparisons, Amer. Math. Monthly 64, 1957.
    """
    return _find_components(points > 0)


def is_reachable(links: Links, start: int, end: int) -> bool:
    """Return whether a path leads from one node of a directed graph to another."""
    return end in _search_depth_first(links, start, np.ones(len(links), np.bool_))


def _find_components(links: Links) -> Groups:
    """Return the groups within which paths lead from every node to every other.

    scipy does this too, but importing its graphs takes more time and memory than rating most fields.
    Source: M. Sharir, A strong-connectivity algorithm, Computers & Mathematics with Applications 7, 1981.
    """
    left, finished = np.ones(len(links), np.bool_), list[int]()
    while left.any():
        finished += _search_depth_first(links, int(left.argmax()), left)
    left, backwards = np.ones(len(links), np.bool_), np.ascontiguousarray(links.T)
    groups = [
        tuple(sorted(_search_depth_first(backwards, node, left))) for node in reversed(finished) if left[node]
    ]
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))


def _search_depth_first(links: Links, start: int, left: Links) -> list[int]:
    """Return the nodes that paths within `left` lead to, each after those it leads to; they leave `left`."""
    path, finished = [start], []
    left[start] = False
    while path:
        following = links[path[-1]] & left
        node = int(following.argmax())
        if following[node]:
            left[node] = False
            path.append(node)
        else:
            finished.append(path.pop())
    return finished
