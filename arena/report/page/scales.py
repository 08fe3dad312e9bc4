"""From numbers to places in a drawing, and the round numbers along its edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

STEPS = (1, 2, 5, 10)


class Scale(NamedTuple):
    """A straight scale: `low` lies at `start`, `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value lies, to a tenth."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, about: int) -> list[float]:
        """Round values on the scale, about so many."""
        step = round_step((self.high - self.low) / max(about, 1))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def around(values: Sequence[float], start: float, end: float, margin: float = 0.04) -> Scale:
    """A scale on which all these values fit."""
    low, high = min(values), max(values)
    space = (high - low or 1) * margin
    return Scale(low - space, high + space, start, end)


def round_step(least: float) -> float:
    """The smallest step that is 1, 2 or 5 times a power of ten and no smaller than this."""
    power = 10 ** math.floor(math.log10(least)) if least > 0 else 1
    return next(step * power for step in STEPS if step * power >= least * (1 - 1e-9))


def powers(low: float, high: float) -> list[int]:
    """The powers of ten between two values."""
    return [10**n for n in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]
