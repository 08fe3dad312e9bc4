"""The families of games that are installed, and their variants by name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from warnings import warn

from arena.errors import PluginError, UnknownVariant, suggest_nearest
from arena.games.family import Family
from arena.games.rules import Rules
from arena.installed_games import add_game, find_games, is_path, remove_games


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
