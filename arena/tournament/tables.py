"""Tables of bots: drawn, balanced so that bots meet equally often, or assigned with the least cost."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

# --- table assignment ---
# Bots are numbers. Two bots of a team never share a table; a bot without a team has a team number of its own.

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


# --- sets of tables ---
# Two bots to which `teams` gives the same number never share a table; without `teams` any two may.

Table = tuple[str, ...]
Teams = Mapping[str, int]


class Tables(Protocol):
    """Tables by index."""

    @property
    def are_drawn(self) -> bool:
        """True if these tables are a sample of those possible."""
        ...

    def __len__(self) -> int: ...

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        """Return the table of an index, and how often it has met before."""
        ...


class AllTables:
    """Each table of `size` of these bots once, in alphabetical order, computed when it is picked."""

    are_drawn = False

    def __init__(self, bots: Sequence[str], size: int, teams: Teams | None = None) -> None:
        of_team: dict[object, list[str]] = {}
        for bot in sorted(bots):
            of_team.setdefault(teams[bot] if teams else bot, []).append(bot)
        self._teams = list(of_team.values())
        self._size = size
        self._ways = _ways([len(members) for members in self._teams], size)
        self.number = self._ways[0][size]
        """Number of tables; may be too large for `len`."""

    def __len__(self) -> int:
        return self.number

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        table = []
        left = self._size
        for members, ways_after in zip(self._teams, self._ways[1:], strict=True):
            with_each = ways_after[left - 1] if left else 0
            if index < with_each * len(members):
                member, index = divmod(index, with_each)
                table.append(members[member])
                left -= 1
            else:
                index -= with_each * len(members)
        return tuple(sorted(table)), repetition


class BalancedTables:
    """A number of tables at which bots, and pairs of bots, sit as equally often as possible.

    A table may come several times; each time counts as one more of its meetings.
    """

    are_drawn = True

    def __init__(
        self, bots: Sequence[str], size: int, number: int, rng: Random, teams: Teams | None = None
    ) -> None:
        self._times: Counter[Table] = Counter()
        self._tables: list[tuple[Table, int]] = []
        for table in balanced_tables(sorted(bots), size, number, rng, teams):
            self._tables.append((table, self._times[table]))
            self._times[table] += 1

    def __len__(self) -> int:
        return len(self._tables)

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        table, earlier = self._tables[index]
        return table, repetition * self._times[table] + earlier


class HeroTables:
    """Tables of others, with the same bot added to each."""

    def __init__(self, hero: str, others: Tables) -> None:
        self._hero = hero
        self._others = others

    @property
    def are_drawn(self) -> bool:
        """True if those of the others are."""
        return self._others.are_drawn

    def __len__(self) -> int:
        return len(self._others)

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        others, met = self._others.pick(index, repetition)
        return tuple(sorted((self._hero, *others))), met


class PairHistory:
    """The number of times bots, by their numbers, have played, and have met each other."""

    def __init__(self, teams: Sequence[int]) -> None:
        self.teams = teams
        self.played = np.zeros(len(teams), np.int64)
        self.met = np.zeros((len(teams), len(teams)), np.int64)

    def reset_pairs(self) -> None:
        """Forget who has met, but not how often each has played."""
        self.met[:] = 0

    def add(self, tables: Sequence[Sequence[int]]) -> None:
        """Count tables."""
        for table in tables:
            self.played[table] += 1
            self.met[np.ix_(table, table)] += 1

    def by_play(self, bots: Sequence[int], rng: Random) -> list[int]:
        """Return the bots, those that have played least first, ties in random order."""
        return sorted(rng.sample(bots, len(bots)), key=lambda bot: int(self.played[bot]))

    def assign_balanced(self, bots: Sequence[int], size: int, rng: Random) -> list[list[int]]:
        """Return as many tables as the bots fill, at which bots meet those they have met least.

        Bots that have played most are left out, ties at random. The others are assigned so that the sum
        over all pairs of their squared numbers of meetings grows least.
        """
        order = select_seated(self.by_play(bots, rng), size, self.teams)
        rng.shuffle(order)
        return assign(order, size, self.teams, 2 * self.met + 1)  # (met + 1)² - met²


def balanced_tables(
    bots: Sequence[str], size: int, number: int, rng: Random, teams: Teams | None = None
) -> list[Table]:
    """Return that number of tables, made in balanced rounds; within a table bots keep the order of `bots`.

    There must be at least as many teams as seats at a table.
    """
    history = PairHistory([teams[bot] for bot in bots] if teams else range(len(bots)))
    tables: list[Table] = []
    while len(tables) < number:
        assigned = history.assign_balanced(range(len(bots)), size, rng)
        history.add(assigned)
        tables += [tuple(bots[bot] for bot in members) for members in assigned]
    return tables[:number]


def _ways(teams: Sequence[int], size: int) -> list[list[int]]:
    """Return in how many ways the teams from one on can fill seats, by that team and the number of seats."""
    ways = [[1] + [0] * size]
    for members in reversed(teams):
        after = ways[-1]
        ways.append([1] + [after[n] + members * after[n - 1] for n in range(1, size + 1)])
    return ways[::-1]
