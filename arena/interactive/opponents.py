"""Who sits at the table with a person."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from arena.errors import ConfigError, InvalidRules
from arena.games import Rules
from arena.games.suit_totals import SuitTotals
from arena.play.isolation import Level, LevelSelector
from arena.plugins import BotSpec, parse_bot
from arena.report.text_format import format_count

PLAYERS: Final = 4
"""At a table of which nobody says how large it is."""
BOTS_BY_FAMILY: Final = {
    "exchange": ("counter", "greedy", "prudent"),
    "barter": ("thrifty",),
    "draw": ("thirty",),
    "cuckoo": ("cautious",),
    "cambio": ("rememberer",),
    "cox": ("collector",),
}
"""The built-in bots that know a family, the best first."""
SUIT_TOTAL_BOTS: Final = ("thirty", "counter", "greedy")
"""Those that know the games of the exchange family where suit totals count."""


def recommended_bots(rules: Rules) -> tuple[str, ...]:
    """The built-in bots that know a game, the best first."""
    if rules.family == "exchange" and isinstance(rules.ranking, SuitTotals):
        return SUIT_TOTAL_BOTS
    return BOTS_BY_FAMILY[rules.family]


class Opponent(NamedTuple):
    """A bot at a table, and where it lives."""

    bot: BotSpec
    level: Level


def choose_opponents(
    rules: Rules, named: Sequence[str], players: int | None, isolation: str
) -> list[Opponent]:
    """Who has the other seats: the bots named, else those that know the game, over and over.

    `isolation` is a level, or `auto`: the strongest that can be had for a bot that is not built in.
    Raises: ConfigError for too many bots or a level that cannot be had; PluginError; InvalidRules.
    """
    if players is None:
        players = len(named) + 1 if named else min(PLAYERS, rules.players[-1])
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.explain_player_limit(players)}")
    if len(named) >= players:
        room = format_count(players - 1, "bots")
        raise ConfigError(f"at a table of {players} there is room for {room}, not {len(named)}")
    bots = [parse_bot(name, Path()) for name in named or recommended_bots(rules)]
    for bot, other in combinations(bots, 2):
        if bot.name == other.name and bot.source != other.source:
            raise ConfigError(f"{bot.source} and {other.source} are both called {bot.name}: seat one of them")
    chooser = LevelSelector()
    field = [Opponent(bot, chooser.select(bot.source.kind, isolation)) for bot in bots]
    return [field[place % len(field)] for place in range(players - 1)]
