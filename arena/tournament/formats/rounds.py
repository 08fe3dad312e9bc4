"""Formats that draw their tables round by round: what they share, Swiss and ladder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from statistics import pstdev
from typing import Final, NamedTuple

import numpy as np

from arena.columns.column import ColumnDoc
from arena.columns.kinds import DECIMAL, PERCENT
from arena.errors import ConfigError
from arena.play.bot import PositiveInt
from arena.rating.bradley_terry import estimate_ratings, to_elo
from arena.tournament.formats.base import (
    BOT,
    WITHDRAWN,
    Format,
    Pairing,
    Played,
    Scoreboard,
    Stage,
    board_column,
)
from arena.tournament.schedule import Block, make_block, schedule_rng
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game
from arena.tournament.tables import Numbers, PairHistory, Table, assign, max_tables, select_seated


class RoundsFormat(Format):
    """A format that draws its tables round by round, each of which plays all games."""

    takes_withdrawals = True

    def __init__(self, config: Config, seed: str) -> None:
        self._participants = Participants(config, seed)
        self._seed = seed
        self._end = 0
        """Number of blocks of the stages decided."""

    def _decide(self, stage: RoundsStage) -> RoundsStage:
        """Return the stage, after which the next one begins."""
        self._end = stage.indices.stop
        return stage

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        sizes = sorted({size for entry in config.variants for size in entry.players})
        if len(sizes) > 1:
            raise ConfigError(
                f"variants: in a {config.format} each table plays all games, so they take one number of "
                f"players, not {' and '.join(map(str, sizes))}"
            )

    def draws_tables(self, game: Game) -> bool:
        return True


class Round(NamedTuple):
    """Tables of bots, by their numbers, each of which plays its blocks of these repetitions."""

    tables: Sequence[Sequence[int]]
    repetitions: range


class Participants:
    """The bots of a config, numbered in its order, at tables of one size that play all its games."""

    def __init__(self, config: Config, seed: str) -> None:
        self.names = tuple(bot.name for bot in config.bots)
        self.teams = tuple(config.teams[name] for name in self.names)
        self.size = config.variants[0].players[0]
        self.variants = tuple(str(entry.rules) for entry in config.variants)
        self._withdrawn = config.withdrawn
        self._ended_after = config.ended_after
        self._seed = seed

    def active(self, bots: Iterable[int], start: int) -> list[int]:
        """Return those of the bots that are not withdrawn before the block of this index."""
        return [bot for bot in bots if self._withdrawn.get(self.names[bot], start + 1) > start]

    def is_ended(self, start: int) -> bool:
        """Return whether the tournament was ended, its time being over, at the block of this index."""
        return self._ended_after is not None and start >= self._ended_after

    def stage_of(self, start: int, tables: Sequence[Sequence[int]], repetitions: range) -> RoundsStage:
        """Return the blocks of one round, as far as the tournament was not ended before."""
        if self._ended_after is not None:
            played = (self._ended_after - start) // (len(tables) * len(self.variants))
            repetitions = repetitions[:played]
        return self.stage(start, [Round(tables, repetitions)])

    def stage(self, start: int, rounds: Sequence[Round]) -> RoundsStage:
        """Return the blocks of some rounds, one after another."""
        named = [([self.table(bots) for bots in tables], repetitions) for tables, repetitions in rounds]
        return RoundsStage(start, named, self.variants, self._seed)

    def table(self, bots: Iterable[int]) -> Table:
        """Return the table of these bots."""
        return tuple(sorted(self.names[bot] for bot in bots))


class RoundsStage:
    """The blocks of rounds; in each, all tables play all games before any plays a second block of one."""

    def __init__(
        self,
        start: int,
        rounds: Sequence[tuple[Sequence[Table], range]],
        variants: Sequence[str],
        seed: str,
    ) -> None:
        blocks = sum(len(tables) * len(repetitions) for tables, repetitions in rounds) * len(variants)
        self.indices = range(start, start + blocks)
        self.step = blocks // max(1, sum(len(repetitions) for _, repetitions in rounds))
        """Blocks in which all tables of a round play all games once; of several rounds the mean."""
        self._rounds = rounds
        self._variants = variants
        self._seed = seed

    def __iter__(self) -> Iterator[Block]:
        indices = iter(self.indices)
        for tables, repetitions in self._rounds:
            for repetition, table, variant in product(repetitions, tables, self._variants):
                yield make_block(next(indices), variant, table, repetition, self._seed)


# --- tie-breaks ---
# Scores are summed in integers whose number does not grow with the blocks played.

DECIMALS = 9
"""Decimals of means, rounded so that the last bits of a sum decide nothing."""


class BotScores(NamedTuple):
    """The rating of a bot and its tie-breaks, in the order in which they rank; higher is better."""

    elo: float
    """Rating of the bot, fitted to all matches."""
    score: float
    """The share of points it took, of all it played for; one half before it has played."""
    buchholz: float
    """The mean score of its opponents, each counted as often as they met."""
    sonneborn_berger: float
    """The same, weighted by the points it took from them."""
    payoff: float
    """Mean payoff of the bot in a match."""


class TableScore:
    """The points of bots at one table of a round, in the order of their names."""

    def __init__(self, bots: Sequence[int]) -> None:
        self.bots = bots
        self.blocks = 0
        self._points = np.zeros(len(bots), np.int64)

    def add(self, points: Numbers) -> None:
        """Count a block, given the half points of each bot."""
        self.blocks += 1
        self._points += points

    def share(self, bot: int) -> float:
        """Return the share of points that a bot took, of all it could."""
        return float(self._points[self.bots.index(bot)] / max(1, self.max_half_points * self.blocks))

    @property
    def max_half_points(self) -> int:
        """The half points that a bot can take in a block."""
        return 2 * len(self.bots) * (len(self.bots) - 1)

    def score(self, bot: int) -> float | None:
        """Return the share; None before the first block."""
        return self.share(bot) if self.blocks else None

    def ranking(self) -> list[int]:
        """Return the bots by points, equals by number."""
        return sorted(self.bots, key=lambda bot: (-self._points[self.bots.index(bot)], bot))


class ScoreTotals:
    """The points that bots took from each other, over all games at tables of one size."""

    def __init__(self, names: Sequence[str], size: int) -> None:
        self._number = {name: number for number, name in enumerate(names)}
        self._size = size
        self._points = np.zeros((len(names), len(names)), np.int64)
        self._payoffs = np.zeros(len(names), np.int64)
        self._matches = np.zeros(len(names), np.int64)

    def add(self, block: Block, result: BlockResult) -> None:
        bots = [self._number[bot] for bot in block.bots]
        self._points[np.ix_(bots, bots)] += half_points(block, result)
        self._payoffs[bots] += _by_bot(block, [match.payoffs for match in result.matches]).sum(axis=0)
        self._matches[bots] += len(result.matches)

    def elo(self) -> tuple[float, ...]:
        """Return the ratings of all bots, fitted to all matches at once."""
        return to_elo(estimate_ratings(self._points / 2, 1 / (self._size - 1)))

    def bot_scores(self) -> list[BotScores]:
        """Return the scores of all bots."""
        met = self._points + self._points.T
        played = np.maximum(met.sum(axis=1), 1)
        score = np.where(met.any(axis=1), self._points.sum(axis=1) / played, 0.5)
        buchholz, sonneborn_berger = met @ score / played, self._points @ score / played
        payoff = self._payoffs / np.maximum(self._matches, 1)
        means = np.round([buchholz, sonneborn_berger, payoff], DECIMALS)
        return list(map(BotScores, self.elo(), score.tolist(), *means.tolist()))


def half_points(block: Block, result: BlockResult) -> Numbers:
    """Return the half points each bot of the block (row) took from each other: two a win, one a tie."""
    placings = _by_bot(block, [match.placings for match in result.matches])
    lead = np.sign(placings[:, None, :] - placings[:, :, None]) + 1
    points: Numbers = lead.sum(axis=0)
    np.fill_diagonal(points, 0)
    return points


def _by_bot(block: Block, by_seat: Sequence[Sequence[int]]) -> Numbers:
    """Return values given by seat as rows by rotation, with a column for each bot in the block's order."""
    place = {bot: number for number, bot in enumerate(block.bots)}
    values = np.empty((len(block.seatings), len(block.bots)), np.int64)
    for row, seating, own in zip(values, block.seatings, by_seat, strict=True):
        row[[place[bot] for bot in seating]] = own
    return values


# --- Swiss ---
# In each round bots of similar score meet, and no two meet twice if that can be avoided.


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

    name = "swiss"
    takes = frozenset({"ended_after"})

    class Keys(Format.Keys, frozen=True):
        rounds: PositiveInt = 7

    def __init__(self, config: Config, seed: str) -> None:
        super().__init__(config, seed)
        self._rounds: int = config.keys.rounds
        self._blocks = config.blocks
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


# --- ladder ---
# Bots join one after another, and meet bots that they have not met and bots of similar rating.

MIN_JITTER_ELO: Final = 100.0
"""Smallest jitter, in Elo: with less, tables of equals would inflate the spread of the ratings."""
JITTER_DEVIATIONS: Final = 1.5
"""Standard deviations of the ratings, for the same reason."""


class Ladder(RoundsFormat):
    """A ladder: bots join in the order of the config, once they fill a table.

    Whenever one joins, there are as many rounds as `blocks`, in two stages: first balanced ones, in which
    all pairs meet equally often, and then as many, or one less, of neighbours by rating. The ratings are
    fitted again to everything played, and each round adds to them a random error of its own, of 100 Elo or
    1.5 times their standard deviation if that is more. In both, bots that have played least are seated first,
    so that a new bot plays every round. No round begins that would exceed `max_blocks` blocks of the run.
    With fewer balanced tables, or less error, intervals about the ratings were too narrow in simulations.
    """

    name = "ladder"

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        teams, size = list(config.teams.values()), config.variants[0].players[0]
        tables = sum(max_tables(teams[:joined], size) for joined in range(size, len(teams)))
        blocks = tables * config.blocks * len(config.variants)
        if blocks >= config.max_blocks:
            raise ConfigError(
                f"max_blocks: the last of {len(teams)} bots joins after {blocks:,} blocks, but the ladder "
                f"ends after {config.max_blocks:,}; raise max_blocks, or lower blocks"
            )

    def __init__(self, config: Config, seed: str) -> None:
        super().__init__(config, seed)
        self._blocks, self._most = config.blocks, config.max_blocks
        joined = range(self._participants.size, len(self._participants.names) + 1)
        self._stages = iter([(bots, balanced) for bots in joined for balanced in (True, False)])
        self._round = 0
        self._history = PairHistory(self._participants.teams)
        self._scores = ScoreTotals(self._participants.names, self._participants.size)

    @property
    def total(self) -> int:
        teams, size = self._participants.teams, self._participants.size
        tables = sum(max_tables(teams[:joined], size) for joined in range(size, len(teams) + 1))
        return min(tables * self._blocks * len(self._participants.variants), self._most)

    @property
    def status(self) -> str:
        return f"round {self._round}"

    def next_stage(self) -> Stage | None:
        """Return the next rounds that have a table."""
        for joined, balanced in self._stages:
            stage = self._participants.stage(self._end, list(self._rounds(joined, balanced)))
            if stage.indices:
                return self._decide(stage)
        return None

    def observe(self, played: Played) -> None:
        for block, result in played:
            self._scores.add(block, result)

    def _rounds(self, joined: int, balanced: bool) -> Iterator[Round]:
        """Yield the rounds of a stage, with the bots that have joined."""
        active = self._participants.active(range(joined), self._end)
        elo = () if balanced else self._scores.elo()
        end = self._end
        self._history.reset_pairs()
        for _ in range((self._blocks + balanced) // 2):
            rng = schedule_rng(self._seed, "ladder", self._round)
            tables = self._balanced(active, rng) if balanced else self._neighbours(active, rng, elo)
            end += len(tables) * len(self._participants.variants)
            if end > self._most:
                break
            self._history.add(tables)
            yield Round(tables, range(self._round, self._round + 1))
            self._round += 1

    def _balanced(self, active: list[int], rng: Random) -> list[list[int]]:
        return self._history.assign_balanced(active, self._participants.size, rng)

    def _neighbours(self, active: list[int], rng: Random, elo: Sequence[float]) -> list[list[int]]:
        """Return tables of bots with similar ratings, after a random error is added to each."""
        size, teams = self._participants.size, self._participants.teams
        jitter = (
            max(MIN_JITTER_ELO, JITTER_DEVIATIONS * pstdev(elo[bot] for bot in active)) if active else 0.0
        )
        value = np.rint([rating + rng.gauss(0, jitter) for rating in elo]).astype(np.int64)
        seated = select_seated(self._history.by_play(active, rng), size, teams)
        order = sorted(seated, key=lambda bot: int(value[bot]))
        return assign(order, size, teams, (value[:, None] - value) ** 2)
