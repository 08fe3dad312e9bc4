"""A run that another process plays: its progress and its table, printed or drawn again at intervals."""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tqdm import tqdm

from arena.columns.number_format import format_count
from arena.output.texts.run import resume_command, run_table, with_title
from arena.output.words.terminal_layout import TerminalSize
from arena.plugins.games import arena_command
from arena.tournament.engine.progress import describe_timeouts, format_bar
from arena.tournament.run import Run
from arena.tournament.store.database import is_being_written

BAR_WIDTH: Final = 80
QUIET_S: Final = 10.0
"""Seconds without a new block before a stall is reported."""
REST_RATIO: Final = 4
"""Minimum pause between two looks, as a multiple of the time one takes, to keep watching cheap."""
CURSOR_HOME: Final = "\x1b[H"
CLEAR_SCREEN: Final = "\x1b[2J"
CLEAR_LINE: Final = "\x1b[K"
CLEAR_BELOW: Final = "\x1b[J"


class _Progress(NamedTuple):
    done: int
    is_complete: bool
    is_stopped: bool
    """True if blocks are missing, and no process plays them."""
    status: str


class LiveView:
    """Shows a run at intervals, until it is complete.

    Args:
        folder: The run's.
        write: Gets the text.
        every: Seconds between two looks, at least.
        get_size: Returns the size of the terminal that is drawn in; without one each change is printed.
        sleep: Waits for seconds; returns whether the terminal was resized meanwhile.
        clock: Counts seconds.
    """

    def __init__(
        self,
        folder: Path,
        write: Callable[[str], None],
        *,
        every: float,
        get_size: Callable[[], TerminalSize] | None = None,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._write, self._every = folder, write, every
        self._get_size, self._sleep, self._clock = get_size, sleep, clock
        self._shown: _Progress | None = None
        self._size: TerminalSize | None = None
        self._first = self._last = (0.0, 0)
        """Time and blocks at the first look, and when there was a new block last."""

    def show(self) -> bool:
        """Look at the run, and show it if anything has changed; return whether it is complete."""
        run = Run.open(self._folder)
        progress, now = _look(run), self._clock()
        if self._shown is None:
            self._first = self._last = now, progress.done
        elif progress.done != self._last[1]:
            self._last = now, progress.done
        if not progress.is_complete:  # it is looked at again and again
            run.use_results(run.results().with_anytime())
        if self._get_size:
            self._draw(run, progress, self._get_size())
        elif progress != self._shown:
            self._write(("\n" if self._shown else "") + self._text(run, progress) + "\n")
        self._shown = progress
        return progress.is_complete

    def run_until_complete(self) -> None:
        """Show the run until it is complete; KeyboardInterrupt ends it sooner."""
        while True:
            start = self._clock()
            if self.show():
                return
            until = self._clock() + max(self._every, REST_RATIO * (self._clock() - start))
            while self._sleep(max(until - self._clock(), 0)):
                self.show()

    def _draw(self, run: Run, progress: _Progress, size: TerminalSize) -> None:
        """Draw over what is there, as many lines as fit."""
        lines = self._text(run, progress, size.columns).splitlines()
        if (surplus := len(lines) - size.lines + 2) > 1:
            rest = f"… {surplus} more lines: {arena_command()} table {self._folder}"
            lines = [*lines[:-surplus], rest]
        drawn = "".join(f"{line}{CLEAR_LINE}\n" for line in lines)
        start = CURSOR_HOME if size == self._size else CURSOR_HOME + CLEAR_SCREEN
        self._write(f"{start}{drawn}{CLEAR_BELOW}")
        self._size = size

    def _text(self, run: Run, progress: _Progress, width: int | None = None) -> str:
        seconds, blocks = (last - first for last, first in zip(self._last, self._first, strict=True))
        speed = blocks / seconds if seconds else 0.0
        details = [f"{speed:,.1f} blocks/s"] if speed else []
        results = run.results()
        details += [format_count(results.faults.total(), "faults"), progress.status]
        timeouts = Counter({bot: count for (bot, kind), count in results.faults.items() if kind == "timeout"})
        details.append(describe_timeouts(timeouts, results.labels))
        if progress.is_stopped:
            details.append(f"not being played: `{resume_command(run)}` continues it")
        elif not progress.is_complete and (quiet_s := self._clock() - self._last[0]) >= QUIET_S:
            details.append(f"no new block for {tqdm.format_interval(quiet_s)}")
        if progress.is_complete:
            line = f"{format_count(progress.done, 'blocks')}, all played"
        elif run.total is None:
            line = f"{format_count(progress.done, 'blocks')} so far"
        else:
            line = format_bar(progress.done, run.total, self._clock() - self._first[0], speed, BAR_WIDTH)
        table = run_table(run, width=width) if progress.done else "Nothing has been played yet."
        head = f"{self._folder}  {run.config.format}\n{line}\n{', '.join(filter(None, details))}"
        return f"{head}\n\n{with_title(run, table)}"


def _look(run: Run) -> _Progress:
    is_played = is_being_written(run.folder.path)
    with run.open_store() as store:
        *_, last = run.stages.decided(store)
        done, is_complete = store.count(), store.count(last.indices) >= run.shard.count(last.indices)
    return _Progress(done, is_complete, not (is_complete or is_played), run.stages.format.status)
