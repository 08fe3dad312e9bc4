"""Knockout: tables play until it is clear who goes on, the others go home; the last table is the final."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from arena.rating import MIN_BLOCKS
from arena.rating.intervals import t_cdf
from arena.tournament.formats.base import Played, Scoreboard, Stage
from arena.tournament.formats.participants import Participants, Round
from arena.tournament.formats.tiebreaks import half_points
from arena.tournament.matchmaking.table_assignment import Numbers, assign, select_seated
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.setup.config import Config

SURE: Final = 0.99
"""How sure it must be, at one look, that the last to stay is better than the first to go home."""

COLUMNS = ("place", "bot", "out", "score", "blocks")


class _Table:
    """A table of a round, its bots in the order of their names, and what they have shown there."""

    def __init__(self, bots: Sequence[int], going: int) -> None:
        self.bots = bots
        self.going = going
        """How many go home."""
        self.blocks = 0
        self._points = np.zeros(len(bots), np.int64)
        self._products = np.zeros((len(bots), len(bots)), np.int64)

    def add(self, points: Numbers) -> None:
        """Counts a block, in which each bot took so many half points."""
        self.blocks += 1
        self._points += points
        self._products += np.outer(points, points)

    def share(self, bot: int) -> float:
        """The share of the points that a bot took, of all it could."""
        most = 2 * len(self.bots) * (len(self.bots) - 1)  # of half points, in a block
        return float(self._points[self.bots.index(bot)] / max(1, most * self.blocks))

    def ranking(self) -> list[int]:
        """The bots by points, equals by number."""
        return sorted(self.bots, key=lambda bot: (-self._points[self.bots.index(bot)], bot))

    def is_clear(self) -> bool:
        """Whether the last to stay is surely better than the first to go.

        Source: Student's t test on the difference in each block; if that never varies it is clear.
        """
        if self.blocks < MIN_BLOCKS:
            return False
        stay, go = (self.bots.index(bot) for bot in self.ranking()[-self.going - 1 :][:2])
        lead = int(self._points[stay] - self._points[go])
        products = self._products
        squares = int(products[stay, stay] + products[go, go] - 2 * products[stay, go])
        spread = self.blocks * squares - lead * lead  # blocks x (blocks - 1) x variance
        if not spread:
            return lead > 0
        return t_cdf(lead * math.sqrt((self.blocks - 1) / spread), self.blocks - 1) >= SURE


class Knockout:
    """The course of a knockout: a stage brings the undecided tables of a round to their next checkpoint.

    Each round is drawn anew. Bots that do not fill a table go on without playing: those who never did
    before the others, else at random. The better half of a table stays, or more where fewer have to go
    until those left fill the final, of which one stays. Checkpoints are at `blocks` blocks a table and each
    time at twice as many, up to `max_blocks`. A table is decided when the last to stay leads the first to
    go by its score in a way that is 99 % sure (Student's t on their difference in each block, 6 at least);
    after `max_blocks`, or with a bot withdrawn, as it stands. Equals stand in the order of the config.
    Where those left fill no table, being too few or of too few teams, it ends there.
    """

    def __init__(self, config: Config, seed: str) -> None:
        self._field = Participants(config, seed)
        self._seed = seed
        self._first, self._most = min(config.blocks, config.max_blocks), config.max_blocks
        self._round = 0
        self._blocks = 0  # of each table of the round, in each game
        self._end = 0  # of the stages decided
        self._tables: list[_Table] = []  # undecided
        self._last: dict[int, _Table] = {}  # at which a bot played last
        self._rests = [0] * len(self._field.names)  # rounds in which a bot went on without playing
        self._out: dict[int, int] = {}  # round in which a bot went home

    @property
    def total(self) -> None:
        """Hangs on the results."""

    @property
    def status(self) -> str:
        """The round."""
        return f"round {self._round}"

    def next_stage(self) -> Stage | None:
        """The tables that are to be decided, up to their next checkpoint; None when all are."""
        for table in list(filter(self._is_decided, self._tables)):
            self._send_home(table)
        if not self._tables:
            self._draw()
        if not self._tables:
            return None
        start, self._blocks = self._blocks, min(max(2 * self._blocks, self._first), self._most)
        bots = [table.bots for table in self._tables]
        stage = self._field.stage(self._end, [Round(bots, range(start, self._blocks))])
        self._end = stage.indices.stop
        return stage

    def observe(self, played: Played) -> None:
        """Counts what the undecided tables played."""
        at = {self._field.named(table.bots): table for table in self._tables}
        for block, result in played:
            at[block.bots].add(half_points(block, result).sum(axis=1))

    def scoreboard(self) -> Scoreboard:
        """Who is left, and then those who went home last, in each round by the score at the last table."""
        here = self._here(range(len(self._field.names)))
        order = sorted(
            range(len(self._field.names)),
            key=lambda bot: (-self._out.get(bot, self._round + 2), bot not in here, -self._share(bot), bot),
        )
        rows = [self._row(place, bot) for place, bot in enumerate(order, 1)]
        title = f"Knockout in round {self._round}" if self._tables else f"Knockout of {self._round} rounds"
        return Scoreboard(title, COLUMNS, rows)

    def _here(self, bots: Iterable[int]) -> list[int]:
        return self._field.here(bots, self._end)

    def _is_decided(self, table: _Table) -> bool:
        return self._here(table.bots) != table.bots or self._blocks == self._most or table.is_clear()

    def _send_home(self, table: _Table) -> None:
        """Ends a table: those withdrawn go first, and then the last."""
        here = self._here(table.bots)
        order = sorted(table.ranking(), key=lambda bot: bot not in here)
        self._out.update(dict.fromkeys(order[-table.going :], self._round))
        self._tables.remove(table)

    def _draw(self) -> None:
        """Begins the next round, if there is one."""
        left = [bot for bot in range(len(self._field.names)) if bot not in self._out]
        here = self._here(left)
        self._out.update(dict.fromkeys(set(left) - set(here), self._round + 1))
        self._tables = list(self._drawn(here))
        if self._tables:
            self._round += 1
            self._blocks = 0
            at_table = {bot: table for table in self._tables for bot in table.bots}
            self._last.update(at_table)
            for bot in set(here) - set(at_table):
                self._rests[bot] += 1

    def _drawn(self, here: list[int]) -> Iterator[_Table]:
        """The tables of a round between those who are left."""
        size, teams = self._field.size, self._field.teams
        rng = schedule_rng(self._seed, "knockout", self._round)
        order = sorted(rng.sample(here, len(here)), key=lambda bot: -self._rests[bot])
        sitting = select_seated(order, size, teams)
        rng.shuffle(sitting)
        final = len(here) == size
        to_go, most_a_table = (size - 1, size - 1) if final else (len(here) - size, size - size // 2)
        for bots in assign(sitting, size, teams):
            going = min(to_go, most_a_table)
            to_go -= going
            if going:
                yield _Table(sorted(bots, key=lambda bot: self._field.names[bot]), going)

    def _share(self, bot: int) -> float:
        return self._last[bot].share(bot) if bot in self._last else 0.0

    def _row(self, place: int, bot: int) -> tuple[str, ...]:
        out = f"round {self._out[bot]}" if bot in self._out else ""
        table = self._last.get(bot)
        score, blocks = (f"{table.share(bot):.1%}", str(table.blocks)) if table else ("", "0")
        return str(place), self._field.names[bot], out, score, blocks
