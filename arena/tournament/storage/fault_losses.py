"""Matches that bots lost by their faults, and the bots that are disqualified for them.

A bot is disqualified if it lost all its matches so, at least 8, or half of them and more than 16. This is
decided at checkpoints, on all blocks before one.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import MatchResult

FIRST_CHECKPOINT: Final = 4
"""Blocks before it; each later checkpoint comes after twice as many."""
MAX_TOLERATED: Final = 16
"""Matches lost by faults that disqualify no bot yet."""
MAX_SHARE: Final = 0.5
"""Largest share of a bot's matches that its failures may decide."""
MIN_ALL_LOST: Final = 8
"""Matches from which on a bot that lost all of them by its faults is disqualified."""


class FaultLosses:
    """The matches that bots lost by their faults, up to their disqualification.

    Attributes:
        matches: Matches of each bot, by name; one with two seats at a table counts twice.
        lost: Those of them that the bot lost by its faults.
        since: The index of the first block without each disqualified bot, by name.

    Args:
        max_faults: Faults with which a bot loses a match.
    """

    def __init__(self, max_faults: int) -> None:
        self.matches: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.since: dict[str, int] = {}
        self._max_faults = max_faults

    def add(self, block: Block, matches: tuple[MatchResult, ...]) -> list[str]:
        """Count the next block of a run, and return the bots that are disqualified from then on."""
        for seating, match in zip(block.seatings, matches, strict=True):
            faults = Counter(seat for seat, _, _ in match.faults)
            not_started = {seat for seat, kind, _ in match.faults if kind == "no-start"}
            for seat, bot in enumerate(seating):
                if bot not in self.since:
                    self.matches[bot] += 1
                    self.lost[bot] += seat in not_started or faults[seat] >= self._max_faults
        index = block.index + 1
        if not is_checkpoint(index):
            return []
        bots = [bot for bot in self.matches if bot not in self.since]
        disqualified = [bot for bot in bots if is_excessive(self.lost[bot], self.matches[bot])]
        self.since.update(dict.fromkeys(disqualified, index))
        return disqualified


def is_excessive(lost: int, matches: int) -> bool:
    """Return whether a bot that lost so many of its matches by its faults is disqualified."""
    often = lost > MAX_TOLERATED and lost >= MAX_SHARE * matches
    return often or lost == matches >= MIN_ALL_LOST


def is_checkpoint(index: int) -> bool:
    """Return whether disqualifications are decided before the block of this index."""
    blocks = index // FIRST_CHECKPOINT
    return index % FIRST_CHECKPOINT == 0 and blocks > 0 and blocks & (blocks - 1) == 0
