"""The named ladder of bots of known strength that `arena grade` compares a bot with, by game."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import msgspec

from arena.games import Rules
from arena.games.registry import find_family
from arena.plugins import InstalledBot

LADDER: Final = "ladder-1"
"""Name of the ladder; a ladder with other rungs or bots gets another."""
UNFROZEN: Final = "built-in"
"""Name of the rungs of games that the ladder does not have."""


class Rungs(NamedTuple):
    """The bots of a ladder at one game."""

    ladder: str
    bots: tuple[str, ...]
    """Names of built-in bots, the weakest first."""
    changed: tuple[str, ...]
    """Those that are no longer the bots that the ladder was frozen with."""
    needs_numba: tuple[str, ...] = ()
    """Those that search at this game with code compiled by numba, without which they are weaker."""


class _Ladder(msgspec.Struct):
    rungs: dict[str, tuple[str, ...]]
    needs_numba: dict[str, tuple[str, ...]] = {}
    """Games at which a bot needs numba, by bot."""
    hashes: dict[str, str] = {}


def find_rungs(rules: Rules) -> Rungs:
    """Return the rungs of a game: those of the ladder, or bots that play any game if it is not in the ladder.

    These are `random`, `retuned` if the game has a heuristic, which it plays, and `rollout`, which searches.
    """
    ladder = read_ladder()
    bots = ladder.rungs.get(rules.name)
    if bots is None:
        has_heuristic = find_family(rules).load("heuristic") is not None
        return Rungs(UNFROZEN, ("random", *(["retuned"] if has_heuristic else []), "rollout"), ())
    changed = tuple(bot for bot in bots if InstalledBot(bot).digest() != ladder.hashes.get(bot))
    needs_numba = tuple(bot for bot in bots if rules.name in ladder.needs_numba.get(bot, ()))
    return Rungs(LADDER, bots, changed, needs_numba)


@cache
def read_ladder() -> _Ladder:
    """Return the ladder as it is shipped."""
    return msgspec.toml.decode(files(__package__).joinpath(f"{LADDER}.toml").read_bytes(), type=_Ladder)
