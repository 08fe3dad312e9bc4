"""Sets of tables: all that are possible, or a number of them that is balanced over all pairs of bots.

Two bots to which `teams` gives the same number never share a table; without `teams` any two may.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

import numpy as np

from arena.tournament.matchmaking.table_assignment import assign, select_seated

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
