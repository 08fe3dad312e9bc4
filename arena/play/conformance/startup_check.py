"""Whether a bot that was handed in starts where it would live."""

from __future__ import annotations

from arena.errors import ArenaError
from arena.play.bot import Limits
from arena.play.bot_processes import make_launch_spec
from arena.play.conformance.hosted import HostedEnvironment
from arena.play.faults import HostUnavailable
from arena.play.isolation import Level
from arena.plugins import BotSpec


def find_startup_error(spec: BotSpec, level: Level, limits: Limits) -> str | None:
    """Why a bot does not start in a process of its own at a level; None if it does."""
    try:
        room = HostedEnvironment(spec.name, make_launch_spec(spec, level), limits)
    except (ArenaError, HostUnavailable) as error:
        return str(error)
    try:
        return room.failure or None
    finally:
        room.close()
