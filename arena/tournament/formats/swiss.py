"""Swiss: in each round bots of similar score meet, and no two meet twice if that can be avoided."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.columns.column import ColumnDoc
from arena.columns.kinds import DECIMAL, PERCENT
from arena.tournament.formats.base import Played, RoundsFormat, Stage
from arena.tournament.formats.standings_tables import (
    BOT,
    WITHDRAWN,
    Pairing,
    Scoreboard,
    board_column,
)
from arena.tournament.formats.tiebreaks import BotScores, ScoreTotals, TableScore, half_points
from arena.tournament.schedule import PairHistory, assign, max_tables, schedule_rng, select_seated
from arena.tournament.setup.config import Config


class SwissRow(NamedTuple):
    """The standing of a bot; without a round it has no scores."""

    place: int | None
    bot: str
    rounds: int
    score: float | None = None
    buchholz: float | None = None
    sonneborn_berger: float | None = None
    payoff: float | None = None
    is_withdrawn: bool = False


COLUMNS: Final = (
    board_column(
        "place",
        ColumnDoc(
            "Rank; empty for a bot that has not played.",
            formula="""by score, then by the columns after it in turn, then by the order of the config;
            withdrawn bots last""",
            warning="It has no error bar: a better place does not prove a stronger bot.",
        ),
    ),
    BOT,
    board_column(
        "rounds",
        ColumnDoc("Rounds played.", warning="Sitting out a round counts neither for a bot nor against it."),
    ),
    board_column(
        "score",
        ColumnDoc(
            "Share of points taken in all games.",
            "percent",
            "100 · (better places + ties / 2) / pairs of its seats with those of other bots",
            "It is not the share of matches won, and better bots met stronger opponents: see buchholz.",
        ),
        PERCENT,
    ),
    board_column(
        "buchholz",
        ColumnDoc(
            "Strength of the opponents.",
            "percent",
            "mean score of the opponents, each counted as often as they met",
        ),
        PERCENT,
    ),
    board_column(
        "sonneborn-berger",
        ColumnDoc(
            "Strength of the opponents from whom it took points.",
            "percent",
            "sum over opponents of their score · the points it took from them / all points it played for",
            "It is a tie-break, no second score.",
        ),
        PERCENT,
    ),
    board_column(
        "payoff",
        ColumnDoc(
            "Mean payoff of a match over all games.",
            "tokens, chips and points, added as if they were one unit",
            "sum of its payoffs / its matches",
            "Where games settle in different units it is only a tie-break.",
        ),
        DECIMAL,
    ),
    WITHDRAWN,
)


class Swiss(RoundsFormat):
    """A Swiss tournament: a stage is a round, in which each table plays its blocks.

    The first round is random. A later one assigns the bots to tables so that as few as possible meet again,
    and then so that the sum of the squared differences of their scores is smallest. Bots that do not fill a
    table sit out: those who have played most, and of them the last. As scores are means, sitting out costs
    nothing.

    Bots are ranked by the fields of `BotScores` after the rating in order, equals in the order of the config,
    and withdrawn bots after all others. By the rating, which results that decide who meets whom stretch, only
    those who sit out are chosen.
    """

    keys = frozenset({"ended_after"})

    def __init__(self, config: Config, seed: str) -> None:
        super().__init__(config, seed)
        self._rounds, self._blocks = config.rounds, config.blocks
        self._decided = self._finished = 0  # rounds
        self._tables: list[list[int]] = []  # of the round decided last
        self._rounds_scores: list[tuple[list[TableScore], list[int]]] = []  # and the bots that sit out
        self._history = PairHistory(self._participants.teams)
        self._scores = ScoreTotals(self._participants.names, self._participants.size)

    @property
    def total(self) -> int:
        """The blocks decided, and those of the remaining rounds with the active bots."""
        teams = [self._participants.teams[bot] for bot in self._active()]
        tables = max_tables(teams, self._participants.size) * (self._rounds - self._decided)
        return self._end + tables * self._blocks * len(self._participants.variants)

    @property
    def status(self) -> str:
        return f"round {self._decided}"

    def next_stage(self) -> Stage | None:
        """Return the next round; None after the last, or if the active bots fill no table."""
        if self._decided == self._rounds or self._participants.is_ended(self._end):
            return None
        self._tables = self._pair()
        if not self._tables:
            return None
        repetitions = range(self._decided * self._blocks, (self._decided + 1) * self._blocks)
        stage = self._participants.stage_of(self._end, self._tables, repetitions)
        seated = {bot for table in self._tables for bot in table}
        sitting_out = [bot for bot in self._active() if bot not in seated]
        by_name = [sorted(table, key=lambda bot: self._participants.names[bot]) for table in self._tables]
        self._rounds_scores.append((list(map(TableScore, by_name)), sitting_out))
        self._decided += 1
        return self._decide(stage)

    def observe(self, played: Played) -> None:
        tables = {self._participants.table(table.bots): table for table in self._rounds_scores[-1][0]}
        for block, result in played:
            self._scores.add(block, result)
            tables[block.bots].add(half_points(block, result).sum(axis=1))
        self._history.add(self._tables)
        self._finished += 1

    def scoreboard(self) -> Scoreboard:
        """Return the ranking, withdrawn bots last."""
        scores = self._scores.bot_scores()
        points = [own[1:] for own in scores]
        active = self._active()
        withdrawn = [bot for bot in range(len(scores)) if bot not in active]
        order = _rank(active, points) + _rank(withdrawn, points)
        order.sort(key=lambda bot: not self._history.played[bot])  # a bot that has not played has no place
        rows = [
            self._row(place, bot, scores[bot])._replace(is_withdrawn=bot in withdrawn)
            for place, bot in enumerate(order, 1)
        ]
        title = f"Swiss after {self._finished} of {self._rounds} rounds"
        if self._participants.is_ended(self._end):
            title += ": its time was over"
        return Scoreboard(title, COLUMNS, rows, list(self._pairings()), stretches_elo=True)

    def _active(self) -> list[int]:
        return self._participants.active(range(len(self._participants.names)), self._end)

    def _pair(self) -> list[list[int]]:
        """Return the tables of the next round."""
        scores, active = self._scores.bot_scores(), self._active()
        order = _rank(active, scores)
        if not self._decided:
            order = schedule_rng(self._seed, "swiss").sample(active, len(active))
        by_play = sorted(order, key=lambda bot: int(self._history.played[bot]))
        seated = set(select_seated(by_play, self._participants.size, self._participants.teams))
        permille = np.rint([1000 * own.score for own in scores]).astype(np.int64)
        return assign(
            [bot for bot in order if bot in seated],
            self._participants.size,
            self._participants.teams,
            self._history.met,
            (permille[:, None] - permille) ** 2,
        )

    def _pairings(self) -> Iterator[Pairing]:
        names = self._participants.names
        for number, (tables, sitting_out) in enumerate(self._rounds_scores, 1):
            for place, table in enumerate(tables, 1):
                for bot in table.ranking():
                    yield Pairing(number, place, names[bot], table.score(bot), table.blocks, "")
            for bot in sitting_out:
                yield Pairing(number, None, names[bot], None, 0, "sits out")

    def _row(self, place: int, bot: int, own: BotScores) -> SwissRow:
        rounds, name = int(self._history.played[bot]), self._participants.names[bot]
        return SwissRow(place, name, rounds, *own[1:]) if rounds else SwissRow(None, name, 0)


def _rank(bots: list[int], scores: Sequence[tuple[float, ...]]) -> list[int]:
    return sorted(bots, key=lambda bot: ([-value for value in scores[bot]], bot))
