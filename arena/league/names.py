"""Names of the bots in a league: unique also after Unicode normalization and case folding."""

from __future__ import annotations

import unicodedata
from typing import Final

from arena.errors import PluginError

MAX_NAME_CHARS: Final = 40
SIGNS: Final = "._-"
LETTERS: Final = ("L", "M", "N")
"""Unicode categories: letters, marks and numbers of any script."""


def parse_name(text: str) -> str:
    """Return a name in its normal form (NFC).

    Raises: PluginError, for anything but 1 to 40 letters, digits, dots, dashes and underscores, that begins
    with a letter or a digit.
    """
    name = unicodedata.normalize("NFC", text[: 4 * MAX_NAME_CHARS])
    allowed = all(char in SIGNS or unicodedata.category(char)[0] in LETTERS for char in name)
    begins = name[:1] not in SIGNS and not unicodedata.category(name[:1] or " ").startswith("M")
    if not (name and allowed and begins and name.isprintable() and len(name) <= MAX_NAME_CHARS):
        raise PluginError(
            f"{name[:60]!r} is no name in a league: take 1 to {MAX_NAME_CHARS} letters, digits, dots, dashes "
            "and underscores, a letter or digit first"
        )
    return name


def fold_name(name: str) -> str:
    """Return the text in which two names agree if they are too alike for one league."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
