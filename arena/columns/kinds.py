"""Kinds of columns: how values of a type and unit are printed."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from arena.columns.number_format import format_probability, to_percent


class Kind(NamedTuple):
    """Printed format of a column's values, and their alignment."""

    spec: str = ""
    """Format of a number."""
    sign: str = ""
    """Unit after a number, such as %."""
    least_error: float = 0.0
    """Smallest error that is printed: none is exactly 0."""
    is_share: bool = False
    """True for shares from 0 to 1, which people and programs get in percent."""
    is_text: bool = False
    """True for texts, which are aligned to the left."""
    is_name: bool = False
    """True for names of bots, which tables mark and narrow terminals shorten."""
    is_short: bool = False
    """True for texts that do not break in HTML."""
    write: Callable[[Any], str] | None = None
    """Writes a value, in place of `spec`."""

    @property
    def digits(self) -> int | None:
        """The decimals of its numbers; None for whole numbers and texts."""
        return int(self.spec[-2]) if self.spec.endswith("f") else None

    def text(self, value: Any, error: float | None = None) -> str:
        """Return a value, and the half width of its interval if it has one."""
        if self.write:
            return self.write(value)
        if isinstance(value, str):
            return value
        if self.is_share:
            value, error = to_percent(value), to_percent(error)
        number = f"{value:{self.spec}}"
        if error is not None:
            number += f" ± {max(error, self.least_error):{self.spec.lstrip('+')}}"
        return number + self.sign


TEXT: Final = Kind(is_text=True)
SHORT: Final = TEXT._replace(is_short=True)
DATA: Final = Kind()
"""Values that only programs get."""
NAME: Final = Kind(is_text=True, is_name=True)
"""Name of a bot."""
LABEL: Final = Kind()
"""Short text, aligned as numbers are."""
COUNT: Final = Kind(",d")
INTEGER: Final = Kind("d")
"""Whole number without separators, such as a place."""
PERCENT: Final = Kind(".1f", "%", 0.1, is_share=True)
LEAD: Final = Kind("+z.1f", "%", 0.1, is_share=True)
"""Difference of two shares."""
ELO: Final = Kind("z.1f")
ELO_LEAD: Final = Kind("+z.1f")
"""Difference in Elo."""
DECIMAL: Final = Kind("z.2f", least_error=0.01)
PROBABILITY: Final = Kind(write=format_probability)
