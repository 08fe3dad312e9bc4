"""Disqualification of bots that lose too many matches of a run by their faults.

A bot is disqualified if it lost all its matches so, at least 8, or half of them and more than 16. It stays in
the schedule, so that all others meet the opponents they would have met; it is no longer asked, and its quiet
action is played. This is decided at checkpoints, on the finished blocks before one, for all blocks after it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Final

import msgspec

from arena.play.isolation import Level
from arena.tournament.formats import Stage
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.storage.block_result_encoding import MatchResult
from arena.tournament.storage.played_blocks import read_outcomes
from arena.tournament.storage.store import Store

FIRST_CHECKPOINT: Final = 4
"""Blocks before it; each later checkpoint comes after twice as many."""
MAX_TOLERATED: Final = 16
"""Matches lost by faults that disqualify no bot yet."""
MAX_SHARE: Final = 0.5
"""Largest share of a bot's matches that its failures may decide."""
MIN_ALL_LOST: Final = 8
"""Matches from which on a bot that lost all of them by its faults is disqualified."""

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
        self.since: dict[str, int] = {}
        self._announces = announces
        self._max_faults = config.limits.faults
        self._applies = any(level != "inline" for level in levels.values())
        self._matches: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()

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
                self._count(block, result.matches)
            if is_checkpoint(indices.stop):
                self._decide(indices.stop)

    def _count(self, block: Block, matches: tuple[MatchResult, ...]) -> None:
        for seating, match in zip(block.seatings, matches, strict=True):
            faults = Counter(seat for seat, _, _ in match.faults)
            not_started = {seat for seat, kind, _ in match.faults if kind == "no-start"}
            for seat, bot in enumerate(seating):
                if bot not in self.since:
                    self._matches[bot] += 1
                    self._lost[bot] += seat in not_started or faults[seat] >= self._max_faults

    def _decide(self, index: int) -> None:
        for bot, lost in self._lost.items():
            matches = self._matches[bot]
            if bot not in self.since and is_excessive(lost, matches):
                self.since[bot] = index
                log.log(
                    logging.WARNING if self._announces else logging.DEBUG,
                    "%s is disqualified from block %d on: it lost %d of %d matches by its faults",
                    bot,
                    index,
                    lost,
                    matches,
                )


def is_excessive(lost: int, matches: int) -> bool:
    """Return whether a bot that lost so many of its matches by its faults is disqualified."""
    often = lost > MAX_TOLERATED and lost >= MAX_SHARE * matches
    return often or lost == matches >= MIN_ALL_LOST


def is_checkpoint(index: int) -> bool:
    """Return whether disqualifications are decided before the block of this index."""
    blocks = index // FIRST_CHECKPOINT
    return index % FIRST_CHECKPOINT == 0 and blocks > 0 and blocks & (blocks - 1) == 0


def split_at_checkpoints(indices: range) -> Iterator[range]:
    """Yield the indices, split at the checkpoints."""
    start, checkpoint = indices.start, FIRST_CHECKPOINT
    while start < indices.stop:
        while checkpoint <= start:
            checkpoint *= 2
        stop = min(checkpoint, indices.stop)
        yield range(start, stop)
        start = stop
