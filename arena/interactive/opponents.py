"""The bots at the other seats of an interactive match."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from arena.columns.number_format import format_count
from arena.errors import ConfigError, InvalidRules
from arena.games import Rules
from arena.output.words.cards import get_family_text
from arena.play.isolation import Level, LevelSelector
from arena.plugins import BotSpec
from arena.tournament.setup.command_line import parse_bot_with_settings

DEFAULT_PLAYERS: Final = 4


class Opponent(NamedTuple):
    """A bot and the isolation level it runs at."""

    bot: BotSpec
    level: Level


def choose_opponents(
    rules: Rules, names: Sequence[str], players: int | None, isolation: str
) -> list[Opponent]:
    """Return the bots of the other seats: those named, else recommended ones, repeated to fill the table.

    A name may have settings, as in `rollout(playouts=40)`.

    `players` None means as many seats as the bots need, or four.

    Raises:
        ConfigError: For too many bots or an unavailable isolation level.
        PluginError: For an unknown bot.
        InvalidRules: For too many players.
    """
    if players is None:
        players = len(names) + 1 if names else min(DEFAULT_PLAYERS, rules.players[-1])
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.explain_player_limit(players)}")
    if len(names) >= players:
        seats = format_count(players - 1, "bots")
        raise ConfigError(f"at a table of {players} there is room for {seats}, not {len(names)}")
    bots = [parse_bot_with_settings(name) for name in names or get_family_text(rules).recommended_bots(rules)]
    for bot, other in combinations(bots, 2):
        if bot.name == other.name and bot.source != other.source:
            raise ConfigError(f"{bot.source} and {other.source} have the same name {bot.name}: leave one out")
    selector = LevelSelector()
    field = [Opponent(bot, selector.select(bot.source.kind, isolation)) for bot in bots]
    return [field[place % len(field)] for place in range(players - 1)]
