"""Entry points of installed distributions: one is chosen by its name, and the arena's own keep theirs."""

from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint
from typing import Final

from arena.errors import PluginError, suggest_nearest

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
