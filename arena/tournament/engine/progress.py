"""Progress of a run, and requests to end it early."""

import io
import math
import os
import signal
import stat
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import FrameType, MappingProxyType
from typing import Any, Final, Never, Self, TextIO

from tqdm import tqdm

from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, MachineDelays

# --- display ---
# A bar on a terminal, elsewhere a plain line a minute.

BAR_WITHOUT_TIMES: Final = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} blocks"
BAR_FORMAT: Final = f"{BAR_WITHOUT_TIMES} [{{elapsed}}<{{remaining}}{{postfix}}]"
BAR_EVERY_S: Final = 0.1
LINE_EVERY_S: Final = 60.0
NO_LABELS: Final[Mapping[str, str]] = MappingProxyType({})
FIRST_LINE_S: Final = 2.0
"""Seconds of play after which the first line comes with the next stage, as the time left is known then."""
NOTICE_AFTER_S: Final = 60.0
"""Seconds of a run after which its notice is shown."""
MIN_WAITED_S: Final = 1.0
"""Time that bots waited for a CPU, in seconds, from which on the end of a run mentions it."""
MIN_WAITED_SHARE: Final = 0.05
"""The same, as a share of the run's time."""


class LiveLeader:
    """The mean share of opponents that each bot has left behind, a tie counting half.

    Attributes:
        excluded: Bots that cannot lead, as they were disqualified or withdrawn.
    """

    def __init__(self) -> None:
        self.excluded: set[str] = set()
        self._points: defaultdict[str, float] = defaultdict(float)
        self._matches: defaultdict[str, int] = defaultdict(int)

    def add(self, seating: Sequence[str], placings: Sequence[int]) -> None:
        """Count a match, given its bots and their placings by seat."""
        for bot, share in zip(seating, _shares_behind(tuple(placings)), strict=True):
            self._points[bot] += share
            self._matches[bot] += 1

    @property
    def leader(self) -> str:
        """The bot with the best mean, of those not excluded; empty while there is none or a tie."""
        means = {
            bot: self._points[bot] / self._matches[bot] for bot in self._matches if bot not in self.excluded
        }
        best = max(means.values(), default=0.0)
        tied = [bot for bot, mean in means.items() if math.isclose(mean, best, abs_tol=1e-9)]
        return tied[0] if len(tied) == 1 else ""


@lru_cache(maxsize=1 << 10)
def _shares_behind(placings: tuple[int, ...]) -> list[float]:
    """Return the share of opponents that each seat has left behind (cached, as placings repeat)."""
    seats = len(placings)
    ties = [placings.count(placing) for placing in placings]
    return [
        (seats + 1 - placing - tied + (tied - 1) / 2) / (seats - 1)
        for placing, tied in zip(placings, ties, strict=True)
    ]


class Progress:
    """Shows blocks done, matches a second, the time left, and the leader of all matches.

    Args:
        total: Blocks in all.
        done: Blocks that were stored before.
        stream: Stream to write to; standard error by default.
        clock: Counts seconds.
        shown: Whether to write at all.
        task: Word for what is done with the blocks, if they are not played.
        notice: Sentence to show once, when this has taken a minute.
        excluded: Bots that cannot lead, as they were withdrawn or the format has no leader.
        labels: Printed texts by the name of a bot.
        is_held: True to show neither a leader nor the status, as of a final whose results are held back.
    """

    def __init__(
        self,
        total: int,
        done: int = 0,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        shown: bool = True,
        task: str = "",
        notice: str = "",
        excluded: Iterable[str] = (),
        is_held: bool = False,
        labels: Mapping[str, str] = NO_LABELS,
    ) -> None:
        self._is_held = is_held
        self._task, self._notice = task, notice
        self._stream = stream or (sys.stderr if shown else io.StringIO())
        self._clock = clock
        self._total, self._before, self._status = total, done, ""
        self._blocks = self._matches = 0
        self._live_leader = LiveLeader()
        self._live_leader.excluded.update(excluded)
        self._timeouts: Counter[str] = Counter()
        self._delays = MachineDelays()
        self._labels = labels
        self._bar: tqdm[Never] | None = None
        if self._stream.isatty():
            self._bar = tqdm(
                total=total,
                initial=done,
                file=self._stream,
                bar_format=BAR_FORMAT,
                dynamic_ncols=True,
                mininterval=0,  # drawn at every update, see BAR_EVERY_S
                miniters=1,
            )
        self._every_s = BAR_EVERY_S if self._bar is not None else LINE_EVERY_S
        self._is_unshown = True
        self._first_at, self._first_blocks = math.inf, 0
        self._start = self._shown_at = clock()

    def set_total(self, total: int, status: str = "") -> None:
        """Set how many blocks there will be in all, and a status to show beside them."""
        self._total, self._status = total, status
        if self._bar is not None:
            self._bar.total = total
        elif self._is_unshown and self._clock() - self._first_at >= FIRST_LINE_S:
            self._show()

    def finish(self, status: str) -> None:
        """Count the blocks done as all: it may have ended before the greatest number there could be."""
        self._is_unshown = False
        self.set_total(self._before + self._blocks, status)

    def add_stored(self, block: Block, result: BlockResult) -> None:
        """Count a block that need not be played; it does not count for the pace."""
        self._count_results(block, result)
        self._before += 1
        if self._bar is not None:
            self._bar.initial += 1
            self._bar.n += 1

    def add(self, block: Block, result: BlockResult) -> None:
        """Count a block that was just played, and show it if it is time to."""
        self._count_results(block, result)
        self.count(1, len(result.matches))

    def _count_results(self, block: Block, result: BlockResult) -> None:
        self._live_leader.excluded.update(block.disqualified)
        for seating, match in zip(block.seatings, result.matches, strict=True):
            self._live_leader.add(seating, match.placings)
            self._timeouts.update(seating[seat] for seat, kind, _ in match.faults if kind == "timeout")

    def count(self, blocks: int, matches: int) -> None:
        """Count blocks without results."""
        self._blocks += blocks
        self._matches += matches
        if not self._first_blocks:  # what came before is the start of workers and bots
            self._first_at, self._first_blocks = self._clock(), self._blocks
        self.update()

    def add_delays(self, delays: MachineDelays) -> None:
        """Count what the machine cost bots without being charged to them."""
        self._delays += delays

    @property
    def delays_text(self) -> str:
        """The waits for a CPU and the matches that were begun again; empty if there were hardly any."""
        waited_s, repeats = self._delays.waited_s, self._delays.repeats
        parts = []
        if waited_s >= max(MIN_WAITED_S, MIN_WAITED_SHARE * (self._clock() - self._start)):
            parts.append(f"The CPU was short ({waited_s:,.0f} s of waiting in all). No bot was penalised.")
        if repeats:
            what = "1 match was" if repeats == 1 else f"{repeats:,} matches were"
            parts.append(f"{what} begun again because a bot's process had ended.")
        return " ".join(parts)

    @property
    def timeouts_text(self) -> str:
        """The bot that timed out most often, and how often; empty if none did."""
        return describe_timeouts(self._timeouts, self._labels)

    @property
    def played(self) -> int:
        """Blocks that were not stored before."""
        return self._blocks

    def update(self) -> None:
        """Show the progress if it is time to."""
        if self._notice and self._clock() - self._start >= NOTICE_AFTER_S:
            tqdm.write(self._notice, self._stream)
            self._notice = ""
        if self._clock() - self._shown_at >= self._every_s:
            self._show()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._show()
        if self._bar is not None:
            self._bar.close()

    def _show(self) -> None:
        self._shown_at, self._is_unshown = self._clock(), False
        done = self._before + self._blocks
        if self._bar is not None:
            self._bar.set_postfix_str(self._pace(), refresh=False)
            self._bar.update(done - self._bar.n)
            return
        if not (done or self._total):
            return  # there was nothing to play
        self._stream.write(f"{done:,} of {self._total:,} blocks{self._time_left()}, {self._pace()}\n")
        self._stream.flush()

    def _pace(self) -> str:
        elapsed = self._clock() - self._start
        leader = self._live_leader.leader
        leader = leader and f"{self._labels.get(leader, leader)} leads"
        pace = f"{self._matches / elapsed if elapsed else 0:,.0f} matches/s"
        standing = () if self._is_held else (leader, self._status, self.timeouts_text)
        return ", ".join(part for part in (pace, *standing, self._task) if part)

    def _time_left(self) -> str:
        """Return the time left for a plain line; the bar computes it itself."""
        left = self._total - self._before - self._blocks
        if not (left and self._blocks):
            return ""
        pace = (self._clock() - self._start) / self._blocks
        if blocks := self._blocks - self._first_blocks:
            pace = (self._clock() - self._first_at) / blocks
        seconds = left * pace
        return f", {tqdm.format_interval(seconds)} left"


def describe_timeouts(timeouts: Counter[str], labels: Mapping[str, str]) -> str:
    """Return which bot timed out most often, and so slows the run, if any did; `labels` by name."""
    for bot, count in timeouts.most_common(1):
        return f"{labels.get(bot, bot)} timed out {'once' if count == 1 else f'{count:,} times'}"
    return ""


def format_bar(done: int, total: int, elapsed_s: float, blocks_per_s: float, width: int) -> str:
    """Return the bar of a run that another process plays; without times while its speed is unknown."""
    style = BAR_FORMAT if blocks_per_s else BAR_WITHOUT_TIMES
    return tqdm.format_meter(
        done, total, elapsed_s, ncols=width, rate=blocks_per_s or None, bar_format=style
    ).strip()


# --- stop request ---
# A run ends early after Ctrl-C, SIGTERM, SIGHUP (a closed terminal), or its time limit.

TIME_LIMIT = "time limit"
SIGHUP = getattr(signal, "SIGHUP", None)  # not on Windows
SIGNALS = (signal.SIGINT, signal.SIGTERM, *([SIGHUP] if SIGHUP else []))
SIGALRM = getattr(signal, "SIGALRM", None)  # not on Windows
MAX_TIMER_S = 1e6
"""Maximum seconds for which the timer is set at once."""
GRACE_S = 2.0
"""Seconds that the blocks in play may take after a stop, before they are given up."""
RETRY_S = 0.02
"""Seconds until the next attempt to interrupt, where that is late or Ctrl-C is blocked."""


class StopRequest:
    """A request that a run checks between chunks; signals are caught within its context.

    The first signal requests a graceful end, the second raises KeyboardInterrupt at once, a third ends the
    process: an exception while it unwinds could leave it waiting.

    Args:
        time_limit_s: Seconds after which an end is requested.
        notice: Written to standard error at the first signal.
        grace_s: Seconds that work may take after a request by a signal or the time limit, see `interrupting`;
            None for no such limit.
        is_limit_graceful: True to finish the work in play after the time limit, however long it takes.
    """

    def __init__(
        self,
        time_limit_s: float | None = None,
        notice: str = "",
        grace_s: float | None = None,
        *,
        is_limit_graceful: bool = False,
    ) -> None:
        self._notice = notice.encode()
        self.grace_s = grace_s
        self._is_limit_graceful = is_limit_graceful
        self._signalled = self._requested = ""
        self._signalled_at = math.inf
        self._is_interrupting = False
        self._before: dict[int, Any] = {}
        self._deadline = None if time_limit_s is None else time.monotonic() + time_limit_s

    @property
    def is_requested(self) -> bool:
        """True if no new work should be started."""
        return bool(self.reason)

    @property
    def reason(self) -> str:
        """The signal that was received, `time limit`, or what was passed to `request`; empty without any."""
        late = self._deadline is not None and time.monotonic() >= self._deadline
        return self._signalled or self._requested or (TIME_LIMIT if late else "")

    @property
    def is_time_over(self) -> bool:
        """True if the time limit is the reason."""
        return self.reason == TIME_LIMIT

    @property
    def limit_text(self) -> str:
        """A clause that says when work that does not end by itself is given up."""
        if self.grace_s is None or (self.is_time_over and self._is_limit_graceful):
            return "press Ctrl-C again to stop at once"
        return f"those that are not within {self.grace_s:g} s are given up"

    @property
    def is_overdue(self) -> bool:
        """True if the grace is over."""
        return self.grace_s is not None and self._overdue_in_s <= 0

    def request(self, reason: str) -> None:
        """Request a graceful end."""
        self._requested = reason

    def __enter__(self) -> Self:
        is_hangup_ignored = SIGHUP is not None and signal.getsignal(SIGHUP) is signal.SIG_IGN  # by nohup
        caught = [number for number in SIGNALS if not (is_hangup_ignored and number == SIGHUP)]
        self._before = {number: signal.signal(number, self._on_signal) for number in caught}
        return self

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Raise KeyboardInterrupt in the context, as a second signal does, when the grace is over.

        It is to be entered by the main thread. On Windows, and within itself, it has no effect.
        """
        if self.grace_s is None or SIGALRM is None or self._is_interrupting:
            yield
            return
        before = signal.signal(SIGALRM, self._on_alarm)
        try:
            self._is_interrupting = True
            self._set_timer()
            yield
        finally:
            self._is_interrupting = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(SIGALRM, before)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._signalled:
            for signal_number in self._before:
                signal.signal(signal_number, signal.SIG_DFL)
            raise KeyboardInterrupt
        self._signalled, self._signalled_at = signal.Signals(number).name, time.monotonic()
        self._set_timer()
        with suppress(OSError):
            os.write(2, self._notice)  # not by sys.stderr, which may be in the middle of a write
        if number == SIGHUP:
            _leave_terminal()

    def _on_alarm(self, number: int, frame: FrameType | None) -> None:
        if self._overdue_in_s > 0:
            self._set_timer()
        elif signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()):  # workers are being started
            signal.setitimer(signal.ITIMER_REAL, RETRY_S)
        elif self._is_interrupting:
            self._is_interrupting = False
            raise KeyboardInterrupt

    @property
    def _overdue_in_s(self) -> float:
        """Seconds until the grace is over; infinite without one."""
        end = math.inf if self._deadline is None or self._is_limit_graceful else self._deadline
        return min(self._signalled_at, end) + (self.grace_s or 0) - time.monotonic()

    def _set_timer(self) -> None:
        if self._is_interrupting:
            seconds = min(max(self._overdue_in_s, RETRY_S), MAX_TIMER_S)
            signal.setitimer(signal.ITIMER_REAL, seconds)


def _leave_terminal() -> None:
    """Write nothing more to a terminal that was closed: that would be an error, and end the run at once."""
    null = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(descriptor).st_mode):
                os.dup2(null, descriptor)
    os.close(null)
