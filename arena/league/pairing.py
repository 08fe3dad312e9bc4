"""Choosing the tables of one decision of an update, by numbers alone.

A bot with few blocks meets opponents from the whole range. Afterwards it meets those whose order relative to
it is least certain: near its rating, measured by the error of the difference. A random shift of every rating
keeps neighbours from meeting only each other, which would leave distant parts of a ladder badly connected.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

PLACEMENT_BLOCKS: Final = 6
"""Blocks of a new bot against opponents over the whole range."""
MAX_UNRATED_BLOCKS: Final = 150
"""Limit on blocks of a bot without an error, as it wins or loses nearly everything."""
MAX_STEP_BLOCKS: Final = 32
"""Maximum number of blocks that a bot asks for in one decision."""
TABLE_BLOCKS: Final = 4
"""Played in a row by one table, for which bots in processes of their own start once."""
SHIFT_ELO: Final = 200.0
"""Largest random shift of a rating."""
UNKNOWN_ERROR: Final = 250.0
"""Elo, where there is no error yet."""
ASKING_BONUS: Final = 0.25
"""Factor on the distance of an opponent that asks for blocks itself."""

FloatArray = NDArray[np.float64]


class Entrant(NamedTuple):
    """A bot that may be chosen for tables of a game."""

    number: int
    team: str
    """Two with the same do not meet; each needs one."""
    elo: float
    error: float | None
    """Half width of the 95 % interval."""
    blocks: int
    budget: int
    """Blocks it may still play."""
    asks: bool
    """True if blocks are played for its own sake."""


class TablePlan(NamedTuple):
    """A table, and how many blocks it plays."""

    bots: tuple[int, ...]
    blocks: int


def wanted_blocks(entrant: Entrant, precision: float) -> int:
    """Return how many blocks a bot asks for in the next decision; none once its error is small enough.

    It asks for half of what it probably needs, and never for more than it has.
    """
    if not entrant.asks:
        return 0
    if entrant.blocks < PLACEMENT_BLOCKS:
        wanted = PLACEMENT_BLOCKS - entrant.blocks
    elif entrant.error is None:
        wanted = TABLE_BLOCKS if entrant.blocks < MAX_UNRATED_BLOCKS else 0
    elif entrant.error <= precision:
        wanted = 0
    else:
        missing = entrant.blocks * ((entrant.error / precision) ** 2 - 1)
        wanted = min(math.ceil(missing / 2), entrant.blocks, MAX_STEP_BLOCKS)
    return min(wanted, entrant.budget)


def plan_tables(
    entrants: Sequence[Entrant], size: int, precision: float, rng: np.random.Generator
) -> list[TablePlan]:
    """Return the tables of the next decision in one game; none if no bot asks for blocks."""
    return _Planner(entrants, size, precision, rng).plan()


class _Planner:
    """The state while tables are chosen one by one; arrays are by entrant."""

    def __init__(
        self, entrants: Sequence[Entrant], size: int, precision: float, rng: np.random.Generator
    ) -> None:
        self._entrants, self._size, self._rng = entrants, size, rng
        self._elo = np.array([entrant.elo for entrant in entrants])
        self._error = np.array([entrant.error or UNKNOWN_ERROR for entrant in entrants])
        self._budget = np.array([entrant.budget for entrant in entrants])
        self._wanted = np.array([wanted_blocks(entrant, precision) for entrant in entrants])
        self._is_new = np.array([entrant.blocks < PLACEMENT_BLOCKS for entrant in entrants])
        teams = {
            team: number for number, team in enumerate(dict.fromkeys(entrant.team for entrant in entrants))
        }
        self._team = np.array([teams[entrant.team] for entrant in entrants])

    def plan(self) -> list[TablePlan]:
        tables: list[TablePlan] = []
        while len(self._entrants) and self._wanted.max() > 0:
            anchor = int(self._wanted.argmax())
            table = self._table(anchor)
            if len(table) < self._size:
                self._wanted[anchor] = 0
                continue
            blocks = 1 if self._is_new[anchor] else TABLE_BLOCKS
            blocks = int(min(blocks, self._wanted[anchor], self._budget[table].min()))
            self._wanted[table] = np.maximum(self._wanted[table] - blocks, 0)
            self._budget[table] -= blocks
            self._wanted = np.minimum(self._wanted, self._budget)
            tables.append(TablePlan(tuple(self._entrants[entrant].number for entrant in table), blocks))
        return tables

    def _table(self, anchor: int) -> list[int]:
        """Return the anchor and the best opponents for it; fewer than a table needs if there are none."""
        free = np.flatnonzero((self._budget > 0) & (self._team != self._team[anchor]))
        table, teams = [anchor], {int(self._team[anchor])}
        for other in self._order(anchor, free):
            if len(table) == self._size:
                break
            if self._team[other] not in teams:
                table.append(int(other))
                teams.add(int(self._team[other]))
        return table

    def _order(self, anchor: int, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the opponents in the order of preference."""
        if self._is_new[anchor]:
            return self._over_whole_range(others)
        shift = (2 * self._rng.random(len(others)) - 1) * SHIFT_ELO
        distance = np.abs(self._elo[others] + shift - self._elo[anchor])
        uncertainty = np.hypot(self._error[others], self._error[anchor])
        factor = np.where(self._wanted[others] > 0, ASKING_BONUS, 1.0)
        return others[np.argsort(distance / uncertainty * factor, kind="stable")]

    def _over_whole_range(self, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return opponents of which the first are one from each part of the range of ratings."""
        if not len(others):
            return others
        shuffled = others[np.argsort(self._rng.random(len(others)), kind="stable")]
        by_elo = shuffled[np.argsort(self._elo[shuffled], kind="stable")]
        part = np.arange(len(by_elo)) * (self._size - 1) // len(by_elo)
        within = np.empty(len(by_elo), np.int64)  # place of each in a random order of its part
        for number in range(self._size - 1):
            own = np.flatnonzero(part == number)
            within[own] = np.argsort(self._rng.random(len(own)), kind="stable")
        return by_elo[np.lexsort((part, within))]
