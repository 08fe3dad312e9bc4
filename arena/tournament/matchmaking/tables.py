"""Which bots sit together: every table there is, or a chosen number of them that is fair to all pairs.

Two bots to which `teams` gives the same number never sit together; without it anybody may.
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
    """A number of tables, each with a place."""

    def __len__(self) -> int: ...

    def pick(self, place: int, repetition: int) -> tuple[Table, int]:
        """The table at a place, and how often it has met before."""
        ...


class AllTables:
    """Each table of `size` of these bots once, in alphabetical order and none of them kept in memory."""

    def __init__(self, bots: Sequence[str], size: int, teams: Teams | None = None) -> None:
        of_team: dict[object, list[str]] = {}
        for bot in sorted(bots):
            of_team.setdefault(teams[bot] if teams else bot, []).append(bot)
        self._teams = list(of_team.values())
        self._size = size
        self._ways = _ways([len(members) for members in self._teams], size)
        self.number = self._ways[0][size]
        """How many there are; it may be too large for `len`."""

    def __len__(self) -> int:
        return self.number

    def pick(self, place: int, repetition: int) -> tuple[Table, int]:
        """The table at a place, and how often it has met before."""
        table = []
        left = self._size
        for members, ways_after in zip(self._teams, self._ways[1:], strict=True):
            with_each = ways_after[left - 1] if left else 0
            if place < with_each * len(members):
                member, place = divmod(place, with_each)
                table.append(members[member])
                left -= 1
            else:
                place -= with_each * len(members)
        return tuple(sorted(table)), repetition


class BalancedTables:
    """A number of tables at which bots, and pairs of bots, sit as equally often as can be had.

    A table may come several times; each time counts as one more of its meetings.
    """

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

    def pick(self, place: int, repetition: int) -> tuple[Table, int]:
        """The table at a place, and how often it has met before."""
        table, earlier = self._tables[place]
        return table, repetition * self._times[table] + earlier


class HeroTables:
    """Tables of others, with one bot more at each of them: always the same."""

    def __init__(self, hero: str, others: Tables) -> None:
        self._hero = hero
        self._others = others

    def __len__(self) -> int:
        return len(self._others)

    def pick(self, place: int, repetition: int) -> tuple[Table, int]:
        """The table at a place, and how often it has met before."""
        others, met = self._others.pick(place, repetition)
        return tuple(sorted((self._hero, *others))), met


class PairHistory:
    """How often bots, by their numbers, have sat at tables and together; that decides who is next."""

    def __init__(self, teams: Sequence[int]) -> None:
        self.teams = teams
        self.played = np.zeros(len(teams), np.int64)
        self.met = np.zeros((len(teams), len(teams)), np.int64)

    def forget_who_met(self) -> None:
        """Counts meetings anew from here, but not how often each has played."""
        self.met[:] = 0

    def add(self, tables: Sequence[Sequence[int]]) -> None:
        """Counts tables."""
        for table in tables:
            self.played[table] += 1
            self.met[np.ix_(table, table)] += 1

    def by_play(self, bots: Sequence[int], rng: Random) -> list[int]:
        """The bots from the one that has played least, those who have played the same in random order."""
        return sorted(rng.sample(bots, len(bots)), key=lambda bot: int(self.played[bot]))

    def balanced(self, bots: Sequence[int], size: int, rng: Random) -> list[list[int]]:
        """As many tables as there are bots for, all of which meet those they have met least.

        Those who have played most are left out, ties at random. The others are parted so that the sum over
        all pairs of their meetings squared grows least.
        """
        order = select_seated(self.by_play(bots, rng), size, self.teams)
        rng.shuffle(order)
        return assign(order, size, self.teams, 2 * self.met + 1)  # what (met + 1)² has over met²


def balanced_tables(
    bots: Sequence[str], size: int, number: int, rng: Random, teams: Teams | None = None
) -> list[Table]:
    """So many tables, made in balanced rounds; within a table the bots keep the order of `bots`.

    There must be as many teams as seats at a table.
    """
    meetings = PairHistory([teams[bot] for bot in bots] if teams else range(len(bots)))
    tables: list[Table] = []
    while len(tables) < number:
        found = meetings.balanced(range(len(bots)), size, rng)
        meetings.add(found)
        tables += [tuple(bots[bot] for bot in members) for members in found]
    return tables[:number]


def _ways(teams: Sequence[int], size: int) -> list[list[int]]:
    """In how many ways so many seats can be filled by the teams from one on, by that one and the seats."""
    ways = [[1] + [0] * size]
    for members in reversed(teams):
        after = ways[-1]
        ways.append([1] + [after[n] + members * after[n - 1] for n in range(1, size + 1)])
    return ways[::-1]
