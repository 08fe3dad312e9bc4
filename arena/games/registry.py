"""The families of games that are installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from arena.errors import PluginError, UnknownVariant, suggest_nearest
from arena.games.family import Family
from arena.games.rules import Rules

FAMILIES = ("exchange", "barter", "draw", "cuckoo", "cambio", "cox")


@cache
def list_families() -> dict[str, Family]:
    """Return the families by name, in the order of lists."""
    found = {name: import_module(f"arena.families.{name}").FAMILY for name in FAMILIES}
    return dict(sorted(found.items(), key=lambda one: (one[1].order, one[0])))


def find_family(rules: Rules) -> Family:
    """Return the family of a variant.

    Raises: PluginError, if it is not installed.
    """
    families = list_families()
    if rules.family not in families:
        raise PluginError(
            f"no family {rules.family!r} is installed; {suggest_nearest(rules.family, families)}"
        )
    return families[rules.family]


@cache
def find_variant(name: str) -> Rules:
    """Return the rules of a variant by its name or an alias, with its own options.

    A name loads its own family alone, an alias those before it, too.

    Raises: UnknownVariant, if there is none; the message names the nearest and lists all.
    """
    families = list_families().values()
    for family in families:
        if name in family.variants:
            return family.rules[family.variants.index(name)]
    for rules in list_variants():
        if name in rules.aliases:
            return rules
    names = sorted(name for family in families for name in family.variants)
    near, there_are = suggest_nearest(name, names), f"there are {', '.join(names)}"
    raise UnknownVariant(f"no variant {name!r}: {near if near == there_are else f'{near}; {there_are}'}")


def list_variants() -> Iterator[Rules]:
    """Yield the rules of every variant, with its own options; each family is imported when it is its turn."""
    for family in list_families().values():
        yield from family.rules
