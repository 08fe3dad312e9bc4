"""Clocks that stand still: for a process that only plays a game, to see whether the game reads them."""

from __future__ import annotations

import datetime
import time
from typing import Any, Final, Self

EPOCH_S: Final = 1_700_000_000.0
"""First time that clocks show, in seconds since 1970."""


class FrozenClock:
    """Time that all clocks of this process show.

    Attributes:
        now: Seconds since 1970.
    """

    def __init__(self) -> None:
        self.now = EPOCH_S


def freeze_clocks() -> FrozenClock:
    """Replace the clocks of `time` and `datetime` in this process, for good, and return what they show."""
    clock = FrozenClock()
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, name, lambda: clock.now)
        setattr(time, f"{name}_ns", lambda: int(clock.now * 1e9))
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, _with_default(getattr(time, name), clock))

    class FrozenDatetime(datetime.datetime):
        """A datetime whose `now` is the frozen clock's."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Self:
            return cls.fromtimestamp(clock.now, tz)

        @classmethod
        def utcnow(cls) -> Self:
            return cls.fromtimestamp(clock.now, datetime.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Self:
            return cls.fromtimestamp(clock.now)

    class FrozenDate(datetime.date):
        """A date whose `today` is the frozen clock's."""

        @classmethod
        def today(cls) -> Self:
            return cls.fromtimestamp(clock.now)

    datetime.datetime = FrozenDatetime  # type: ignore[misc]
    datetime.date = FrozenDate  # type: ignore[misc]
    return clock


def _with_default(function: Any, clock: FrozenClock) -> Any:
    return lambda seconds=None: function(clock.now if seconds is None else seconds)
