"""Terminal colors for the cards in a text, one per suit."""

import re
from typing import Final

import click

SUIT_COLORS: Final = {
    "H": 160,
    "D": 33,
    "C": 28,
    "a": 160,
    "s": 33,
    "p": 163,
    **dict.fromkeys("fgi", 30),
    "$": 28,
}
"""Numbers among the 256 colors, whose shades no theme changes, that can be read on black and on white.

Spades, jokers and the Bank are plain.
"""
GAIN_COLOR: Final = 28
LOSS_COLOR: Final = 160
CARD: Final = re.compile(
    r"(?<![\w$?])(?:\?\?|[2-9TJQKA](?P<suit>[SHDC])|(?P<cox>[aspfgi$])[1-5C])(?![\w?])", re.ASCII
)
"""A card; the group `cox` is the suit of one of Cox's."""
SUIT_SYMBOLS: Final = str.maketrans("SHDC", "♠♥♦♣")
STYLE_CODE: Final = re.compile(r"(\x1b\[[\d;]*m)")


def color_cards(text: str, *, bold: bool = False) -> str:
    """Color the cards in a text by suit; hidden cards are dim."""
    return CARD.sub(lambda match: _style_card(match, bold), text)


def _style_card(match: re.Match[str], bold: bool) -> str:
    if match[0] == "??":
        return click.style("??", dim=True)
    color = SUIT_COLORS.get(match["suit"] or match["cox"])
    return click.style(match[0], fg=color, bold=bold or None) if color or bold else match[0]


def use_suit_symbols(text: str) -> str:
    """Write the cards in a text, which may be colored, with symbols of suits: `T♦` for `TD`."""
    parts = STYLE_CODE.split(text)
    parts[::2] = [CARD.sub(_replace_suit, part) for part in parts[::2]]
    return "".join(parts)


def _replace_suit(match: re.Match[str]) -> str:
    return match[0][0] + match["suit"].translate(SUIT_SYMBOLS) if match["suit"] else match[0]
