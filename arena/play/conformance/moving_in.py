"""Moving a bot in where it is to be examined."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import perf_counter

from arena.errors import PluginError
from arena.play.bot import Limits, make_factory
from arena.play.bot_processes import make_launch_spec
from arena.play.conformance.environments import Environment, InlineEnvironment
from arena.play.conformance.hosted import HostedEnvironment
from arena.play.faults import HostUnavailable
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec


@contextmanager
def open_environment(spec: BotSpec, asked: str, limits: Limits) -> Iterator[Environment]:
    """A room for the bot at a level of isolation, cleared at the end.

    Raises: PluginError, for a bot that does not load; ConfigError, for a level that cannot be had here.
    """
    level = LevelSelector().select(spec.source.kind, asked)
    if level == "inline":
        begun = perf_counter()
        bot = make_factory(spec.source.load())
        yield InlineEnvironment(bot, perf_counter() - begun)
    else:
        try:
            with closing(HostedEnvironment(spec.name, make_launch_spec(spec, level), limits)) as room:
                yield room
        except HostUnavailable as error:
            raise PluginError(f"{spec.name} was not examined to its end: {error}") from error
