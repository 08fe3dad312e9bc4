"""Numbers and untrusted texts in messages and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

MAX_MESSAGE_CHARS: Final = 2_000
"""Maximum length of an error, in characters: it may contain what a stranger wrote."""
MAX_QUOTED_CHARS: Final = 200
"""Maximum length of a word and of a quotation in an error, such as a name, in characters."""
MAX_SCANNED_CHARS: Final = 1 << 13
"""Maximum length of an error that is searched for quotations, in characters."""
QUOTATION: Final = r"""(?<!\w)(['"`])((?:(?!\1)[^\\]|\\.)*+)(\1)(?!\w)"""
"""Pattern of a text as `repr` quotes it, or a command in backquotes: compiled for the first message."""

STEERING: Final = frozenset(
    map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Characters that control a terminal, and those that turn the direction of the text after them."""


def format_duration(seconds: float) -> str:
    """Return a time rounded to seconds, from two minutes on to minutes.

    Example:
        >>> format_duration(0.2), format_duration(75), format_duration(200)
        ('1 s', '75 s', '3 min')
    """
    return f"{max(1, round(seconds))} s" if seconds < 120 else f"{round(seconds / 60):,} min"


def format_ordinal(number: int) -> str:
    """Return an ordinal number: `1st`, `12th`."""
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def format_signed(number: int) -> str:
    """Return a number with its sign; zero has none."""
    return f"{number:+}" if number else "0"


def truncate(text: str, max_chars: int) -> str:
    """Shorten a text to at most `max_chars`, the last of them an ellipsis."""
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"


def shorten_names(names: Sequence[str], max_chars: int) -> list[str]:
    """Shorten names to at most `max_chars`; different names stay different, as those of a bot's settings.

    Example:
        >>> shorten_names(["greedy", "mine.py:Cautious(bold=0.2)", "mine.py:Cautious(bold=0.4)"], 13)
        ['greedy', 'mine.p…d=0.2)', 'mine.p…d=0.4)']
    """
    short = [truncate(name, max_chars) for name in names]
    if len(set(short)) < len(set(names)):
        short = [_truncate_middle(name, max_chars) for name in names]
    if len(set(short)) < len(set(names)):
        numbers = {name: f" {number}" for number, name in enumerate(dict.fromkeys(names), 1)}
        short = [truncate(name, max_chars - len(numbers[name])) + numbers[name] for name in names]
    return short


def _truncate_middle(text: str, max_chars: int) -> str:
    """Shorten a text to at most `max_chars`, an ellipsis in its middle."""
    left = max_chars // 2
    return text if len(text) <= max_chars else f"{text[:left]}…{text[left + 1 - max_chars :]}"


def strip_unprintable(text: str) -> str:
    """Remove control characters, which could steer the terminal, from a text of unknown origin."""
    return "".join(char for char in text if char.isprintable())


def printable_line(message: str) -> str:
    """Return a message of unknown origin and length as a line that is safe to print."""
    words = (_truncate_middle(word, MAX_QUOTED_CHARS) for word in message.split())
    line = _truncate_middle(strip_unprintable(" ".join(words)), MAX_SCANNED_CHARS)
    return _truncate_middle(re.sub(QUOTATION, _shorten_quotation, line), MAX_MESSAGE_CHARS)


def _shorten_quotation(match: re.Match[str]) -> str:
    opening, text, closing = match.groups()
    return f"{opening}{_truncate_middle(text, MAX_QUOTED_CHARS)}{closing}"


def steers_terminal(text: str) -> bool:
    """Return whether a text, which has to be printed as it is, would change how others are shown."""
    return not STEERING.isdisjoint(text)
