"""A family of games: the names of its variants and where its parts are, none of which it imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from arena.errors import PluginError
from arena.games.rules import Rules
from arena.source_docstrings import restore_docstrings


@dataclass(frozen=True, kw_only=True, eq=False)
class Family:
    """The variants that share a state machine. A process that plays one loads nothing of the others.

    Attributes:
        package: the package of the family. Its module `variants` has the rules of each variant as a constant,
            its folder `pages` the rule page of each as `NAME.md`.
        variants: the names of the variants, in the order of lists.
        parts: what other layers read, each with the place that is imported when it is first asked for:
            `module:name` in the package, or a module.
        order: the place of the family in lists, lowest first; families with equal ones go by name.
    """

    package: str
    variants: tuple[str, ...]
    parts: Mapping[str, str] = field(default_factory=dict)
    order: int = 100

    def load(self, part: str) -> Any:
        """Import a part, once; None if the family does not have it."""
        return _load(self.package, self.parts[part]) if part in self.parts else None

    @cached_property
    def rules(self) -> tuple[Rules, ...]:
        """The rules of each variant, with its own options; the module `variants` is imported for them.

        Raises: PluginError, if the module lacks the rules of a variant.
        """
        module = import_module(f"{self.package}.variants")
        found = {value.name: value for value in vars(module).values() if isinstance(value, Rules)}
        if missing := [name for name in self.variants if name not in found]:
            raise PluginError(f"{self.package}.variants has no rules called {', '.join(missing)}")
        rules: tuple[Rules, ...] = tuple([found[name] for name in self.variants])
        restore_docstrings(import_module(rules[0].deal_type.__module__))
        return rules


@cache
def _load(package: str, place: str) -> Any:
    module, _, name = place.partition(":")
    found = import_module(f"{package}.{module}")
    return getattr(found, name) if name else found
