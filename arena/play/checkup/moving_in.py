"""Moving a bot in where it is to be examined."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from arena.errors import PluginError
from arena.play.bot import Limits, maker
from arena.play.checkup.rooms import InlineRoom, Room
from arena.plugins import BotSpec, kind, load


@contextmanager
def move_in(spec: BotSpec, asked: str, limits: Limits) -> Iterator[Room]:
    """A room for the bot at a level of isolation, cleared at the end.

    Raises: PluginError, for a bot that does not load, or a level that cannot be had here.
    """
    if asked == "inline" or (asked == "auto" and kind(spec) == "built-in"):
        begun = perf_counter()
        bot = maker(load(spec))
        yield InlineRoom(bot, perf_counter() - begun)
    else:
        raise PluginError(
            "there is no other place here yet: with --isolation inline its code runs as your own"
        )
