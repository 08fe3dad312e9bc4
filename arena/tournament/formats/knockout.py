"""Knockout: tables play until it is clear which bots are eliminated; the last table is the final."""

import math
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np

from arena.columns.column import ColumnDoc
from arena.columns.kinds import PERCENT, TEXT, Kind
from arena.rating.student_t import MIN_BLOCKS, t_cdf, t_half_width
from arena.tournament.formats.base import BOT, WITHDRAWN, Pairing, Played, Scoreboard, Stage, board_column
from arena.tournament.formats.rounds import RoundsFormat, TableScore, half_points
from arena.tournament.schedule import schedule_rng
from arena.tournament.setup.config import Config
from arena.tournament.tables import Numbers, assign, select_seated

DECISION_CONFIDENCE: Final = 0.99
"""Confidence, at one checkpoint, that the last bot to stay is better than the first to be eliminated."""

UNSEPARATED: Final = "not separated: decided on score"
EQUAL: Final = f"{UNSEPARATED} (equal, so by the order of the config)"


class _KnockoutRow(NamedTuple):
    """The standing of a bot, with its score at its last table."""

    place: int | None
    bot: str
    out: int | None
    """The round in which it was eliminated."""
    score: float | None = None
    blocks: int = 0
    error: float | None = None
    note: str = ""
    is_withdrawn: bool = False


COLUMNS: Final = (
    board_column(
        "place",
        ColumnDoc(
            "Rank: bots that are left first, then those eliminated later.",
            formula="by round of elimination; within a round by score, equals by the order of the config",
            warning="Bots eliminated in the same round sat at different tables, so their order says little.",
        ),
    ),
    BOT,
    board_column(
        "out",
        ColumnDoc(
            "Round of elimination; empty for a bot that is left.",
            formula="""the round at whose table it was among the last when that was decided: with 99 %
            confidence by Student's t on the difference in each block, or by the scores at the end""",
            warning="At a table that played all its blocks, the bots may be equally strong.",
        ),
        Kind(write="round {}".format),
    ),
    board_column(
        "score",
        ColumnDoc(
            "Share of points taken at its last table, with the half width of its 95 % interval.",
            "percent",
            """100 · (better places + ties / 2) / all it could take there; ± Student's t at 97.5 % · the
            standard error of the mean over blocks, from 6 on""",
            "Scores of different tables cannot be compared, and tables stop when they look clear.",
        ),
        PERCENT,
        error=attrgetter("error"),
    ),
    board_column(
        "blocks",
        ColumnDoc(
            "Blocks of that table over all games.", warning="Blocks of earlier rounds are not counted."
        ),
    ),
    WITHDRAWN,
    board_column("error", None, PERCENT),
    board_column(
        "note",
        ColumnDoc(
            """`not separated` where the test did not tell a bot from the one that it is compared with: an
            eliminated bot from the last that stayed at its table, the winner from the second.""",
            formula="""the higher score at that table decided; of equal scores the order of the config, which
            in a league's final is that of the ladder""",
            warning="More blocks (max_blocks) may show another order.",
        ),
        TEXT,
    ),
)


class _Table(TableScore):
    """A table of a round, some of whose bots will be eliminated."""

    def __init__(self, bots: Sequence[int], eliminated: int) -> None:
        super().__init__(bots)
        self.eliminated = eliminated
        """The number of bots that will be."""
        self.order: list[int] = []
        """The bots, best first, once it is decided."""
        self._products = np.zeros((len(bots), len(bots)), np.int64)

    def add(self, points: Numbers) -> None:
        """Count a block, given the half points of each bot."""
        super().add(points)
        self._products += np.outer(points, points)

    def is_clear(self) -> bool:
        """Return whether the last bot to stay is surely better than the first to be eliminated."""
        return self.separates(*self.ranking()[-self.eliminated - 1 :][:2])

    def separates(self, better: int, worse: int) -> bool:
        """Return whether one bot is better than another with the confidence that decides a table.

        Source: Student's t test on the difference in each block; if that never varies it is clear.
        """
        if self.blocks < MIN_BLOCKS:
            return False
        first, second = self.bots.index(better), self.bots.index(worse)
        lead = int(self._points[first] - self._points[second])
        products = self._products
        squares = int(products[first, first] + products[second, second] - 2 * products[first, second])
        spread = self.blocks * squares - lead * lead  # blocks x (blocks - 1) x variance
        if not spread:
            return lead > 0
        return t_cdf(lead * math.sqrt((self.blocks - 1) / spread), self.blocks - 1) >= DECISION_CONFIDENCE

    def error(self, bot: int) -> float | None:
        """Return the half width of the 95 % interval of a bot's share; None where blocks do not show one."""
        place, blocks = self.bots.index(bot), self.blocks
        points = int(self._points[place])
        spread = blocks * int(self._products[place, place]) - points * points
        if blocks < MIN_BLOCKS or not spread:
            return None
        standard_error = math.sqrt(spread / (blocks - 1)) / blocks
        return t_half_width(standard_error, blocks) / self.max_half_points

    def note(self, bot: int) -> str:
        """Return on what a bot stayed or was eliminated, if that was not clear; empty for other bots.

        An eliminated bot is compared with the last to stay, the winner of a final with the second.
        """
        if not self.order:
            return ""
        stay, place = len(self.order) - self.eliminated, self.order.index(bot)
        if place < stay and stay > 1:
            return ""
        better, worse = (bot, self.order[1]) if place < stay else (self.order[stay - 1], bot)
        if self.separates(better, worse):
            return ""
        return EQUAL if self.share(better) == self.share(worse) else UNSEPARATED


def _plan_eliminations(active: int, tables: int, size: int) -> list[int]:
    """Return how many bots each table of a round eliminates; tables that eliminate none do not play.

    Args:
        active: The number of bots that are left.
        tables: The number of tables that they can fill.
        size: Seats at a table.
    """
    if active == size:
        return [size - 1]
    surplus, most = active - size, size - size // 2
    return [min(most, surplus - most * table) for table in range(tables) if surplus > most * table]


class Knockout(RoundsFormat):
    """A knockout: a stage brings the undecided tables of a round to their next checkpoint.

    Each round is drawn again. Bots that do not fill a table advance without playing: first those who never
    have, else at random. The better half of a table stays, or more if fewer must be eliminated until the rest
    fill the final, of which one stays. Checkpoints are at `blocks` blocks a table and each time at twice as
    many, up to `max_blocks`. A table is decided when the score of the last bot to stay is above that of the
    first to be eliminated with 99 % confidence (Student's t on their difference in each block, 6 at least);
    after `max_blocks`, or if a bot is withdrawn, by the scores so far, and the ranking says so. Equals are
    ranked in the order of the config. If the bots left fill no table, being too few or of too few teams, the
    tournament ends. It also ends after `ended_after` blocks: then the tables of that round are decided by
    the scores so far, and the bots left are ranked by their last score.
    """

    name = "knockout"
    takes = frozenset({"max_blocks", "ended_after"})
    eliminates = True

    def __init__(self, config: Config, seed: str) -> None:
        super().__init__(config, seed)
        self._first, self._most = min(config.blocks, config.max_blocks), config.max_blocks
        self._round = 0
        self._blocks = 0  # of each table of the round, in each game
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
        if not (self._tables or self._participants.is_ended(self._end)):
            self._draw()
        if not self._tables:
            return None
        start, self._blocks = self._blocks, min(max(2 * self._blocks, self._first), self._most)
        bots = [table.bots for table in self._tables]
        stage = self._participants.stage_of(self._end, bots, range(start, self._blocks))
        return self._decide(stage)

    @property
    def total_range(self) -> tuple[int, int]:
        """The blocks if every table is clear at its first checkpoint, and if none ever is.

        Where bots of one team may not meet, rounds may have fewer tables than this counts on.
        """
        active, size, tables = len(self._participants.names), self._participants.size, 0
        while active >= size:
            eliminated = _plan_eliminations(active, active // size, size)
            tables += len(eliminated)
            active -= sum(eliminated)
        blocks = tables * len(self._participants.variants)
        return blocks * self._first, blocks * self._most

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
        return Scoreboard(self._title(), COLUMNS, rows, list(self._pairings()))

    def _title(self) -> str:
        if self._tables:
            return f"Knockout in round {self._round}"
        if self._participants.is_ended(self._end):
            return f"Knockout, ended in round {self._round}: its time was over"
        return f"Knockout of {self._round} rounds"

    def _active(self, bots: Iterable[int]) -> list[int]:
        return self._participants.active(bots, self._end)

    def _is_decided(self, table: _Table) -> bool:
        is_over = self._blocks == self._most or self._participants.is_ended(self._end)
        return self._active(table.bots) != table.bots or is_over or table.is_clear()

    def _eliminate(self, table: _Table) -> None:
        """End a table: eliminate withdrawn bots first, then the last."""
        active = self._active(table.bots)
        table.order = sorted(table.ranking(), key=lambda bot: bot not in active)
        self._out.update(dict.fromkeys(table.order[-table.eliminated :], self._round))
        self._tables.remove(table)

    def _draw(self) -> None:
        """Begin the next round, if there is one."""
        left = self._left
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
        tables = assign(seated, size, teams)
        for bots, eliminated in zip(tables, _plan_eliminations(len(active), len(tables), size), strict=False):
            yield _Table(sorted(bots, key=lambda bot: self._participants.names[bot]), eliminated)

    def _pairings(self) -> Iterator[Pairing]:
        names = self._participants.names
        for number, (tables, byes) in enumerate(self._rounds, 1):
            for place, table in enumerate(tables, 1):
                for bot in table.ranking():
                    score, result = table.score(bot), self._result(number, table, bot)
                    yield Pairing(number, place, names[bot], score, table.blocks, result, table.error(bot))
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

    def _row(self, place: int, bot: int) -> _KnockoutRow:
        name, table = self._participants.names[bot], self._last.get(bot)
        row = _KnockoutRow(place, name, self._out.get(bot), is_withdrawn=bot not in self._active([bot]))
        if table is None:
            return row
        note = self._note(bot, table)
        return row._replace(score=table.share(bot), blocks=table.blocks, error=table.error(bot), note=note)

    def _note(self, bot: int, table: _Table) -> str:
        """Return on what a bot's place was decided, if it was not clear."""
        if bot in self._left and len(self._left) > 1:
            return "" if self._tables else UNSEPARATED
        return table.note(bot)

    @property
    def _left(self) -> list[int]:
        return [bot for bot in range(len(self._participants.names)) if bot not in self._out]
