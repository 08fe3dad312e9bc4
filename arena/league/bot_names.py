"""Names of the bots in a league: their form, and a bot by its name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from arena.errors import BotNameError, PluginError, suggest_nearest
from arena.league.store import Bot
from arena.plugins.manifest import MAX_NAME_CHARS, NAME_LETTERS, NAME_SIGNS
from arena.plugins.name_folding import fold_case, fold_name

INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks of these categories that show nothing (Unicode's Default_Ignorable_Code_Point)."""
MAX_MARKS: Final = 3
"""Limit on marks on one letter: more would cover the lines above and below."""


def parse_name(text: str) -> str:
    """Return a name in its normal form (NFC)."""
    name = unicodedata.normalize("NFC", text[: 4 * MAX_NAME_CHARS])
    kinds = "".join(unicodedata.category(char)[0] for char in name)
    allowed = all(char in NAME_SIGNS or kind in NAME_LETTERS for char, kind in zip(name, kinds, strict=True))
    begins = name[:1] not in NAME_SIGNS and kinds[:1] != "M"
    is_plain = name.isprintable() and not INVISIBLE.search(name) and "M" * (MAX_MARKS + 1) not in kinds
    if not (name and allowed and begins and is_plain and len(name) <= MAX_NAME_CHARS):
        raise BotNameError(
            f"{name[:60]!r} is not a valid name in a league: take 1 to {MAX_NAME_CHARS} letters, digits, "
            "dots, dashes and underscores, a letter or digit first"
        )
    return name


def find_bot(bots: Sequence[Bot], name: str) -> Bot:
    """Return the bot of a name, in any case."""
    if (bot := find_same(bots, name) or find_alike(bots, name)) is None:
        hint = suggest_nearest(name, [bot.name for bot in bots])
        raise PluginError(f"no bot in the league is called {name[:60]!r}; {hint}")
    return bot


def find_same(bots: Sequence[Bot], name: str) -> Bot | None:
    """Return the bot whose name differs at most in case or Unicode form; None if there is none."""
    folded = fold_case(name)
    return next((bot for bot in bots if bot.folded_name == folded), None)


def find_alike(bots: Sequence[Bot], name: str) -> Bot | None:
    """Return the first bot whose name a reader may take for this one; None if there is none."""
    folded = fold_name(name)
    same = find_same(bots, name)
    return same or next((bot for bot in bots if fold_name(bot.name) == folded), None)
