"""The time that a check may take: CPU time of this process, so that it examines as much on a busy machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from time import process_time
from typing import Final, TypeVar

ItemT = TypeVar("ItemT")


class OutOfTime(Exception):
    """A deadline has passed."""


class Deadline:
    """The end of the time for a check or a part of it.

    Args:
        seconds: CPU time from now; None for no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self._start = process_time()
        self._seconds = inf if seconds is None else seconds

    @property
    def is_past(self) -> bool:
        """True once the time is over."""
        return process_time() - self._start >= self._seconds

    def part(self, share: float) -> Deadline:
        """Return the deadline of a part that starts now and may take this share of the time left."""
        left = self._start + self._seconds - process_time()
        return Deadline(max(0.0, share * left))

    def limit(self, items: Iterable[ItemT]) -> Iterator[ItemT]:
        """Yield items until the time is over, the first one in any case."""
        for number, item in enumerate(items):
            if number and self.is_past:
                return
            yield item

    def check(self) -> None:
        """Raise `OutOfTime` if the time is over."""
        if self.is_past:
            raise OutOfTime


NO_DEADLINE: Final = Deadline(None)
