"""The families of games that installed distributions offer: entry points of the group `arena.games`."""

import os
from functools import cache
from typing import Final

from arena.errors import PluginError

GROUP: Final = "arena.games"
VARIABLE: Final = "ARENA_GAMES"
"""Environment variable by which the arena passes the families on to the process of a bot.

Such a process sees no installed distributions, and would start later if it searched them.
"""


@cache
def find_games() -> dict[str, str]:
    """Return the place of each family's record, `module:name`, by the name of the family, the arena's first.

    Raises: PluginError, if there are none, or if two distributions offer families of one name.
    """
    passed = os.environ.get(VARIABLE)
    if passed is not None:
        return dict(game.split("=") for game in passed.split())
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


def encode_games() -> str:
    """Return the families as the value of the variable."""
    return " ".join(f"{name}={place}" for name, place in find_games().items())
