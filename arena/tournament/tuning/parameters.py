"""Parameters of a bot that are tuned: settings with a range."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from arena.errors import ConfigError

NUMBER: Final = r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
FORM: Final = re.compile(rf"([A-Za-z_]\w*)=({NUMBER})\.\.({NUMBER})(?:@({NUMBER}))?")
DIGITS: Final = 6
"""Significant digits of a setting."""

Settings = Mapping[str, int | float]


class Parameter(msgspec.Struct, frozen=True):
    """A setting of a bot and its range.

    Attributes:
        name: of the setting.
        low: least value.
        high: largest value, above `low`.
        start: where the search begins; None for the bot's own default, and then in the middle of the range.
        is_integer: True if only integers are tried.
    """

    name: str
    low: float
    high: float
    start: float | None = None
    is_integer: bool = False

    @classmethod
    def parse(cls, text: str, *, is_integer: bool = False) -> Parameter:
        """Return the parameter that `NAME=LOW..HIGH` or `NAME=LOW..HIGH@START` names.

        Example:
            >>> Parameter.parse("safe=0.8..0.99@0.95")
            Parameter(name='safe', low=0.8, high=0.99, start=0.95, is_integer=False)

        Raises: ConfigError, for a text of another form, or an empty range, or numbers that are no integers
            where only integers are to be tried.
        """
        found = FORM.fullmatch(text)
        if not found:
            raise ConfigError(
                f"{text!r} is no parameter: write NAME=LOW..HIGH or NAME=LOW..HIGH@START, such as "
                "safe=0.8..0.99 or patience=0..1@0.5"
            )
        name, *numbers = found.groups()
        given = [number for number in numbers if number is not None]
        low, high, *start = map(float, given)
        if not low < high:
            raise ConfigError(f"{text!r} is no parameter: {given[0]} is not below {given[1]}")
        if start and not low <= start[0] <= high:
            raise ConfigError(
                f"{text!r} is no parameter: {given[2]} is not between {given[0]} and {given[1]}"
            )
        if is_integer and not all(re.fullmatch(r"[+-]?\d+", number) for number in given):
            raise ConfigError(f"{text!r} is no integer parameter: give real ones by --param")
        return cls(name, low, high, start[0] if start else None, is_integer)

    def at(self, share: float) -> int | float:
        """Return the value at a share of the range from 0 to 1; ends stand for shares beyond them."""
        value = self.low + min(max(share, 0.0), 1.0) * (self.high - self.low)
        return round(value) if self.is_integer else float(f"{value:.{DIGITS}g}")

    @property
    def start_share(self) -> float:
        """The place in the range, 0 to 1, at which the search begins."""
        return 0.5 if self.start is None else (self.start - self.low) / (self.high - self.low)


def start_settings(parameters: Sequence[Parameter]) -> dict[str, int | float]:
    """Return the settings at the start, without those left to the bot."""
    return {
        one.name: int(one.start) if one.is_integer else one.start
        for one in parameters
        if one.start is not None
    }


def parse_parameters(texts: Sequence[str], integers: Sequence[str] = ()) -> list[Parameter]:
    """Return parameters with different names, those of `integers` last.

    Raises: ConfigError, also if there is none.
    """
    parameters = [Parameter.parse(text) for text in texts]
    parameters += [Parameter.parse(text, is_integer=True) for text in integers]
    if not parameters:
        raise ConfigError("there is nothing to tune: give --param NAME=LOW..HIGH, or --integer")
    names = [one.name for one in parameters]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"the parameter {name} is given twice")
    return parameters
