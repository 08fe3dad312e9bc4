"""Disqualification of bots that lose too many matches of a run by their faults.

A disqualified bot stays in the schedule, so that all others meet the opponents they would have met; it is no
longer asked, and its quiet action is played. This is decided at checkpoints, on the finished blocks before
one, for all blocks after it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

import msgspec

from arena.play.isolation import Level
from arena.tournament.formats import Stage
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.storage.fault_losses import FIRST_CHECKPOINT, FaultLosses
from arena.tournament.storage.played_blocks import read_outcomes
from arena.tournament.storage.store import Store

log = logging.getLogger(__name__)


class StagePart:
    """A part of a stage, in which some bots are disqualified."""

    def __init__(self, stage: Stage, indices: range, disqualified: Collection[str]) -> None:
        self.indices = indices
        self._stage, self._disqualified = stage, frozenset(disqualified)

    def __iter__(self) -> Iterator[Block]:
        start = self._stage.indices.start
        for block in islice(self._stage, self.indices.start - start, self.indices.stop - start):
            bots = self._disqualified.intersection(block.all_bots)
            yield msgspec.structs.replace(block, disqualified=tuple(sorted(bots))) if bots else block


class Disqualifications:
    """The disqualified bots of a run, and from which block on they are."""

    def __init__(self, config: Config, levels: Mapping[str, Level], announces: bool = True) -> None:
        self._losses = FaultLosses(config.limits.faults)
        self.since = self._losses.since
        self._announces = announces
        self._applies = any(level != "inline" for level in levels.values())

    def split(self, stage: Stage, store: Store, *, needs_all: bool = True) -> Iterator[Stage]:
        """Yield the parts of a stage between checkpoints; take the next when all of one has been played.

        To be called for all stages of a run, from the first on. Without `needs_all` the parts after one that
        lacks blocks are yielded too, with those bots disqualified that were before it.
        """
        if not self._applies:
            yield stage
            return
        for indices in split_at_checkpoints(stage.indices):
            part = StagePart(stage, indices, self.since)
            yield part
            if store.count(indices) < len(indices):
                rest = range(indices.stop, stage.indices.stop)
                if rest and not needs_all:
                    yield StagePart(stage, rest, self.since)
                return
            for block, result in read_outcomes(part, store, indices):
                for bot in self._losses.add(block, result.matches):
                    log.log(
                        logging.WARNING if self._announces else logging.DEBUG,
                        "%s is disqualified from block %d on: it lost %d of %d matches by its faults",
                        bot,
                        self.since[bot],
                        self._losses.lost[bot],
                        self._losses.matches[bot],
                    )


def split_at_checkpoints(indices: range) -> Iterator[range]:
    """Yield the indices, split at the checkpoints."""
    start, checkpoint = indices.start, FIRST_CHECKPOINT
    while start < indices.stop:
        while checkpoint <= start:
            checkpoint *= 2
        stop = min(checkpoint, indices.stop)
        yield range(start, stop)
        start = stop
