"""Linear scales of figures, and their round tick values."""

import math
from collections.abc import Sequence
from typing import NamedTuple

ROUND_FACTORS = (1, 2, 5, 10)


class Scale(NamedTuple):
    """A linear scale that maps `low` to the coordinate `start` and `high` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the coordinate of a value, rounded to 0.1."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, count: int) -> list[float]:
        """Return about `count` round values on the scale."""
        step = round_step((self.high - self.low) / max(count, 1))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def fit_scale(values: Sequence[float], start: float, end: float, margin: float = 0.04) -> Scale:
    """Return a scale that fits all values, with a margin as a share of their range."""
    low, high = min(values), max(values)
    space = (high - low or 1) * margin
    return Scale(low - space, high + space, start, end)


def round_step(least: float) -> float:
    """Return the smallest value of 1, 2 or 5 times a power of ten that is at least `least`."""
    power = 10 ** math.floor(math.log10(least)) if least > 0 else 1
    return next(step * power for step in ROUND_FACTORS if step * power >= least * (1 - 1e-9))


def powers_of_ten(low: float, high: float) -> list[int]:
    """Return the powers of ten between two values."""
    return [10**n for n in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]
