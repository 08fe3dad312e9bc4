"""The likelihood of superiority as text.

LOS is one minus the one-sided p-value of the hypothesis that the bot is not the stronger one: 97.5 % is where
a 95 % interval of the difference ends at 0. It is the probability that the bot is the stronger one only for a
reader to whom all differences were equally likely before the first match.
"""

from typing import Final

BOUNDS: Final = {"100.0%": "> 99.9%", "0.0%": "< 0.1%"}
"""Texts in place of those that one decimal would round to certainty."""


def format_los(los: float) -> str:
    """Return a likelihood of superiority, 0 to 1, in percent: never as certain.

    Example:
        >>> format_los(0.975), format_los(0.99999), format_los(0.0)
        ('97.5%', '> 99.9%', '< 0.1%')
    """
    text = f"{los:.1%}"
    return BOUNDS.get(text, text)
