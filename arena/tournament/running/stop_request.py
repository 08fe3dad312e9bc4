"""A request to end a run early: Ctrl-C, SIGTERM, SIGHUP (a closed terminal), or its time limit."""

import math
import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Self

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
