"""Installed things: entry points by name, the places of games, those in files too, shipped files."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from arena.errors import PluginError, suggest_nearest

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint
    from pathlib import Path


# --- entry points ---

BUILT_IN_DISTRIBUTION: Final = "commerce-arena"


def select_entry_point(name: str, points: tuple[EntryPoint, ...]) -> EntryPoint:
    """Return the one entry point of that name; what is built in keeps its name, also if others offer it.

    Raises:
        PluginError: For none, or several: to guess would let a plug-in replace another.
    """
    matching = [point for point in points if point.name == name]
    matching = [point for point in matching if is_builtin(point)] or matching
    if not matching:
        raise PluginError(
            f"no bot is called {name!r}; {suggest_nearest(name, {point.name for point in points})}"
        )
    if len(matching) > 1:
        who = " and ".join(sorted(map(distribution, matching)))
        raise PluginError(f"{name} is offered by {who}: uninstall all but one")
    return matching[0]


def distribution(point: EntryPoint) -> str:
    """Return name and version of the distribution that offers an entry point."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "?"


def is_builtin(point: EntryPoint) -> bool:
    """Return whether the arena itself offers the entry point."""
    return point.dist is not None and _read_name(point.dist) == BUILT_IN_DISTRIBUTION


@lru_cache(maxsize=64)
def _read_name(offering: Distribution) -> str:
    """Return the name of a distribution, which parses its metadata; one object has all its entry points."""
    return offering.name


# --- the places of games ---
# Distributions offer them as entry points, and files are added by name.

GROUP: Final = "arena.games"
VARIABLE: Final = "ARENA_GAMES"
"""Environment variable by which the arena passes the games on to the process of a bot.

Such a process sees no installed distributions, and would start later if it searched them.
"""


def find_games() -> dict[str, str]:
    """Return the place of each family of games by the family's name, the arena's first.

    A place is `module` or `module:name` for an installed one, an absolute path for one in a file or folder.

    Raises:
        PluginError: If there are none, or if two distributions offer families of one name.
    """
    return {**find_installed_games(), **_added_games()}


@cache
def find_installed_games() -> dict[str, str]:
    """Return the places of the families that distributions offer, by name, the arena's first.

    Raises:
        PluginError: If there are none, or if two distributions offer families of one name.
    """
    passed = os.environ.get(VARIABLE)
    if passed is not None:
        return dict(_split(game) for game in passed.split("\n") if game)
    from importlib.metadata import entry_points  # here, for the processes that are passed them

    points = tuple(entry_points(group=GROUP))
    if not points:
        raise PluginError(
            f"the installed metadata of {BUILT_IN_DISTRIBUTION} is older than its code: install it again, "
            "in a checkout by `touch pyproject.toml` and `make compiled`"
        )
    names = {point.name: not is_builtin(point) for point in points}
    ordered = sorted(names, key=lambda name: (names[name], name))
    return {name: select_entry_point(name, points).value for name in ordered}


def add_game(name: str, place: str) -> None:
    """Make a game in a file or folder known to this process, and to the processes of bots that it starts.

    Raises:
        PluginError: If installed games have that name.
    """
    if name in find_installed_games():
        raise PluginError(f"{place}: installed games are called {name!r}: give its family another name")
    _added_games()[name] = place


def remove_games(folder: str) -> None:
    """Remove the games whose files are in a folder."""
    for name, place in [*_added_games().items()]:
        if place.startswith(f"{folder}{os.sep}"):
            del _added_games()[name]


def added_places() -> tuple[str, ...]:
    """Return the places of the games in files and folders that were added."""
    return tuple(_added_games().values())


def is_path(place: str) -> bool:
    """Return whether a place is that of a file or folder."""
    return os.path.isabs(place)


def encode_games() -> str:
    """Return the families as the value of the variable."""
    return "\n".join(f"{name}={place}" for name, place in find_games().items())


def _split(game: str) -> tuple[str, str]:
    name, _, place = game.partition("=")
    return name, place


@cache
def _added_games() -> dict[str, str]:
    """The places of the games in files, by their families; `add_game` and `remove_games` change them."""
    return {}


# --- files of the project outside the package ---
# A wheel has copies of them, such as the documentation.


def find_shipped(copy: str, original: str) -> Path:
    """Return the path of a file or folder: the copy in an installed package, in a checkout the original.

    Args:
        copy: Its path in the package, where `setup.py` puts it.
        original: Its path in the checkout.
    """
    from pathlib import Path  # here, so that the process of a bot starts sooner

    package = Path(__file__).parent
    path = package / copy
    return path if path.exists() else package.parent / original
