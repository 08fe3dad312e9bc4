"""Which level a bot lives at: the one that was asked for, or by where the bot comes from."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import ConfigError
from arena.play.isolation.level_probe import ProbeResult, probe
from arena.play.isolation.levels import LEVELS, Level
from arena.plugins import Kind


class LevelSelector:
    """Chooses levels; each is tried when it is first needed, and once."""

    def __init__(self) -> None:
        self._tried: dict[Level, ProbeResult] = {}

    def select(self, origin: Kind, asked: str) -> Level:
        """The level for a bot that comes from there.

        `auto`: a built-in bot in the arena's own process, what somebody has installed in a process of its
        own, and everybody else's at the strongest level that can be had.
        Raises: ConfigError, for a level that cannot be had, saying why and what would help.
        """
        if asked == "auto":
            return self._usual(origin)
        if asked == "inline" and origin == "command":
            raise ConfigError(
                "isolation 'inline' is for classes: a command has a process of its own; ask for 'process'"
            )
        (wanted,) = [level for level in LEVELS if level == asked]
        return self._first([wanted])

    def _usual(self, origin: Kind) -> Level:
        if origin == "built-in":
            return "inline"
        if origin == "plug-in":
            return self._first(["process"])
        return self._first([level for level in reversed(LEVELS) if level != "inline"])

    def _first(self, levels: Sequence[Level]) -> Level:
        """The first of them that can be had."""
        for level in levels:
            if level not in self._tried:
                self._tried[level] = probe(level)
            if self._tried[level].usable:
                return level
        failed = self._tried[levels[0]]
        raise ConfigError(f"isolation {failed.level!r} cannot be had here: {failed.reason}; {failed.fix}")
