"""Bots parted into tables of one size: what every format does that does not play all the tables there are.

Bots are numbers. Two of one team never come to one table; who has no team has a number of its own for one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

SEARCH = 200_000
"""Steps that a search may take: a third of a second, and many times what 24 bots ever need."""


def max_tables(teams: Sequence[int], size: int) -> int:
    """How many tables the bots of these teams can fill at once."""
    members = Counter(teams).values()
    most = len(teams) // size
    return next(n for n in range(most, -1, -1) if sum(min(of, n) for of in members) >= n * size)


def select_seated(order: Sequence[int], size: int, teams: Sequence[int]) -> list[int]:
    """Those who sit when as many tables are filled as can be, the first of an order before the others."""
    tables = max_tables([teams[bot] for bot in order], size)
    of_team: Counter[int] = Counter()
    chosen: list[int] = []
    for bot in order:
        if len(chosen) < tables * size and of_team[teams[bot]] < tables:
            of_team[teams[bot]] += 1
            chosen.append(bot)
    return chosen


def assign(order: Sequence[int], size: int, teams: Sequence[int], *costs: Numbers) -> list[list[int]]:
    """Tables for all of these bots, who must be able to fill them; the bots of each in ascending order.

    A cost is what it costs that two bots meet, by their numbers; the sum over the tables is made small.
    The first cost outweighs all others together, and it is brought to nought if there is a way, and the
    search finds it. From two starts, neighbours of the order together and far apart, bots are exchanged
    as long as that makes it cheaper; what comes out depends on nothing but the arguments.
    """
    bots, tables = np.array(order, np.int64), len(order) // size
    if not tables:
        return []
    own = [cost[np.ix_(bots, bots)] for cost in costs]
    team = np.array(teams, np.int64)[bots]
    clash = (team[:, None] == team).astype(np.int64)
    cost = _weighed([clash, *own], pairs=len(bots) * (size - 1) // 2)
    starts = [np.arange(len(bots)) // size, _dealt(team, tables)]
    best = min((_exchanged(cost, start) for start in starts), key=lambda found: _total(cost, found))
    if own and _total(own[0], best):
        found = _search((clash == 0) & (own[0] == 0), size)
        best = best if found is None else _exchanged(cost, found)
    return [sorted(bots[best == table].tolist()) for table in range(tables)]


def _weighed(costs: Sequence[Numbers], pairs: int) -> Numbers:
    """One cost, in which the least of each outweighs all that may come together of those after it."""
    sum_, most = np.zeros_like(costs[0]), 0
    for cost in reversed(costs):
        weight = most + 1
        sum_ = sum_ + cost * weight
        most += int(cost.max()) * weight * pairs
    np.fill_diagonal(sum_, 0)
    return sum_


def _dealt(team: Numbers, tables: int) -> Numbers:
    """A table for each bot, dealt out round the tables, team after team: so none comes to one twice."""
    _, first, number = np.unique(team, return_index=True, return_inverse=True)
    turns = np.argsort(first[number], kind="stable")
    table_of = np.empty(len(team), np.int64)
    table_of[turns] = np.arange(len(team)) % tables
    return table_of


def _total(cost: Numbers, table_of: Numbers) -> int:
    together = table_of[:, None] == table_of
    np.fill_diagonal(together, False)
    return int(cost[together].sum()) // 2


def _exchanged(cost: Numbers, table_of: Numbers) -> Numbers:
    """The tables after the exchanges of two bots that gain most, and so on until none gains anything.

    What one gains hangs on the two tables alone, so each table takes part in one at a time.
    """
    table_of = table_of.copy()
    by_table = np.argsort(table_of, kind="stable")
    at_table = cost[:, by_table].reshape(len(cost), table_of.max() + 1, -1).sum(axis=2)
    while True:
        joining = at_table[:, table_of]  # of the row's bot, with all at the table of the column's
        staying = joining.diagonal()
        gain = staying[:, None] + staying - joining - joining.T + 2 * cost
        gain[table_of[:, None] == table_of] = 0
        partner, most = gain.argmax(axis=1), gain.max(axis=1)
        if most.max() <= 0:
            return table_of
        changed: set[int] = set()
        for one in np.argsort(-most, kind="stable"):
            other = partner[one]
            tables = {int(table_of[one]), int(table_of[other])}
            if most[one] > 0 and not tables & changed:
                moved = cost[:, other] - cost[:, one]
                at_table[:, table_of[one]] += moved
                at_table[:, table_of[other]] -= moved
                table_of[[one, other]] = table_of[[other, one]]
                changed |= tables


def _search(allowed: NDArray[np.bool_], size: int) -> Numbers | None:
    """Tables at which only those meet who are allowed to; None if there are none, or they hide too well.

    It takes the bot that has fewest left to sit with, tries each table it could have, and goes back when
    the rest cannot be seated.
    """
    search = _Search(allowed, size)
    free = (1 << len(allowed)) - 1
    chosen: list[int] = []
    open_ = [search.tables_of_loneliest(free)]
    while free and open_:
        table = next(open_[-1], None)
        if table is not None:
            chosen.append(table)
            free ^= table
            open_.append(search.tables_of_loneliest(free))
        else:
            open_.pop()
            free |= chosen.pop() if chosen else 0
    return None if free else _table_of(chosen, len(allowed))


class _Search:
    """The tables that bots could have, as long as there are steps left; sets of bots are bits of a number."""

    def __init__(self, allowed: NDArray[np.bool_], size: int) -> None:
        self._friends = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in allowed]
        self._size = size
        self._steps = iter(range(SEARCH))

    def tables_of_loneliest(self, free: int) -> Iterator[int]:
        """All tables of the bot that has fewest to sit with among those who are free."""
        those = [bot for bot in range(len(self._friends)) if free >> bot & 1]
        bot = min(those, key=lambda bot: (self._friends[bot] & free).bit_count(), default=0)
        return (rest | 1 << bot for rest in self._tables(self._friends[bot] & free, self._size - 1))

    def _tables(self, among: int, seats: int) -> Iterator[int]:
        if not seats:
            yield 0
        while seats and among and next(self._steps, None) is not None:
            one = among & -among
            among ^= one
            for rest in self._tables(among & self._friends[one.bit_length() - 1], seats - 1):
                yield rest | one


def _table_of(tables: Sequence[int], bots: int) -> Numbers:
    """The number of each bot's table, given tables as sets."""
    numbers = [next(number for number in count() if tables[number] >> bot & 1) for bot in range(bots)]
    return np.array(numbers, np.int64)
