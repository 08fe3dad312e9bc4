"""The games a bot says it plays."""

from __future__ import annotations

from typing import Any

from arena.errors import PluginError, UnknownVariant
from arena.games import variant


def check_variants(names: Any) -> frozenset[str]:
    """The games that a declaration names, by their own names; none where it names none, which claims all.

    Raises: PluginError, for what is no list of names of games.
    """
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(n, str) for n in names):
        raise PluginError(f'variants: {names!r} is no list of games: write variants = ["lives"]')
    try:
        return frozenset(variant(name).name for name in names)
    except UnknownVariant as error:
        raise PluginError(f"variants: {error}") from error
