"""Formats that search: one bot plays with the settings of many candidates, all of them on the same deals."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Generator, Mapping, Sequence
from statistics import fmean
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec

from arena.tournament.formats.base import BlockRange, Format, Played, Stage
from arena.tournament.paired_blocks import rotate
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game


class BlockScore(NamedTuple):
    """The result of one block."""

    score: float
    """Share of points that the bot takes, 0 to 1."""
    faults: int
    """Faults of the bot whose faults count."""


class TrialScores(NamedTuple):
    """The results of one candidate, in the order of its blocks."""

    scores: list[float]
    faults: int
    """Faults in all of them."""

    @property
    def mean(self) -> float:
        """The mean score."""
        return fmean(self.scores)


ResultT = TypeVar("ResultT")
Trials = Generator[Stage, list[TrialScores], ResultT]
"""Stages of a search, each answered with the results of its candidates, and what follows from them."""
Steps = Trials[None]


class SearchFormat(Format):
    """A search for settings of the first bot, which has every seat in turn among the others.

    A stage has the blocks of some candidates, one candidate after another, all with the same numbers: deals
    and opponents depend on the number of a block and on the stream that it is of.
    """

    takes: ClassVar[frozenset[str]] = frozenset()
    seats_copies = True
    disqualifies = False
    has_leader = False

    def __init__(self, config: Config, seed: str) -> None:
        self.config = config
        self.seed = seed
        self._bot, *self._others = (bot.name for bot in config.bots)
        self._games = [(str(entry.rules), size) for entry in config.variants for size in entry.players]
        self._starts: list[int] = []
        self._seeds: list[str] = []
        """Index of the first block of each stage, and the seed of its stream."""
        self._end = 0
        self._candidates = 0
        """Those of the last stage."""
        self._results: list[TrialScores] | None = None
        self._steps = self._search()
        self.is_over = False
        """True if no block is left to play."""

    @abstractmethod
    def _search(self) -> Steps:
        """Yield the stages of the search."""

    @abstractmethod
    def _draw_opponents(self, number: int, seats: int, seed: str) -> list[str]:
        """Return the others at the table of a block of a stream, in the order of their seats."""

    @abstractmethod
    def _score(self, block: Block, result: BlockResult) -> BlockScore:
        """Return the result of a block."""

    def next_stage(self) -> Stage | None:
        try:
            return next(self._steps) if self._results is None else self._steps.send(self._results)
        except StopIteration:
            self.is_over = True
            return None

    def observe(self, played: Played) -> None:
        blocks = [self._score(block, result) for block, result in played]
        size = len(blocks) // self._candidates
        each = [blocks[start : start + size] for start in range(0, len(blocks), size)]
        self._results = [
            TrialScores([block.score for block in own], sum(block.faults for block in own)) for own in each
        ]

    def seed_at(self, index: int) -> str | None:
        return self._seeds[bisect_right(self._starts, index) - 1] if index < self._end else None

    def game(self, number: int) -> Game:
        """Return the game of a block, and its number of players."""
        return self._games[number % len(self._games)]

    def block(self, number: int, seed: str) -> Block:
        """Return a block of a stream by its number."""
        variant, players = self.game(number)
        seatings = tuple(rotate([self._bot, *self._draw_opponents(number, players - 1, seed)]))
        return Block(number, variant, players, tuple(sorted(seatings[0])), number, seatings, seed=seed)

    def _stage(self, candidates: Sequence[Mapping[str, Any]], numbers: range, stream: str) -> Stage:
        """Return the blocks of candidates, given by their settings beside the bot's own."""
        start, seed = self._end, f"{self.seed}/{stream}"
        self._starts.append(start)
        self._seeds.append(seed)
        self._candidates = len(candidates)
        self._end += len(candidates) * len(numbers)

        def make_block(index: int) -> Block:
            candidate, place = divmod(index - start, len(numbers))
            settings = {self._bot: dict(candidates[candidate])}
            return msgspec.structs.replace(self.block(numbers[place], seed), index=index, settings=settings)

        return BlockRange(range(start, self._end), make_block)
