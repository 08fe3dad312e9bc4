"""A request to end a run early: Ctrl-C, SIGTERM, SIGHUP (a closed terminal), or its time limit."""

import os
import signal
import stat
import time
from contextlib import suppress
from types import FrameType
from typing import Self

TIME_LIMIT = "time limit"
SIGHUP = getattr(signal, "SIGHUP", None)  # not on Windows
SIGNALS = (signal.SIGINT, signal.SIGTERM, *([SIGHUP] if SIGHUP else []))


class StopRequest:
    """A request that a run checks between chunks; signals are caught within its context.

    The first signal requests a graceful end, the second raises KeyboardInterrupt at once, a third ends the
    process: an exception while it unwinds could leave it waiting.

    Args:
        time_limit_s: Seconds after which an end is requested.
        notice: Written to standard error at the first signal.
    """

    def __init__(self, time_limit_s: float | None = None, notice: str = "") -> None:
        self._notice = notice.encode()
        self._signalled = self._requested = ""
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

    def request(self, reason: str) -> None:
        """Request a graceful end."""
        self._requested = reason

    def __enter__(self) -> Self:
        is_hangup_ignored = SIGHUP is not None and signal.getsignal(SIGHUP) is signal.SIG_IGN  # by nohup
        caught = [number for number in SIGNALS if not (is_hangup_ignored and number == SIGHUP)]
        self._before = {number: signal.signal(number, self._on_signal) for number in caught}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._signalled:
            for signal_number in self._before:
                signal.signal(signal_number, signal.SIG_DFL)
            raise KeyboardInterrupt
        self._signalled = signal.Signals(number).name
        with suppress(OSError):
            os.write(2, self._notice)  # not by sys.stderr, which may be in the middle of a write
        if number == SIGHUP:
            _leave_terminal()


def _leave_terminal() -> None:
    """Write nothing more to a terminal that was closed: that would be an error, and end the run at once."""
    null = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(descriptor).st_mode):
                os.dup2(null, descriptor)
    os.close(null)
