"""The rule book: pure, without I/O, clock or global randomness."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from arena.errors import UnknownOption, UnknownVariant, nearest
from arena.games.barter import BARTER_VARIANTS
from arena.games.cambio import CAMBIO_VARIANTS
from arena.games.core import Deal, Opening, View
from arena.games.cox import COX_VARIANTS
from arena.games.cuckoo import CUCKOO_VARIANTS
from arena.games.draw import DRAW_VARIANTS
from arena.games.exchange import EXCHANGE_VARIANTS
from arena.games.match import Match
from arena.games.rules import Rules

VARIANTS: Final[tuple[Rules, ...]] = (
    *EXCHANGE_VARIANTS,
    *BARTER_VARIANTS,
    *DRAW_VARIANTS,
    *CUCKOO_VARIANTS,
    *CAMBIO_VARIANTS,
    *COX_VARIANTS,
)
"""Every game the arena plays."""


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
    for rules in VARIANTS:
        if name == rules.name or name in rules.aliases:
            return rules.with_options(changes) if changes else rules
    names = sorted(rules.name for rules in VARIANTS)
    near, there_are = nearest(name, names), f"there are {', '.join(names)}"
    raise UnknownVariant(f"no variant {name!r}: {near if near == there_are else f'{near}; {there_are}'}")


__all__ = ["VARIANTS", "Deal", "Match", "Opening", "Rules", "UnknownOption", "View", "variant"]
