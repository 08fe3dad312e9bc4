"""Which bots sit together: every table there is, or a chosen number of them that is fair to all pairs."""

from collections import Counter
from collections.abc import Sequence
from math import comb
from random import Random

import numpy as np
from numpy.typing import NDArray

Table = tuple[str, ...]


class EveryTable:
    """Each table of `size` of these bots once, in alphabetical order and none of them kept in memory."""

    def __init__(self, bots: Sequence[str], size: int) -> None:
        self._bots = sorted(bots)
        self._size = size

    def __len__(self) -> int:
        return comb(len(self._bots), self._size)

    def meeting(self, place: int, repetition: int) -> tuple[Table, int]:
        """The table at a place, and how often it has met before."""
        table = []
        left = self._size
        for i, bot in enumerate(self._bots, start=1):
            with_bot = comb(len(self._bots) - i, left - 1) if left else 0
            if place < with_bot:
                table.append(bot)
                left -= 1
            else:
                place -= with_bot
        return tuple(table), repetition


class ChosenTables:
    """A number of tables at which bots, and pairs of bots, sit as equally often as can be had.

    A table may come several times; each time counts as one more of its meetings.
    """

    def __init__(self, bots: Sequence[str], size: int, number: int, rng: Random) -> None:
        self._times: Counter[Table] = Counter()
        self._tables: list[tuple[Table, int]] = []
        for table in balanced_tables(sorted(bots), size, number, rng):
            self._tables.append((table, self._times[table]))
            self._times[table] += 1

    def __len__(self) -> int:
        return len(self._tables)

    def meeting(self, place: int, repetition: int) -> tuple[Table, int]:
        """The table at a place, and how often it has met before."""
        table, earlier = self._tables[place]
        return table, repetition * self._times[table] + earlier


def balanced_tables(bots: Sequence[str], size: int, number: int, rng: Random) -> list[Table]:
    """So many tables, made in rounds of as many as there are bots for.

    A round leaves out those who have played most, ties at random. The others are parted so that the sum
    over all pairs of their meetings squared grows least: by exchanging two bots of different tables, as
    long as that helps. Within a table the bots keep the order of `bots`.
    """
    met = np.zeros((len(bots), len(bots)), np.int64)
    played = np.zeros(len(bots), np.int64)
    tables: list[Table] = []
    while len(tables) < number:
        order = rng.sample(range(len(bots)), len(bots))
        order.sort(key=lambda bot: int(played[bot]))
        seated = order[: len(bots) // size * size]
        rng.shuffle(seated)
        for members in _parted(np.array(seated), size, met)[: number - len(tables)]:
            tables.append(tuple(bots[bot] for bot in members))
            played[members] += 1
            met[np.ix_(members, members)] += 1
    return tables


def _parted(seated: NDArray[np.int64], size: int, met: NDArray[np.int64]) -> list[list[int]]:
    """Tables of these bots that no exchange of two bots makes better, each in ascending order."""
    cost = 2 * met[np.ix_(seated, seated)] + 1  # what (meetings + 1) squared has over meetings squared
    np.fill_diagonal(cost, 0)
    table_of = np.arange(len(seated)) // size
    while True:
        swap, gain = _best_swap(cost, table_of)
        if gain <= 0:
            break
        table_of[swap] = table_of[swap[::-1]]
    return [sorted(seated[table_of == table].tolist()) for table in range(len(seated) // size)]


def _best_swap(cost: NDArray[np.int64], table_of: NDArray[np.int64]) -> tuple[list[int], int]:
    """The two bots whose exchange lowers the cost of the tables most, and by how much."""
    tables = np.arange(table_of.max() + 1)
    at_table = cost @ (table_of[:, None] == tables)  # of each bot, with all who sit at each table
    joining = at_table[:, table_of]  # of the row's bot, with all at the table of the column's
    staying = joining.diagonal()
    gain = staying[:, None] + staying - joining - joining.T + 2 * cost
    gain[table_of[:, None] == table_of] = 0
    one, other = np.unravel_index(gain.argmax(), gain.shape)
    return [int(one), int(other)], int(gain[one, other])
