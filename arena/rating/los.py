"""The likelihood of superiority as text.

LOS is one minus the one-sided p-value of the hypothesis that the bot is not the stronger one: 97.5 % is where
a 95 % interval of the difference ends at 0. It is the probability that the bot is the stronger one only for a
reader to whom all differences were equally likely before the first match.
"""

from typing import Final

EXTREME_LOS: Final = 0.0005
"""Distance from 0 and 1 within which one decimal of a percentage would print certainty."""


def format_los(los: float) -> str:
    """Return a likelihood of superiority, 0 to 1, in percent: never as certain.

    Example:
        >>> format_los(0.975), format_los(0.99999), format_los(0.0)
        ('97.5%', '> 99.9%', '< 0.1%')
    """
    if los >= 1 - EXTREME_LOS:
        return "> 99.9%"
    return "< 0.1%" if los < EXTREME_LOS else f"{los:.1%}"
