"""A family of games: the names of its variants and where its parts are, none of which it imports."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from arena.compiled_docstrings import restore_docstrings
from arena.errors import PluginError
from arena.games.rules import Rules

NAME: Final = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
"""Pattern of the names of variants and families."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Family:
    """The variants that share a state machine. A process that plays one loads nothing of the others.

    A game in a single module needs none: the constants of that module are its variants.

    Attributes:
        package: The package of the family. Its module `rules` has the rules of each variant as a constant,
            its folder `pages` the rule page of each as `NAME.md`.
        variants: The names of the variants, in the order of lists.
        parts: What other layers read: each itself, or the place that is imported when it is first asked for,
            `module:name` in the package, or a module.
        order: The place of the family in lists, lowest first; families with equal ones go by name.
        constants: The rules of each variant, where they are in no module `rules`.
        page: The rule page of variants that have no file in `pages`.
    """

    package: str
    variants: tuple[str, ...]
    parts: Mapping[str, Any] = field(default_factory=dict)
    order: int = 100
    constants: tuple[Rules, ...] = ()
    page: str = ""

    @classmethod
    def of_module(cls, module: ModuleType) -> Family:
        """Return the family of a module: its own record, or one of all rules that are its constants.

        Raises:
            PluginError: If the module has no rules, or they are not of one family.
        """
        constants: dict[int, Rules] = {}
        for value in vars(module).values():
            if isinstance(value, Family):
                return value
            if isinstance(value, Rules):
                constants[id(value)] = value
        rules = tuple(constants.values())
        _check_constants(module, rules)
        return cls(
            package=module.__package__ or module.__name__,
            variants=tuple([rule.name for rule in rules]),
            parts=type(rules[0]).parts,
            constants=rules,
            page=module.__doc__ or "",
        )

    def load(self, part: str) -> Any:
        """Import a part, once; None if the family does not have it."""
        value = self.parts.get(part)
        return _load(self.package, value) if isinstance(value, str) else value

    @cached_property
    def rules(self) -> tuple[Rules, ...]:
        """The rules of each variant, with its own options; the module `rules` is imported for them.

        Raises:
            PluginError: If the module lacks the rules of a variant.
        """
        if self.constants:
            return self.constants
        module = import_module(f"{self.package}.rules")
        by_name = {value.name: value for value in vars(module).values() if isinstance(value, Rules)}
        if missing := [name for name in self.variants if name not in by_name]:
            raise PluginError(f"{self.package}.rules has no rules called {', '.join(missing)}")
        rules: tuple[Rules, ...] = tuple([by_name[name] for name in self.variants])
        restore_docstrings(import_module(rules[0].deal_type.__module__))
        return rules


@cache
def _load(package: str, place: str) -> Any:
    module, _, name = place.partition(":")
    loaded = import_module(f"{package}.{module}")
    return getattr(loaded, name) if name else loaded


def _check_constants(module: ModuleType, rules: tuple[Rules, ...]) -> None:
    """Raise PluginError if rules cannot be the variants of one family."""
    where = module.__file__ or module.__name__
    if not rules:
        raise PluginError(f"{where} has no game: it assigns no rules to a name, as golf = GolfRules(…)")
    for rule in rules:
        if not re.fullmatch(NAME, rule.name) or not re.fullmatch(NAME, rule.family):
            raise PluginError(
                f"{where}: the name {rule.name!r} of family {rule.family!r}: "
                "write both in lower-case letters, digits and hyphens"
            )
        if type(rule).family != rules[0].family:
            raise PluginError(f"{where} has games of the families {rules[0].family} and {rule.family}")
    if len({rule.name for rule in rules}) < len(rules):
        raise PluginError(f"{where} has two games of one name")
