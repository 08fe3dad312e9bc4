"""A bot that plays playouts in all seats, in this process."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games import Rules
from arena.games.match import Policy
from arena.play.bot import Info, make_factory
from arena.play.placing_chances import MakePolicies
from arena.plugins import BotSpec


def make_playout_policies(bot: BotSpec, rules: Rules, players: int) -> MakePolicies:
    """Return what makes the players of a built-in bot, whose randomness depends on seat and playout alone.

    Args:
        bot: The bot; its class is loaded into this process.
        rules: The game.
        players: Number of seats.
    """
    factory = make_factory(bot.source.load())

    def make_policies(number: int) -> Sequence[Policy]:
        keys = [f"review/{number}/{seat}" for seat in range(players)]
        return [
            factory(Info.of(rules, seat=seat, players=players, key=key, settings=bot.settings)).act
            for seat, key in enumerate(keys)
        ]

    return make_policies
