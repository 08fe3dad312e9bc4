"""Comparison of bots' names: two names are one where they differ only in form or case, or look alike."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from arena.errors import BotNameError
from arena.plugins.sources import bot_entry_points

CONFUSABLES: Final = ("confusable_homoglyphs", "confusables.json")
"""Package and file of Unicode's table of confusable characters."""
MAX_FOLDS: Final = 8
"""Limit on repeated folds, of which three reach the end for every character."""


class _Confusable(msgspec.Struct, frozen=True):
    """A character or characters that look like another."""

    c: str


def fold_case(name: str) -> str:
    """Return the text in which two names agree if they differ only in Unicode form (NFKC) or in case."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def fold_name(name: str) -> str:
    """Return the text in which two names agree if readers may take one for the other.

    Forms and cases are folded, and each character becomes the one that it looks like: `l` for `1` and `I`
    and so, as cases are one, for `i`; `o` for `0`; `rn` for `m`; Latin letters for those of other scripts.
    What looks like a small Latin letter becomes that before cases are folded, as the other case of some such
    characters looks like another letter.
    Source: Unicode Technical Standard 39, section 4 (skeletons), after case folding.
    """
    prototypes, latin = _read_prototypes(), _read_latin()
    text = unicodedata.normalize("NFC", name)
    for _ in range(MAX_FOLDS):
        plain = fold_case("".join(latin.get(char, char) for char in text))
        folded = fold_case("".join(prototypes.get(char, char) for char in plain))
        if folded == text:
            break
        text = folded
    return text


def check_not_installed(name: str, advice: str = "submit it under another (--name)") -> None:
    """Refuse the name of an installed bot, and one that looks like it; `advice` says how to choose another.

    Raises:
        BotNameError: If it is or looks like the name of an installed bot.
    """
    folded = fold_name(name)
    installed = {point.name for point in bot_entry_points()}
    if name in installed:
        raise BotNameError(f"{name} is the name of an installed bot: {advice}")
    if alike := next((name for name in sorted(installed) if fold_name(name) == folded), None):
        raise BotNameError(f"{name} looks like {alike}, the name of an installed bot: {advice}")


@cache
def read_confusables() -> dict[str, list[str]]:
    """Return the texts that look like each text."""
    package, file = CONFUSABLES
    data = files(package).joinpath(file).read_bytes()
    table = msgspec.json.decode(data, type=dict[str, tuple[_Confusable, ...]])
    return {text: [confusable.c for confusable in alike] for text, alike in table.items()}


@cache
def _read_latin() -> dict[str, str]:
    """Return the small letter, digit or sign of ASCII that each other character looks like, if it does."""
    letters = {}
    for text, alike in read_confusables().items():
        plain = sorted(
            letter
            for letter in alike
            if len(letter) == 1 and letter.isascii() and fold_case(letter) == letter
        )
        if len(text) == 1 and not text.isascii() and plain:
            letters[text] = plain[-1]
    return letters


@cache
def _read_prototypes() -> dict[str, str]:
    """Return the text that stands for each confusable character: of all that look alike, the commonest."""
    table = read_confusables()
    counts = {text: len(alike) for text, alike in table.items()}

    def rank(text: str) -> tuple[int, int, str]:
        return -counts.get(text, 0), len(text), text

    smallest = {text: min((text, *alike), key=rank) for text, alike in table.items() if len(text) == 1}
    return {**smallest, "i": "l"}
