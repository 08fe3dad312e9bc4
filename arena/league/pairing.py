"""Choosing the tables of one decision of an update in one game, by numbers alone.

A table is chosen by its information: by how much its blocks would lower the errors of those bots that ask for
blocks (`arena.rating.overall`). A bot asks until its ± is small enough, or until so many more
blocks would be needed that it rests: it has no comparable opponents.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.overall import RatingInformation
from arena.rating.pair_counts import FloatArray
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import ELO_PER_UNIT

FIRST_BLOCKS: Final = 6
"""Blocks of a new bot in its first decision, each at a table of its own."""
MAX_SHARE_BLOCKS: Final = 150
"""Limit on the blocks that a bot may ask for however little they tell."""
MAX_STEP_BLOCKS: Final = 32
"""Maximum number of blocks that a bot asks for in one decision."""
TABLE_BLOCKS: Final = 4
"""Played in a row by one table, for which bots in processes of their own start once."""
REST_FACTOR: Final = 5
"""Blocks, as a multiple of those that rate a bot among equals, above which a bot rests."""
REPEATED_BLOCKS: Final = 10
"""Blocks at one table after which another tells half as much: what its bots do to each other stays."""
DIGITS: Final = 9
"""Decimals to which tables are compared, so that all machines choose the same."""
ANYTIME_FACTOR: Final = 1.6
"""Factor from an error of one look to one that holds at all, between 40 and 400 blocks (1.57 to 1.7)."""


class Entrant(NamedTuple):
    """A bot that may be chosen for tables of a game."""

    number: int
    team: str
    """Two with the same do not meet; each needs one."""
    error: float | None
    """The ± of the ladder, for comparing; None where the Elo is not known, or only a bound of it."""
    blocks: int
    asks: bool
    """True if blocks are played for its own sake."""


def count_equal_blocks(size: int, precision: float) -> int:
    """Return how many blocks rate a bot to a precision among equals, if matches are independent.

    The ± of two equals add up to the half width of their difference, which holds at all looks: about
    `ANYTIME_FACTOR` times that of one look.
    """
    error = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * ELO_PER_UNIT * ANYTIME_FACTOR / math.sqrt(2)
    return math.ceil((error / precision) ** 2 * 4 / size)


def wanted_blocks(entrant: Entrant, missing: float, size: int, precision: float) -> int:
    """Return how many blocks a bot asks for in the next decision; none once its error is small, or it rests.

    It asks for half of what it probably needs, and never for more than it has.

    Args:
        entrant: The bot.
        missing: Blocks that it probably needs, if its error is known.
        size: Seats of a table.
        precision: The ± at which a bot asks for no more.
    """
    equal = count_equal_blocks(size, precision)
    if not entrant.asks or (entrant.error is not None and entrant.error <= precision):
        return 0
    if entrant.blocks < FIRST_BLOCKS:
        return FIRST_BLOCKS - entrant.blocks
    is_unknown = entrant.error is None
    if entrant.blocks < min(equal, MAX_SHARE_BLOCKS):
        wanted = TABLE_BLOCKS if is_unknown else missing / 2
    elif is_unknown or entrant.blocks + missing > REST_FACTOR * equal:
        return 0
    else:
        wanted = missing / 2
    return math.ceil(min(wanted, entrant.blocks, MAX_STEP_BLOCKS))


class TablePlan(NamedTuple):
    """A table, and how many blocks it plays."""

    bots: tuple[int, ...]
    blocks: int


class GamePairing:
    """The state while tables of one game are chosen one by one; arrays are by entrant."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        size: int,
        precision: float,
        information: RatingInformation,
        played: Mapping[tuple[int, ...], int],
        rng: np.random.Generator,
    ) -> None:
        """Begin without tables.

        Args:
            entrants: The bots; if they are too few for a table, none asks for blocks.
            size: Seats of a table.
            precision: The ± at which a bot asks for no more.
            information: What is known of the entrants. It changes with the tables that are chosen.
            played: Blocks of each table so far, by the places of its entrants in ascending order.
            rng: Source of the order of equals.
        """
        self.entrants, self._size, self._rng = entrants, size, rng
        self._information, self._played = information, dict(played)
        teams = {team: number for number, team in enumerate(dict.fromkeys(bot.team for bot in entrants))}
        self._team = np.array([teams[entrant.team] for entrant in entrants], np.int64)
        self._blocks = np.array([entrant.blocks for entrant in entrants], np.int64)
        self._budget = np.zeros(len(entrants), np.int64)
        self.missing = self._estimate_missing(precision)
        """Blocks that each bot probably needs, at the best tables for it; infinite without an error."""
        self.wanted = np.zeros(len(entrants), np.int64)
        """Blocks that each bot still asks for in this decision."""
        self.has_tables = len(teams) >= size
        """Whether there are enough bots for a table."""
        if self.has_tables:
            pairs = zip(entrants, self.missing.tolist(), strict=True)
            self.wanted[:] = [wanted_blocks(entrant, missing, size, precision) for entrant, missing in pairs]

    @property
    def asking(self) -> list[int]:
        """The numbers of the bots that still ask for blocks."""
        return [self.entrants[bot].number for bot in np.flatnonzero(self.wanted).tolist()]

    @property
    def fewest_blocks(self) -> int:
        """Blocks, with those of the tables chosen, of the asking bot that has fewest."""
        return int(self._blocks[self.wanted > 0].min())

    def set_budget(self, budget: Sequence[int]) -> None:
        """Set how many blocks each bot may play in the decision."""
        self._budget[:] = budget
        self.wanted = np.minimum(self.wanted, self._budget)

    def choose(self, left: Mapping[int, int]) -> TablePlan | None:
        """Return the next table, that of the asking bot with the fewest blocks; None if it can have none.

        Args:
            left: Blocks that each bot, by its number, may still play in all games.
        """
        of_all = np.array([left[entrant.number] for entrant in self.entrants])
        budget = np.minimum(self._budget, of_all)
        asking = np.flatnonzero(self.wanted)
        anchor = int(asking[self._blocks[asking].argmin()])
        table = self._find_table(anchor, budget > 0) if budget[anchor] else []
        if len(table) < self._size:
            self.wanted[anchor] = 0
            return None
        blocks = 1 if self.entrants[anchor].blocks < FIRST_BLOCKS else TABLE_BLOCKS
        blocks = int(min(blocks, self.wanted[anchor], budget[table].min()))
        self._budget[table] -= blocks
        self._blocks[table] += blocks
        self.wanted[table] = np.maximum(self.wanted[table] - blocks, 0)
        self.wanted = np.minimum(self.wanted, self._budget)
        self._information.add(table, blocks)
        key = tuple(sorted(table))
        self._played[key] = self._played.get(key, 0) + blocks
        return TablePlan(tuple(self.entrants[bot].number for bot in table), blocks)

    def _estimate_missing(self, precision: float) -> FloatArray:
        """Return the blocks that each bot probably needs, as its squared error falls like 1/blocks.

        Its blocks so far count as many as tell as much at the best tables for it.
        """
        missing = np.full(len(self.entrants), np.inf)
        variances = self._information.variances
        for number, entrant in enumerate(self.entrants):
            others = np.flatnonzero(self._team != self._team[number])
            if entrant.error is None or not len(others):
                continue
            gains = np.sort(self._information.gains(np.array([number]), number, others)[0])
            worth = float(variances[number] / gains[1 - self._size :].sum())
            missing[number] = round(worth * max((entrant.error / precision) ** 2 - 1, 0), 3)
        return missing

    def _find_table(self, anchor: int, free: NDArray[np.bool_]) -> list[int]:
        """Return a bot and the opponents with whom a block tells most; fewer where there are too few."""
        table = [anchor]
        asking = np.flatnonzero(self.wanted)
        weights = 1 / self._information.variances[asking]
        told = np.zeros(len(free))
        while len(table) < self._size:
            free = free & (self._team != self._team[table[-1]])
            others = self._rng.permutation(np.flatnonzero(free))
            if not len(others):
                break
            told[others] += weights @ self._information.gains(asking, table[-1], others)
            value = told[others]
            if len(table) == self._size - 1:
                before = [self._played.get(tuple(sorted([*table, other])), 0) for other in others.tolist()]
                value = value / (1 + np.array(before) / REPEATED_BLOCKS)
            table.append(int(others[np.round(value / value.max(), DIGITS).argmax()]))
        return table
