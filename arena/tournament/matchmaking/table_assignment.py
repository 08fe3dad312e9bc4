"""Assignment of bots to tables of one size, for formats that do not play all possible tables.

Bots are numbers. Two bots of a team never share a table; a bot without a team has a team number of its own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

MAX_SEARCH_STEPS = 200_000
"""A third of a second, and many times what 24 bots ever need."""


def max_tables(teams: Sequence[int], size: int) -> int:
    """Return how many tables the bots of these teams can fill at once."""
    members = Counter(teams).values()
    most = len(teams) // size
    return next(n for n in range(most, -1, -1) if sum(min(of, n) for of in members) >= n * size)


def select_seated(order: Sequence[int], size: int, teams: Sequence[int]) -> list[int]:
    """Return the bots, the first of `order` preferred, that fill as many tables as possible."""
    tables = max_tables([teams[bot] for bot in order], size)
    of_team: Counter[int] = Counter()
    chosen: list[int] = []
    for bot in order:
        if len(chosen) < tables * size and of_team[teams[bot]] < tables:
            of_team[teams[bot]] += 1
            chosen.append(bot)
    return chosen


def assign(order: Sequence[int], size: int, teams: Sequence[int], *costs: Numbers) -> list[list[int]]:
    """Return tables for all of these bots, which must fill them; the bots of each in ascending order.

    Each of `costs` has the cost of two bots meeting, by their numbers; the sum over the tables is made small
    by local search. The first cost outweighs all others together, and is brought to zero if the exact search
    finds a way. From two starts, neighbours of `order` together and far apart, bots are exchanged as long as
    that lowers the cost. The result depends on the arguments alone.
    """
    bots, tables = np.array(order, np.int64), len(order) // size
    if not tables:
        return []
    own = [cost[np.ix_(bots, bots)] for cost in costs]
    team = np.array(teams, np.int64)[bots]
    clash = (team[:, None] == team).astype(np.int64)
    cost = _combine([clash, *own], pairs=len(bots) * (size - 1) // 2)
    starts = [np.arange(len(bots)) // size, _spread_teams(team, tables)]
    best = min(
        (_exchange(cost, start) for start in starts), key=lambda table_of_bot: _total(cost, table_of_bot)
    )
    if own and _total(own[0], best):
        without_clash = _search((clash == 0) & (own[0] == 0), size)
        best = best if without_clash is None else _exchange(cost, without_clash)
    return [sorted(bots[best == table].tolist()) for table in range(tables)]


def _combine(costs: Sequence[Numbers], pairs: int) -> Numbers:
    """Return one cost, in which the least of each outweighs the greatest possible sum of those after it."""
    combined, highest = np.zeros_like(costs[0]), 0
    for cost in reversed(costs):
        weight = highest + 1
        combined = combined + cost * weight
        highest += int(cost.max()) * weight * pairs
    np.fill_diagonal(combined, 0)
    return combined


def _spread_teams(team: Numbers, tables: int) -> Numbers:
    """Return a table for each bot, in turn, team after team, so that no team has two bots at one."""
    _, first, number = np.unique(team, return_index=True, return_inverse=True)
    turns = np.argsort(first[number], kind="stable")
    table_of = np.empty(len(team), np.int64)
    table_of[turns] = np.arange(len(team)) % tables
    return table_of


def _total(cost: Numbers, table_of: Numbers) -> int:
    together = table_of[:, None] == table_of
    np.fill_diagonal(together, False)
    return int(cost[together].sum()) // 2


def _exchange(cost: Numbers, table_of: Numbers) -> Numbers:
    """Return the tables after exchanging the pairs of bots that gain most, until no exchange gains anything.

    A gain depends on the two tables alone, so each table takes part in one exchange at a time.
    """
    table_of = table_of.copy()
    by_table = np.argsort(table_of, kind="stable")
    at_table = cost[:, by_table].reshape(len(cost), table_of.max() + 1, -1).sum(axis=2)
    while True:
        joining = at_table[:, table_of]  # cost of the row's bot at the table of the column's
        staying = joining.diagonal()
        gain = staying[:, None] + staying - joining - joining.T + 2 * cost
        gain[table_of[:, None] == table_of] = 0
        partner, most = gain.argmax(axis=1), gain.max(axis=1)
        if most.max() <= 0:
            return table_of
        changed: set[int] = set()
        for bot in np.argsort(-most, kind="stable"):
            other = partner[bot]
            tables = {int(table_of[bot]), int(table_of[other])}
            if most[bot] > 0 and not tables & changed:
                moved = cost[:, other] - cost[:, bot]
                at_table[:, table_of[bot]] += moved
                at_table[:, table_of[other]] -= moved
                table_of[[bot, other]] = table_of[[other, bot]]
                changed |= tables


def _search(allowed: NDArray[np.bool_], size: int) -> Numbers | None:
    """Return tables at which only allowed pairs meet; None if there are none, or the search takes too long.

    Backtracking: take the bot with the fewest possible partners, try each table it could have, and go back
    when the rest cannot be seated.
    """
    search = _Search(allowed, size)
    free = (1 << len(allowed)) - 1
    chosen: list[int] = []
    open_ = [search.tables_of_most_constrained(free)]
    while free and open_:
        table = next(open_[-1], None)
        if table is not None:
            chosen.append(table)
            free ^= table
            open_.append(search.tables_of_most_constrained(free))
        else:
            open_.pop()
            free |= chosen.pop() if chosen else 0
    return None if free else _table_of(chosen, len(allowed))


class _Search:
    """The tables that bots could have, as long as steps are left; sets of bots are bits of an integer."""

    def __init__(self, allowed: NDArray[np.bool_], size: int) -> None:
        self._partners = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in allowed]
        self._size = size
        self._steps = iter(range(MAX_SEARCH_STEPS))

    def tables_of_most_constrained(self, free: int) -> Iterator[int]:
        """Yield all tables of the free bot that has the fewest free partners."""
        free_bots = [bot for bot in range(len(self._partners)) if free >> bot & 1]
        bot = min(free_bots, key=lambda bot: (self._partners[bot] & free).bit_count(), default=0)
        return (rest | 1 << bot for rest in self._tables(self._partners[bot] & free, self._size - 1))

    def _tables(self, among: int, seats: int) -> Iterator[int]:
        if not seats:
            yield 0
        while seats and among and next(self._steps, None) is not None:
            member = among & -among
            among ^= member
            for rest in self._tables(among & self._partners[member.bit_length() - 1], seats - 1):
                yield rest | member


def _table_of(tables: Sequence[int], bots: int) -> Numbers:
    """Return the number of each bot's table, given tables as sets."""
    numbers = [next(number for number in count() if tables[number] >> bot & 1) for bot in range(bots)]
    return np.array(numbers, np.int64)
