"""Moving a bot in where it is to be examined."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import perf_counter

from arena.errors import PluginError
from arena.play.bot import Limits, maker
from arena.play.bot_processes import make_launch_spec
from arena.play.conformance.environments import InlineRoom, Room
from arena.play.conformance.hosted import HostedRoom
from arena.play.faults import MachineFault
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec, kind, load


@contextmanager
def move_in(spec: BotSpec, asked: str, limits: Limits) -> Iterator[Room]:
    """A room for the bot at a level of isolation, cleared at the end.

    Raises: PluginError, for a bot that does not load; ConfigError, for a level that cannot be had here.
    """
    level = LevelSelector().select(kind(spec), asked)
    if level == "inline":
        begun = perf_counter()
        bot = maker(load(spec))
        yield InlineRoom(bot, perf_counter() - begun)
    else:
        try:
            with closing(HostedRoom(spec.name, make_launch_spec(spec, level), limits)) as room:
                yield room
        except MachineFault as error:
            raise PluginError(f"{spec.name} was not examined to its end: {error}") from error
