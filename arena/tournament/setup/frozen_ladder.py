"""The named ladder of bots of known strength that `arena grade` compares a bot with, by game."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import msgspec

from arena.errors import ConfigError, suggest_nearest
from arena.plugins import InstalledBot

LADDER: Final = "ladder-1"
"""Name of the ladder; a ladder with other rungs or bots gets another."""


class Rungs(NamedTuple):
    """The bots of a ladder at one game."""

    ladder: str
    bots: tuple[str, ...]
    """Names of built-in bots, the weakest first."""
    changed: tuple[str, ...]
    """Those that are no longer the bots that the ladder was frozen with."""


class _Ladder(msgspec.Struct):
    rungs: dict[str, tuple[str, ...]]
    hashes: dict[str, str] = {}


def find_rungs(variant: str) -> Rungs:
    """Return the rungs of a game, given its name without options.

    Raises:
        ConfigError: For a game that is not in the ladder.
    """
    ladder = read_ladder()
    if variant not in ladder.rungs:
        raise ConfigError(f"{LADDER} has no game {variant!r}; {suggest_nearest(variant, ladder.rungs)}")
    bots = ladder.rungs[variant]
    changed = tuple(bot for bot in bots if InstalledBot(bot).digest() != ladder.hashes.get(bot))
    return Rungs(LADDER, bots, changed)


@cache
def read_ladder() -> _Ladder:
    """Return the ladder as it is shipped."""
    return msgspec.toml.decode(files(__package__).joinpath(f"{LADDER}.toml").read_bytes(), type=_Ladder)
