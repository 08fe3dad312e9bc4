"""Bots and agents in the seats of an environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arena.errors import ConfigError
from arena.games import Rules
from arena.play.bot import Info
from arena.play.players import DEFERRED, Player
from arena.play.single_match import LoadedBot, load_bot
from arena.plugins import check_supported

AGENT: Final = "agent"
"""The name of the agent's seat in transcripts."""


class LearningPlayer(Player):
    """The agent's seat: the referee leaves its decisions to the environment."""

    def __init__(self, info: Info) -> None:
        super().__init__(info, AGENT)
        self.act = DEFERRED


def load_opponents(bots: Sequence[Any], rules: Rules, seats: int) -> list[LoadedBot]:
    """Load bots into this process and repeat them to fill the seats.

    Raises:
        PluginError: One of them is not a bot, or there is none of that name.
        ConfigError: One does not play the variant, or there are too many.
    """
    loaded = [load_bot(bot) for bot in repeat_opponents(bots, seats)]
    for bot in loaded:
        check_supported(bot.name, bot.variants, [rules])
    return loaded


def repeat_opponents(opponents: Sequence[Any], seats: int) -> list[Any]:
    """Repeat opponents to fill the seats.

    Raises:
        ConfigError: There are too many.
    """
    if len(opponents) > seats:
        raise ConfigError(
            f"{len(opponents)} opponents at a table of {seats + 1}: leave some out, or raise players"
        )
    return [opponents[place % len(opponents)] for place in range(seats)]
