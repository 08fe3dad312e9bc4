"""Trials: blocks of a bot with different settings, all on the same deals, and their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, takewhile
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from arena.tournament.formats.paired_design import rotate
from arena.tournament.running.engine import Engine
from arena.tournament.running.progress import Progress
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import BlockResult, Failure, PackedBlock
from arena.tournament.storage.decision_times import TimeKey, TimeSum
from arena.tournament.storage.store import IndexSet
from arena.tournament.storage.tally import Game

Candidate = Mapping[str, Any] | None
"""The settings of the bot beside its own; None for none."""


class BlockScore(NamedTuple):
    """The result of one block.

    Attributes:
        score: Share of points that the bot takes, 0 to 1.
        faults: Faults of the bot whose faults count.
    """

    score: float
    faults: int


class TrialScores(NamedTuple):
    """The results of one candidate.

    Attributes:
        scores: Its scores in its blocks, in their order.
        faults: Faults in all of them.
    """

    scores: list[float]
    faults: int

    @property
    def mean(self) -> float:
        """The mean score."""
        return fmean(self.scores)


class Trials:
    """Blocks in which a bot has every seat in turn among others, on the same cards.

    Args:
        engine: Plays them.
        bot: The bot whose settings the candidates are.
        games: The games, played in turn.
        seed: Decides the deals.
        draw_opponents: Returns the others at the table of a block, in the order of their seats, given its
            number and their number.
        score: Returns the result of a block.
    """

    def __init__(
        self,
        engine: Engine,
        bot: str,
        games: Sequence[Game],
        seed: str,
        draw_opponents: Callable[[int, int], list[str]],
        score: Callable[[Block, BlockResult], BlockScore],
    ) -> None:
        self._engine, self._bot, self._games, self._seed = engine, bot, games, seed
        self._draw_opponents, self._score = draw_opponents, score
        self.failures: Counter[Failure] = Counter()
        """Number of times each failure of any bot happened."""

    def game(self, number: int) -> Game:
        """Return the game of a block, and its number of players."""
        return self._games[number % len(self._games)]

    def block(self, number: int) -> Block:
        """Return a block by its number."""
        variant, players = self.game(number)
        seatings = tuple(rotate([self._bot, *self._draw_opponents(number, players - 1)]))
        return Block(number, variant, players, tuple(sorted(seatings[0])), number, seatings, seed=self._seed)

    def play(
        self,
        candidates: Sequence[Candidate],
        numbers: Sequence[range],
        stop: StopRequest,
        on_played: Callable[[Block], None] = lambda block: None,
        progress: Progress | None = None,
    ) -> list[TrialScores]:
        """Return the results of candidates in their blocks, up to the first that was not played any more.

        Args:
            candidates: Their settings.
            numbers: Numbers of the blocks of each.
            stop: Once it is requested, blocks in play are finished, and no others started.
            on_played: Called with each block.
            progress: Shows the progress.
        """
        played: dict[int, BlockScore] = {}

        def add_score(block: Block, result: BlockResult) -> None:
            played[block.index] = self._score(block, result)
            on_played(block)

        self._engine.play(self._schedule(candidates, numbers), self, stop, add_score, progress=progress)
        trial_scores, end = [], 0
        for own in numbers:
            start, end = end, end + len(own)
            indices = takewhile(played.__contains__, range(start, end))
            scores = [played[index] for index in indices]
            trial_scores.append(
                TrialScores([block.score for block in scores], sum(block.faults for block in scores))
            )
        return trial_scores

    def _schedule(self, candidates: Sequence[Candidate], numbers: Sequence[range]) -> Iterable[Block]:
        indices = count()
        for candidate, own in zip(candidates, numbers, strict=True):
            settings = None if candidate is None else {self._bot: dict(candidate)}
            for number in own:
                yield msgspec.structs.replace(self.block(number), index=next(indices), settings=settings)

    def done(self) -> IndexSet:
        """Return the blocks that need not be played: none."""
        return IndexSet()

    def add(
        self,
        blocks: Iterable[PackedBlock],
        failures: Mapping[Failure, int],
        times: Mapping[TimeKey, TimeSum],
    ) -> None:
        """Count failures; the blocks are scored as they come in, and not stored."""
        self.failures.update(failures)
