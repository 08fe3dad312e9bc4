"""Knockout: tables play until it is clear which bots are eliminated; the last table is the final."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from arena.rating import MIN_BLOCKS
from arena.rating.intervals import t_cdf
from arena.tournament.formats.base import Format, Pairing, Participants, Played, Round, Scoreboard, Stage
from arena.tournament.formats.tiebreaks import TableScore, half_points
from arena.tournament.matchmaking.table_assignment import Numbers, assign, select_seated
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.setup.config import Config

DECISION_CONFIDENCE: Final = 0.99
"""At one checkpoint, that the last bot to stay is better than the first to be eliminated."""

COLUMNS = ("place", "bot", "out", "score", "blocks")


class _Table(TableScore):
    """A table of a round, some of whose bots will be eliminated."""

    def __init__(self, bots: Sequence[int], eliminated: int) -> None:
        super().__init__(bots)
        self.eliminated = eliminated
        """How many bots will be."""
        self._products = np.zeros((len(bots), len(bots)), np.int64)

    def add(self, points: Numbers) -> None:
        """Count a block, given the half points of each bot."""
        super().add(points)
        self._products += np.outer(points, points)

    def is_clear(self) -> bool:
        """Return whether the last bot to stay is surely better than the first to be eliminated.

        Source: Student's t test on the difference in each block; if that never varies it is clear.
        """
        if self.blocks < MIN_BLOCKS:
            return False
        stay, leave = (self.bots.index(bot) for bot in self.ranking()[-self.eliminated - 1 :][:2])
        lead = int(self._points[stay] - self._points[leave])
        products = self._products
        squares = int(products[stay, stay] + products[leave, leave] - 2 * products[stay, leave])
        spread = self.blocks * squares - lead * lead  # blocks x (blocks - 1) x variance
        if not spread:
            return lead > 0
        return t_cdf(lead * math.sqrt((self.blocks - 1) / spread), self.blocks - 1) >= DECISION_CONFIDENCE


class Knockout(Format):
    """A knockout: a stage brings the undecided tables of a round to their next checkpoint.

    Each round is drawn again. Bots that do not fill a table advance without playing: first those who never
    have, else at random. The better half of a table stays, or more if fewer must be eliminated until the rest
    fill the final, of which one stays. Checkpoints are at `blocks` blocks a table and each time at twice as
    many, up to `max_blocks`. A table is decided when the score of the last bot to stay is above that of the
    first to be eliminated with 99 % confidence (Student's t on their difference in each block, 6 at least);
    after `max_blocks`, or if a bot is withdrawn, by the scores so far. Equals are ranked in the order of the
    config. If the bots left fill no table, being too few or of too few teams, the tournament ends.
    """

    def __init__(self, config: Config, seed: str) -> None:
        self._participants = Participants(config, seed)
        self._seed = seed
        self._first, self._most = min(config.blocks, config.max_blocks), config.max_blocks
        self._round = 0
        self._blocks = 0  # of each table of the round, in each game
        self._end = 0  # of the stages decided
        self._tables: list[_Table] = []  # undecided
        self._rounds: list[tuple[list[_Table], list[int]]] = []  # tables, and bots without one
        self._last: dict[int, _Table] = {}  # table at which a bot played last
        self._byes = [0] * len(self._participants.names)  # rounds in which a bot advanced without playing
        self._out: dict[int, int] = {}  # round in which a bot was eliminated

    @property
    def status(self) -> str:
        return f"round {self._round}"

    def next_stage(self) -> Stage | None:
        """Return the blocks of the undecided tables up to their next checkpoint; None at the end."""
        for table in list(filter(self._is_decided, self._tables)):
            self._eliminate(table)
        if not self._tables:
            self._draw()
        if not self._tables:
            return None
        start, self._blocks = self._blocks, min(max(2 * self._blocks, self._first), self._most)
        bots = [table.bots for table in self._tables]
        stage = self._participants.stage(self._end, [Round(bots, range(start, self._blocks))])
        self._end = stage.indices.stop
        return stage

    def observe(self, played: Played) -> None:
        tables = {self._participants.table(table.bots): table for table in self._tables}
        for block, result in played:
            tables[block.bots].add(half_points(block, result).sum(axis=1))

    def scoreboard(self) -> Scoreboard:
        """Return the ranking: bots left, then by the round of elimination, in a round by the last score."""
        active = self._active(range(len(self._participants.names)))
        order = sorted(
            range(len(self._participants.names)),
            key=lambda bot: (-self._out.get(bot, self._round + 2), bot not in active, -self._share(bot), bot),
        )
        rows = [self._row(place, bot) for place, bot in enumerate(order, 1)]
        title = f"Knockout in round {self._round}" if self._tables else f"Knockout of {self._round} rounds"
        return Scoreboard(
            title, COLUMNS, rows, self._participants.withdrawn(self._end), list(self._pairings())
        )

    def _active(self, bots: Iterable[int]) -> list[int]:
        return self._participants.active(bots, self._end)

    def _is_decided(self, table: _Table) -> bool:
        return self._active(table.bots) != table.bots or self._blocks == self._most or table.is_clear()

    def _eliminate(self, table: _Table) -> None:
        """End a table: eliminate withdrawn bots first, then the last."""
        active = self._active(table.bots)
        order = sorted(table.ranking(), key=lambda bot: bot not in active)
        self._out.update(dict.fromkeys(order[-table.eliminated :], self._round))
        self._tables.remove(table)

    def _draw(self) -> None:
        """Begin the next round, if there is one."""
        left = [bot for bot in range(len(self._participants.names)) if bot not in self._out]
        active = self._active(left)
        self._out.update(dict.fromkeys(set(left) - set(active), self._round + 1))
        self._tables = list(self._draw_tables(active))
        if self._tables:
            self._round += 1
            self._blocks = 0
            at_table = {bot: table for table in self._tables for bot in table.bots}
            self._last.update(at_table)
            byes = [bot for bot in active if bot not in at_table]
            self._rounds.append((list(self._tables), byes))
            for bot in byes:
                self._byes[bot] += 1

    def _draw_tables(self, active: list[int]) -> Iterator[_Table]:
        """Yield the tables of a round of the active bots."""
        size, teams = self._participants.size, self._participants.teams
        rng = schedule_rng(self._seed, "knockout", self._round)
        order = sorted(rng.sample(active, len(active)), key=lambda bot: -self._byes[bot])
        seated = select_seated(order, size, teams)
        rng.shuffle(seated)
        final = len(active) == size
        surplus, max_per_table = (size - 1, size - 1) if final else (len(active) - size, size - size // 2)
        for bots in assign(seated, size, teams):
            eliminated = min(surplus, max_per_table)
            surplus -= eliminated
            if eliminated:
                yield _Table(sorted(bots, key=lambda bot: self._participants.names[bot]), eliminated)

    def _pairings(self) -> Iterator[Pairing]:
        names = self._participants.names
        for number, (tables, byes) in enumerate(self._rounds, 1):
            for place, table in enumerate(tables, 1):
                for bot in table.ranking():
                    score, result = table.percent(bot), self._result(number, table, bot)
                    yield Pairing(number, place, names[bot], score, table.blocks, result)
            for bot in byes:
                yield Pairing(number, None, names[bot], None, 0, "sits out")

    def _result(self, number: int, table: _Table, bot: int) -> str:
        if table in self._tables:
            return ""
        if self._out.get(bot) == number:
            return "out"
        is_final = len(table.bots) == table.eliminated + 1 and len(self._rounds[number - 1][0]) == 1
        return "wins" if is_final and number == len(self._rounds) else "advances"

    def _share(self, bot: int) -> float:
        return self._last[bot].share(bot) if bot in self._last else 0.0

    def _row(self, place: int, bot: int) -> tuple[str, ...]:
        out = f"round {self._out[bot]}" if bot in self._out else ""
        table = self._last.get(bot)
        score, blocks = (f"{table.share(bot):.1%}", str(table.blocks)) if table else ("", "0")
        return str(place), self._participants.names[bot], out, score, blocks
