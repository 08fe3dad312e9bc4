"""Numbers of tables as people read them."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

MISSING: Final = "–"
"""Cell of a number that the data do not support."""


def format_number(value: float | None, spec: str) -> str:
    """Return a number in a format, or the sign of a missing one."""
    return MISSING if value is None else format(value, spec)


def format_count(number: int, plural: str) -> str:
    """Return a number with its noun, given in the plural: `1 token`, `1,200 matches`."""
    ending = "es" if plural.endswith("ches") else "s"
    return f"{number:,} {plural.removesuffix(ending) if abs(number) == 1 else plural}"


def to_percent(share: float | None) -> float | None:
    """Return a share from 0 to 1 in percent, as programs get it."""
    return None if share is None else 100 * share


def format_percent(share: float | None) -> str:
    """Return a share from 0 to 1 in percent."""
    return percent_text(to_percent(share))


def percent_text(percent: float | None) -> str:
    """Return a number that is in percent."""
    return MISSING if percent is None else f"{round_percent(percent, 1)}%"


def round_half_up(value: float, digits: int) -> Decimal:
    """Return a number rounded to decimals, halves away from zero."""
    return Decimal(repr(round(value, 9))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def round_percent(percent: float, digits: int = 0) -> str:
    """Return a number in percent, halves rounded away from zero, without a sign of percent.

    Nothing but 0 and 100 is printed as these.

    Example:
        >>> [round_percent(percent) for percent in (12.5, 49.5, 99.6, 100, 0.2, 0)]
        ['13', '50', '> 99', '100', '< 1', '0']
    """
    step, rounded = Decimal(1).scaleb(-digits), round_half_up(percent, digits)
    if percent < 100 <= rounded:
        return f"> {100 - step}"
    return f"< {step}" if rounded == 0 < percent else str(rounded)


def format_probability(p: float) -> str:
    """Return a probability with three decimals, or as 1e-5 where those would all be 0."""
    if p >= 0.0005:
        return f"{p:.3f}"
    mantissa, _, exponent = f"{p:.0e}".partition("e")
    return f"{mantissa}e{int(exponent)}" if p else "<1e-300"  # 0 only where a float can be no smaller
