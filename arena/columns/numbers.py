"""Numbers of tables as people read them."""

from typing import Final

MISSING: Final = "–"
"""Cell of a number that the data do not support."""


def format_number(value: float | None, spec: str) -> str:
    """Return a number in a format, or the sign of a missing one."""
    return MISSING if value is None else format(value, spec)


def to_percent(share: float | None) -> float | None:
    """Return a share from 0 to 1 in percent, as programs get it."""
    return None if share is None else 100 * share


def format_percent(share: float | None, error: float | None = None) -> str:
    """Return a share from 0 to 1 in percent with its error, which is printed as 0.1 at least."""
    return percent_text(to_percent(share), to_percent(error))


def percent_text(percent: float | None, error: float | None = None) -> str:
    """Return a number that is in percent with its error; see `format_percent`."""
    if percent is None:
        return MISSING
    return f"{percent:.1f}%" if error is None else f"{percent:.1f} ± {max(error, 0.1):.1f}%"


def format_probability(p: float) -> str:
    """Return a probability with three decimals, or as 1e-5 where those would all be 0."""
    if p >= 0.0005:
        return f"{p:.3f}"
    mantissa, _, exponent = f"{p:.0e}".partition("e")
    return f"{mantissa}e{int(exponent)}" if p else "<1e-300"  # 0 only where a float can be no smaller
