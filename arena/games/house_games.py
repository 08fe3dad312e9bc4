"""House games: an installed variant with options set, under a name of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, Final

from arena.errors import InvalidRules, UnknownOption
from arena.games.option_fields import normalize_values
from arena.games.registry import find_variant, list_families
from arena.games.rules import Rules

MAX_NAME_CHARS: Final = 40
NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
PRINTED: Final = re.compile(r"([a-z0-9-]+)(?:\((.*)\))?", re.DOTALL)
"""A variant as printed: its name, and in brackets the options that differ from its own."""


@cache
def make_house_game(name: str, base: str) -> Rules:
    """Return the rules of `base` under another name; they are no variant of the registry.

    Args:
        name: Lower-case letters, digits and hyphens; it must not be the name of an installed variant.
        base: An installed variant with its options, as printed: `thirty-one(tokens=4)`.

    Raises:
        InvalidRules: The name cannot be that of a house game.
        UnknownVariant: No variant has the name of the base.
        UnknownOption: The base is not written so, or has no such option or value.
    """
    if not NAME.fullmatch(name) or len(name) > MAX_NAME_CHARS:
        raise InvalidRules(
            f"{name!r} cannot be the name of a game: take lower-case letters, digits and single hyphens, "
            f"at most {MAX_NAME_CHARS} characters"
        )
    if any(name in family.variants for family in list_families().values()):
        raise InvalidRules(f"{name} is an installed game: a game based on {base} needs a name of its own")
    return rename_variant(name, str(parse_variant(base)))


@cache
def rename_variant(name: str, base: str) -> Rules:
    """Return the same object for all the ways in which one base can be written."""
    return replace(parse_variant(base), name=name, aliases=(), base=base)


def parse_variant(text: str) -> Rules:
    """Return the rules of an installed variant as printed, such as `thirty-one(tokens=4, free_ride=false)`.

    Raises:
        UnknownVariant: No variant has that name.
        UnknownOption: It is not written so, or the variant has no such option or value.
    """
    match = PRINTED.fullmatch(text)
    if not match:
        raise UnknownOption(f"base is a game with its options, such as 'lives(tokens=5)', not {text!r}")
    rules = find_variant(match[1])
    if not match[2]:
        return rules
    options: dict[str, Any] = {}
    for setting in match[2].split(","):
        key, equals, value = setting.partition("=")
        if not equals:
            raise UnknownOption(f"base: {setting.strip()!r} is not an option and its value, as in tokens=5")
        options[key.strip()] = _parse_value(value.strip())
    return rules.with_options(normalize_values(rules, options))


def _parse_value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
