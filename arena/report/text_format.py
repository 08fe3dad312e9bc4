"""Numbers and untrusted texts in messages and tables."""

import re
from typing import Final

MAX_MESSAGE_CHARS: Final = 10_000
"""Of an error: one may quote what a stranger wrote."""

STEERING: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal, and those that turn the direction of the text after them."""


def format_count(number: int, plural: str) -> str:
    """Return a number with its noun, given in the plural: `1 token`, `1,200 matches`."""
    ending = "es" if plural.endswith("ches") else "s"
    return f"{number:,} {plural.removesuffix(ending) if abs(number) == 1 else plural}"


def format_signed(number: int) -> str:
    """Return a number with its sign; zero has none."""
    return f"{number:+}" if number else "0"


def truncate(text: str, max_chars: int) -> str:
    """Shorten a text to at most `max_chars`, the last of them an ellipsis."""
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"


def strip_unprintable(text: str) -> str:
    """Remove control characters, which could steer the terminal, from a text of unknown origin."""
    return "".join(char for char in text if char.isprintable())


def printable_line(message: str) -> str:
    """Return a message of unknown origin and length as a line that is safe to print."""
    return truncate(strip_unprintable(" ".join(message.split())), MAX_MESSAGE_CHARS)


def steers_terminal(text: str) -> bool:
    """Return whether a text, which has to be printed as it is, would change how others are shown."""
    return STEERING.search(text) is not None
