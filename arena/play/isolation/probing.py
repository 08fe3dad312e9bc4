"""Whether a level can be had on this machine, found out by starting a program at it."""

from __future__ import annotations

import msgspec

from arena.play.isolation.levels import LEVELS, Level


class Probe(msgspec.Struct, frozen=True):
    """What trying a level showed."""

    level: Level
    usable: bool
    reason: str = ""
    """Why it is not usable, in a line."""
    fix: str = ""
    """What would make it usable, in a line."""


def probe(level: Level) -> Probe:
    """Tries a level. It takes some tens of milliseconds: ask once and keep the answer."""
    if level in ("inline", "process"):
        return Probe(level, True)
    return Probe(level, False, "it is not built yet")


def strongest() -> Probe:
    """The strongest level that can be had here."""
    return next(found for found in map(probe, reversed(LEVELS)) if found.usable)
