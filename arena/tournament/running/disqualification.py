"""Putting bots out of a run that lose too many of its matches by their faults.

Such a bot stays in the schedule, so that everybody else meets what they would have met; it is no longer
asked, and its quiet action is played. Who is out is decided on the finished blocks before a checkpoint, for
all blocks after it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

import msgspec

from arena.play.isolation import Level
from arena.tournament.formats import Stage
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.storage.block_results import MatchResult
from arena.tournament.storage.played_blocks import read_outcomes
from arena.tournament.storage.store import Store

log = logging.getLogger(__name__)

FIRST = 32
"""Blocks before the first checkpoint; each later one comes after twice as many."""
LEAST = 16
"""Matches lost so that put nobody out yet."""
SHARE = 0.5
"""Of a bot's matches, lost so, that puts it out."""


class Part:
    """A part of a stage, in which some bots are not asked."""

    def __init__(self, stage: Stage, indices: range, out: Collection[str]) -> None:
        self.indices = indices
        self._stage, self._out = stage, frozenset(out)

    def __iter__(self) -> Iterator[Block]:
        start = self._stage.indices.start
        for block in islice(self._stage, self.indices.start - start, self.indices.stop - start):
            out = self._out.intersection(block.all_bots)
            yield msgspec.structs.replace(block, out=tuple(sorted(out))) if out else block


class Disqualifications:
    """Who is out of a run, from which block on."""

    def __init__(self, config: Config, levels: Mapping[str, Level]) -> None:
        self.out: dict[str, int] = {}
        self._faults = config.limits.faults
        self._applies = any(level != "inline" for level in levels.values())
        self._matches: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()

    def parts(self, stage: Stage, store: Store) -> Iterator[Stage]:
        """The parts of a stage between checkpoints; the next is asked for when all of one has been played.

        To be called for all stages of a run, from the first on.
        """
        if not self._applies:
            yield stage
            return
        for indices in cut(stage.indices):
            part = Part(stage, indices, self.out)
            yield part
            if store.count(indices) < len(indices):
                return
            for block, result in read_outcomes(part, store, indices):
                self._count(block, result.matches)
            if is_checkpoint(indices.stop):
                self._decide(indices.stop)

    def _count(self, block: Block, matches: tuple[MatchResult, ...]) -> None:
        for seating, match in zip(block.seatings, matches, strict=True):
            faults = Counter(seat for seat, _, _ in match.faults)
            gone = {seat for seat, kind, _ in match.faults if kind == "no-start"}
            for seat, bot in enumerate(seating):
                if bot not in self.out:
                    self._matches[bot] += 1
                    self._lost[bot] += seat in gone or faults[seat] >= self._faults

    def _decide(self, index: int) -> None:
        for bot, lost in self._lost.items():
            matches = self._matches[bot]
            if bot not in self.out and lost > LEAST and lost >= SHARE * matches:
                self.out[bot] = index
                words = "%s is out of the run from block %d on: it lost %d of %d matches by its faults"
                log.warning(words, bot, index, lost, matches)


def is_checkpoint(index: int) -> bool:
    """Whether it is decided before the block of this index who is out."""
    blocks = index // FIRST
    return index % FIRST == 0 and blocks > 0 and blocks & (blocks - 1) == 0


def cut(indices: range) -> Iterator[range]:
    """The indices, cut at the checkpoints."""
    start, checkpoint = indices.start, FIRST
    while start < indices.stop:
        while checkpoint <= start:
            checkpoint *= 2
        stop = min(checkpoint, indices.stop)
        yield range(start, stop)
        start = stop
