"""Ladder: bots join one after another, and meet those they have not met and those who are as strong."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import pstdev
from typing import Final

import numpy as np

from arena.tournament.formats.base import Played, Scoreboard, Stage
from arena.tournament.formats.participants import Participants, Round
from arena.tournament.formats.tiebreaks import ScoreTotals
from arena.tournament.matchmaking.table_assignment import assign, max_tables, select_seated
from arena.tournament.matchmaking.tables import PairHistory
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.setup.config import Config

LEAST_JITTER: Final = 100.0
"""Elo; with less, tables of equals only would inflate the spread of the ratings."""
JITTER: Final = 1.5
"""Standard deviations of the ratings, for the same reason."""


class Ladder:
    """The course of a ladder: bots join in the order of the config, once they fill a table.

    Whenever one joins, there are as many rounds as `blocks`, in two stages: first balanced ones, in which
    all pairs meet equally often, and then as many, or one less, of neighbours by rating. The ratings are
    fitted anew to everything played, and each round adds to them a random error of its own, of 100 Elo or
    1.5 times their standard deviation if that is more. In both those who have played least sit first, so
    that a new bot plays every round. Rounds end before `max_blocks` blocks of the run would be exceeded.
    With fewer balanced tables, or less error, intervals about the ratings came out too narrow in simulations.
    """

    def __init__(self, config: Config, seed: str) -> None:
        self._field = Participants(config, seed)
        self._seed = seed
        self._blocks, self._most = config.blocks, config.max_blocks
        joined = range(self._field.size, len(self._field.names) + 1)
        self._stages = iter([(bots, balanced) for bots in joined for balanced in (True, False)])
        self._round = 0
        self._end = 0
        self._meetings = PairHistory(self._field.teams)
        self._scores = ScoreTotals(self._field.names, self._field.size)

    @property
    def total(self) -> int:
        """The blocks of all rounds."""
        teams, size = self._field.teams, self._field.size
        tables = sum(max_tables(teams[:joined], size) for joined in range(size, len(teams) + 1))
        return min(tables * self._blocks * len(self._field.variants), self._most)

    @property
    def status(self) -> str:
        """The round."""
        return f"round {self._round}"

    def next_stage(self) -> Stage | None:
        """The next rounds that have a table."""
        for joined, balanced in self._stages:
            stage = self._field.stage(self._end, list(self._rounds(joined, balanced)))
            if stage.indices:
                self._end = stage.indices.stop
                return stage
        return None

    def observe(self, played: Played) -> None:
        """Counts some rounds."""
        for block, result in played:
            self._scores.add(block, result)

    def scoreboard(self) -> Scoreboard | None:
        """None: the ratings are the standings."""
        return None

    def _rounds(self, joined: int, balanced: bool) -> Iterator[Round]:
        """The rounds of a stage, with the bots that have joined."""
        here = self._field.here(range(joined), self._end)
        elo = () if balanced else self._scores.elo()
        end = self._end
        self._meetings.forget_who_met()
        for _ in range((self._blocks + balanced) // 2):
            rng = schedule_rng(self._seed, "ladder", self._round)
            tables = self._balanced(here, rng) if balanced else self._neighbours(here, rng, elo)
            end += len(tables) * len(self._field.variants)
            if end > self._most:
                break
            self._meetings.add(tables)
            yield Round(tables, range(self._round, self._round + 1))
            self._round += 1

    def _balanced(self, here: list[int], rng: Random) -> list[list[int]]:
        return self._meetings.balanced(here, self._field.size, rng)

    def _neighbours(self, here: list[int], rng: Random, elo: Sequence[float]) -> list[list[int]]:
        """Tables of bots whose ratings, each with an error, are close together."""
        size, teams = self._field.size, self._field.teams
        jitter = max(LEAST_JITTER, JITTER * pstdev(elo[bot] for bot in here)) if here else 0.0
        value = np.rint([rating + rng.gauss(0, jitter) for rating in elo]).astype(np.int64)
        sitting = select_seated(self._meetings.by_play(here, rng), size, teams)
        order = sorted(sitting, key=lambda bot: int(value[bot]))
        return assign(order, size, teams, (value[:, None] - value) ** 2)
