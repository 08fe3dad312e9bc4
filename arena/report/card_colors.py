"""Cards in a text, each suit in a colour of its own where the terminal has colours."""

import re
from typing import Final

import click

COLOURS: Final = {
    "H": "red",
    "D": "bright_blue",
    "C": "green",
    "a": "red",
    "s": "bright_blue",
    "p": "magenta",
    **dict.fromkeys("fgi", "cyan"),
    "$": "green",
}
"""By suit, four colours for four suits; spades, jokers and the Bank are plain."""
CARD: Final = re.compile(
    r"(?<![\w$?])(?:\?\?|[2-9TJQKA](?P<suit>[SHDC])|(?P<cox>[aspfgi$])[1-5C])(?![\w?])", re.ASCII
)
"""A card in a text; `a4` is one of Cox's."""


def color_cards(text: str, *, bold: bool = False) -> str:
    """A text with the cards in it in the colours of their suits, those not known dim."""
    return CARD.sub(lambda found: _set(found, bold), text)


def _set(found: re.Match[str], bold: bool) -> str:
    if found[0] == "??":
        return click.style("??", dim=True)
    colour = COLOURS.get(found["suit"] or found["cox"])
    return click.style(found[0], fg=colour, bold=bold or None) if colour or bold else found[0]
