"""The rule book: pure, without I/O, clock or global randomness.

A family is imported when one of its variants is first asked for, or all of them: a process that plays one
game has no use for the others.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from arena.errors import UnknownOption, UnknownVariant, suggest_nearest
from arena.games.deal import Deal
from arena.games.match import Match
from arena.games.rules import Rules
from arena.games.view import Opening, View

FAMILIES: Final = ("exchange", "barter", "draw", "cuckoo", "cambio", "cox")

if TYPE_CHECKING:
    VARIANTS: Final[tuple[Rules, ...]] = ()
    """Every game the arena plays."""
else:

    def __getattr__(name: str) -> object:
        if name != "VARIANTS":
            raise AttributeError(f"module 'arena.games' has no attribute {name!r}")
        found = globals()["VARIANTS"] = tuple(
            [rules for family in FAMILIES for rules in family_variants(family)]
        )
        return found


def family_variants(family: str) -> tuple[Rules, ...]:
    """The variants of a family."""
    variants = import_module(f"arena.games.{family}.variants")
    rules: tuple[Rules, ...] = getattr(variants, f"{family.upper()}_VARIANTS")
    return rules


def variant(name: str, /, **options: Any) -> Rules:
    """The variant of that name or alias, with these options set.

    Raises: UnknownVariant with the names there are; UnknownOption; InvalidRules if it cannot be dealt.
    """
    for key, value in options.items():
        if not isinstance(value, str | int | float | bool):
            raise UnknownOption(f"{key} cannot be {value!r}")
    return _variant(name, tuple([(key, type(value), value) for key, value in sorted(options.items())]))


@cache
def _variant(name: str, options: tuple[tuple[str, type, Any], ...]) -> Rules:
    """The types are there to tell 1 from true and 5 from 5.0, which are equal as keys."""
    changes = {key: value for key, _, value in options}
    names = []
    for family in FAMILIES:
        for rules in family_variants(family):
            if name == rules.name or name in rules.aliases:
                return rules.with_options(changes) if changes else rules
            names.append(rules.name)
    names.sort()
    near, there_are = suggest_nearest(name, names), f"there are {', '.join(names)}"
    raise UnknownVariant(f"no variant {name!r}: {near if near == there_are else f'{near}; {there_are}'}")


__all__ = ["VARIANTS", "Deal", "Match", "Opening", "Rules", "UnknownOption", "View", "variant"]
