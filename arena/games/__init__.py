"""The rule book: pure, without I/O, clock or global randomness.

A family is imported when one of its variants is first asked for, so that a process which plays one game does
not load the others.

>>> from random import Random
>>> lives = variant("lives", tokens=3)
>>> match, rng = lives.match(players=4, seed="any text"), Random(1)
>>> while not match.is_over:
...     view = match.view(match.seat_to_act)
...     match.apply(rng.choice(view.legal))
>>> sorted(match.placings)[0]
1
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from arena.compiled_classes import restore_docstrings
from arena.errors import InvalidRules, UnknownOption
from arena.games.action import Action
from arena.games.deal import Deal
from arena.games.match import Match
from arena.games.opening import Opening
from arena.games.option_fields import list_options, normalize_values
from arena.games.registry import find_variant, list_variants, make_house_game
from arena.games.rules import Rules
from arena.games.view import View

if TYPE_CHECKING:
    VARIANTS: Final[tuple[Rules, ...]] = ()
    """The rules of every variant, with its own options."""
    from arena.families.barter.view import BarterView
    from arena.families.cambio.view import CambioView
    from arena.families.cox.view import CoxView
    from arena.families.cuckoo.view import CuckooView
    from arena.families.draw.view import DrawView
    from arena.families.exchange.view import ExchangeView
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'arena.games' has no attribute {name!r}")
        if name == "VARIANTS":
            value: object = tuple(list_variants())
        else:
            value = getattr(import_module(f"arena.families.{name.removesuffix('View').lower()}.view"), name)
        globals()[name] = value
        return value


DESCRIPTIONS: Final = frozenset({"title", "page"})
"""Fields of rules that do not change how a game is played."""


def variant(name: str, /, **options: Any) -> Rules:
    """Return the rules of a variant with options set.

    >>> str(variant("commerce", tokens=5))
    'lives(tokens=5)'
    >>> str(variant("short-commerce", base="lives(tokens=1)"))
    'short-commerce'

    Args:
        name: The variant's name or an alias.
        **options: The variant's options; those left out keep the variant's own value. The text `base`, an
            installed variant as printed, makes that one under the name given.

    Returns:
        The rules; the same object for the same call.

    Raises:
        TypeError: `name` is no text; rules have `with_options`.
        UnknownVariant: There is no such variant; the message names the nearest and lists all.
        UnknownOption: The variant has no such option, or it cannot have such a value.
        InvalidRules: With these options not even two could play, or a `base` is given the name of a variant.
    """
    if not isinstance(name, str):
        raise TypeError(f"a variant is named by a text such as 'lives', not by {name!r}")
    for key, value in options.items():
        if not isinstance(value, str | int | float | bool):
            raise UnknownOption(f"{key} cannot be {value!r}")
    base = options.pop("base", None)
    if base is None:
        rules = find_variant(name)
    elif isinstance(base, str):
        rules = make_house_game(name, base)
    else:
        raise UnknownOption(f"base cannot be {base!r}")
    if not options:
        return rules
    values = normalize_values(rules, options)
    return _set_options(rules, tuple([(key, type(value), value) for key, value in sorted(values.items())]))


def check_name(rules: Rules) -> None:
    """Check that rules can be named: that `variant` returns the same ones for their name and options.

    Bots look their rules up by name, and so does every reader of a record.

    Raises:
        UnknownVariant: No variant has that name.
        InvalidRules: The variant of that name has other rules; the message says how to set its options.
    """
    usual = make_house_game(rules.name, rules.base) if rules.base else find_variant(rules.name)
    if rules is usual or _is_same(rules, usual.with_options(_own_options(rules))):
        return
    own = {option.name: value for option, value in list_options(usual)}
    values = {option.name: value for option, value in list_options(rules)}
    changed = {name: value for name, value in values.items() if name in own and value != own[name]}
    if _is_same(rules, usual.with_options(changed)):
        text = "".join([f", {name}={value!r}" for name, value in changed.items()])
        advice = f"get them by variant({rules.name!r}{text})"
    else:
        advice = f"no options of {rules.name} make them"
    raise InvalidRules(f"these rules are not those of {rules}, as bots and records would read it: {advice}")


def _own_options(rules: Rules) -> dict[str, Any]:
    return {name: value for name, value in rules.overrides.items() if name != "base"}


def _is_same(rules: Rules, other: Rules) -> bool:
    return type(rules) is type(other) and all(
        getattr(rules, field.name) == getattr(other, field.name)
        for field in fields(rules)
        if field.name not in DESCRIPTIONS
    )


@cache
def _set_options(rules: Rules, options: tuple[tuple[str, type, Any], ...]) -> Rules:
    """Types are part of the key because 1 equals true and 5.0 equals 5."""
    return rules.with_options({key: value for key, _, value in options})


__all__ = [
    "VARIANTS",
    "Action",
    "BarterView",
    "CambioView",
    "CoxView",
    "CuckooView",
    "Deal",
    "DrawView",
    "ExchangeView",
    "Match",
    "Opening",
    "Rules",
    "UnknownOption",
    "View",
    "check_name",
    "variant",
]

for _class in (Deal, Match):
    restore_docstrings(import_module(_class.__module__))
