"""How a run is asked to end early: Ctrl-C, a polite kill, or its time limit."""

import signal
import time
from types import FrameType
from typing import Self

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """The wish that a run end soon, looked at between chunks; signals are caught while it is entered.

    The first signal asks for a tidy end, the second raises KeyboardInterrupt on the spot.
    """

    def __init__(self, time_limit_s: float | None = None) -> None:
        self._signalled = ""
        self._deadline = None if time_limit_s is None else time.monotonic() + time_limit_s

    @property
    def is_requested(self) -> bool:
        """Whether nothing new is to be begun."""
        return bool(self.reason)

    @property
    def reason(self) -> str:
        """The signal that asked for it, or `time limit`; empty as long as nothing did."""
        late = self._deadline is not None and time.monotonic() >= self._deadline
        return self._signalled or ("time limit" if late else "")

    def __enter__(self) -> Self:
        self._before = [signal.signal(number, self._on_signal) for number in SIGNALS]
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in zip(SIGNALS, self._before, strict=True):
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._signalled:
            raise KeyboardInterrupt
        self._signalled = signal.Signals(number).name
