"""The families of games that are installed, their variants by name, and house games made of these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, Final
from warnings import warn

from arena.compiled_classes import restore_docstrings
from arena.errors import InvalidRules, PluginError, UnknownOption, UnknownVariant, suggest_nearest
from arena.games.option_fields import normalize_values
from arena.games.rules import Rules
from arena.installed import add_game, find_games, is_path, remove_games

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


# --- installed families ---


@cache
def list_families() -> dict[str, Family]:
    """Return the families by name, in the order of lists; of one that does not load a warning tells why."""
    families = {name: load_family(name) for name in find_games()}
    loaded = {name: family for name, family in families.items() if family}
    return dict(sorted(loaded.items(), key=lambda item: (item[1].order, item[0])))


@cache
def load_family(name: str) -> Family | None:
    """Return the family of this name; None if none is installed, or with a warning if it does not load."""
    place = find_games().get(name, "")
    if not place:
        return None
    try:
        return _read_family(place)
    except Exception as raised:
        error = raised
    warn(f"the games {name} at {place} do not load: {error}", RuntimeWarning, stacklevel=2)
    return None


def _read_family(place: str) -> Family:
    """Import what is at a place, and return the family that it is or has."""
    if is_path(place):
        from arena.game_source_files import import_game  # here, as few processes play such a game

        return Family.of_module(import_game(place))
    module, _, name = place.partition(":")
    loaded = import_module(module)
    loaded = getattr(loaded, name) if name else loaded
    if isinstance(loaded, ModuleType):
        return Family.of_module(loaded)
    if not isinstance(loaded, Family):
        raise PluginError("it is no Family, and no module with rules")
    return loaded


def register_game(path: str) -> Family:
    """Import the game in a file or folder, with all rights of this process, and make its variants known.

    A game of the same family that was registered before is replaced.

    Args:
        path: The absolute path.

    Raises:
        PluginError: If it does not load, or if a name of its is taken.
    """
    family = _read_family(path)
    name = family.rules[0].family
    for taken, other in list_families().items():
        for variant in family.variants:
            if taken != name and variant in other.variants:
                raise PluginError(f"{path}: there is another game {variant!r}: give this one another name")
    add_game(name, path)
    _clear_caches()
    return family


def unregister_games(folder: str) -> None:
    """Make the games whose files are in a folder unknown again."""
    remove_games(folder)
    _clear_caches()


def _clear_caches() -> None:
    for known in (list_families, load_family, find_variant):
        known.cache_clear()


def find_family(rules: Rules) -> Family:
    """Return the family of a variant.

    Raises:
        PluginError: If it is not installed.
    """
    family = load_family(rules.family)
    if family is None:
        near = suggest_nearest(rules.family, find_games())
        raise PluginError(f"no family of games is called {rules.family!r}; {near}")
    return family


@cache
def find_variant(name: str) -> Rules:
    """Return the rules of a variant by its name or an alias, with its own options.

    A name loads its own family alone, an alias those before it, too.

    Raises:
        UnknownVariant: If there is none; the message names the nearest and lists all.
    """
    for family in map(load_family, find_games()):
        if family and name in family.variants:
            return family.rules[family.variants.index(name)]
    for rules in list_variants():
        if name in rules.aliases:
            return rules
    names = sorted(name for family in list_families().values() for name in family.variants)
    near, there_are = suggest_nearest(name, names), f"there are {', '.join(names)}"
    raise UnknownVariant(f"no variant {name!r}: {near if near == there_are else f'{near}; {there_are}'}")


def list_variants() -> Iterator[Rules]:
    """Yield the rules of every variant, with its own options; each family is imported when it is its turn."""
    for family in list_families().values():
        yield from family.rules


# --- house games ---
# An installed variant with options set, under a name of its own.

MAX_NAME_CHARS: Final = 40
HOUSE_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
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
    if not HOUSE_NAME.fullmatch(name) or len(name) > MAX_NAME_CHARS:
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
