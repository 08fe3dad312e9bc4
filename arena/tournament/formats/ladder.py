"""Ladder: bots join one after another, and meet bots that they have not met and bots of similar rating."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import pstdev
from typing import Final

import numpy as np

from arena.errors import ConfigError
from arena.tournament.formats.base import Played, Round, RoundsFormat, Stage
from arena.tournament.formats.tiebreaks import ScoreTotals
from arena.tournament.schedule import PairHistory, assign, max_tables, schedule_rng, select_seated
from arena.tournament.setup.config import Config

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
