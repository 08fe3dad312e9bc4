"""How far a run is: a bar on a terminal, elsewhere a plain line a minute."""

import io
import sys
import time
from collections.abc import Callable
from typing import Never, Self, TextIO

from tqdm import tqdm

from arena.tournament.running.live_leader import LiveLeader
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import BlockResult

BAR = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} blocks [{elapsed}<{remaining}{postfix}]"
BAR_EVERY_S = 0.1
LINE_EVERY_S = 60.0


class Progress:
    """Blocks done, matches a second, the time left and who leads among the matches played since it began.

    `done` of the `total` blocks were there before. It writes to standard error, unless it is not to be
    `shown`; `clock` counts seconds.
    """

    def __init__(
        self,
        total: int,
        done: int = 0,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        shown: bool = True,
    ) -> None:
        self._stream = stream or (sys.stderr if shown else io.StringIO())
        self._clock = clock
        self._total, self._before, self._status = total, done, ""
        self._blocks = self._matches = 0
        self._standings = LiveLeader()
        self._bar: tqdm[Never] | None = None
        if self._stream.isatty():
            self._bar = tqdm(
                total=total,
                initial=done,
                file=self._stream,
                bar_format=BAR,
                dynamic_ncols=True,
                mininterval=0,  # drawn whenever it is told to, see BAR_EVERY_S
                miniters=1,
            )
        self._every_s = BAR_EVERY_S if self._bar is not None else LINE_EVERY_S
        self._start = self._shown = clock()

    def expect(self, total: int, status: str = "") -> None:
        """Changes how many blocks there will be in all, and what else is to be shown."""
        self._total, self._status = total, status
        if self._bar is not None:
            self._bar.total = total

    def find(self, blocks: int) -> None:
        """Counts blocks that need not be played."""
        self._before += blocks

    def add(self, block: Block, result: BlockResult) -> None:
        """Counts a block that was just played, and shows it if it is time to."""
        for seating, match in zip(block.seatings, result.matches, strict=True):
            self._standings.add(seating, match.placings)
        self.count(1, len(result.matches))

    def count(self, blocks: int, matches: int) -> None:
        """Counts blocks that nobody leads after."""
        self._blocks += blocks
        self._matches += matches
        self.tick()

    def tick(self) -> None:
        """Shows how far it is if it is time to, also where nothing has come in."""
        if self._clock() - self._shown >= self._every_s:
            self._show()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._show()
        if self._bar is not None:
            self._bar.close()

    def _show(self) -> None:
        self._shown = self._clock()
        done = self._before + self._blocks
        if self._bar is not None:
            self._bar.set_postfix_str(self._pace(), refresh=False)
            self._bar.update(done - self._bar.n)
            return
        self._stream.write(f"{done:,} of {self._total:,} blocks{self._time_left()}, {self._pace()}\n")
        self._stream.flush()

    def _pace(self) -> str:
        elapsed = self._clock() - self._start
        leader = self._standings.leader and f"{self._standings.leader} leads"
        pace = f"{self._matches / elapsed if elapsed else 0:,.0f} matches/s"
        return ", ".join(part for part in (pace, leader, self._status) if part)

    def _time_left(self) -> str:
        """What the plain line says and the bar works out by itself."""
        left = self._total - self._before - self._blocks
        if not (left and self._blocks):
            return ""
        seconds = left * (self._clock() - self._start) / self._blocks
        return f", {tqdm.format_interval(seconds)} left"
