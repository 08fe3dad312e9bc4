"""The places of games: installed distributions offer them as entry points, and files are added by name."""

import os
from functools import cache
from typing import Final

from arena.errors import PluginError

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

    from arena.entry_points import BUILT_IN_DISTRIBUTION, is_builtin, select_entry_point

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
