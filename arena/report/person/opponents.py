"""Who sits at the table with a person."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, InvalidRules
from arena.games import Rules
from arena.games.totals import SuitTotals
from arena.plugins import BotSpec, kind, parse_bot
from arena.report.words import counted

PLAYERS: Final = 4
"""At a table of which nobody says how large it is."""
KNOWING: Final = {
    "exchange": ("counter", "greedy", "prudent"),
    "barter": ("thrifty",),
    "draw": ("thirty",),
    "cuckoo": ("cautious",),
    "cambio": ("rememberer",),
    "cox": ("collector",),
}
"""The built-in bots that know a family, the best first."""
OF_TOTALS: Final = ("thirty", "counter", "greedy")
"""Those that know the games of the exchange family where suit totals count."""


def knowing(rules: Rules) -> tuple[str, ...]:
    """The built-in bots that know a game, the best first."""
    if rules.family == "exchange" and isinstance(rules.ranking, SuitTotals):
        return OF_TOTALS
    return KNOWING[rules.family]


def opponents(rules: Rules, named: Sequence[str], players: int | None, *, trusted: bool) -> list[BotSpec]:
    """The bots of the other seats: those named, else those that know the game, over and over.

    `trusted`: whether bots that are not built in may be played in this process.
    Raises: ConfigError for too many bots or one that may not be played here; PluginError; InvalidRules.
    """
    if players is None:
        players = len(named) + 1 if named else min(PLAYERS, rules.players[-1])
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.why_not(players)}")
    if len(named) >= players:
        raise ConfigError(
            f"at a table of {players} there is room for {counted(players - 1, 'bots')}, not {len(named)}"
        )
    field = [parse_bot(name, Path()) for name in named or knowing(rules)]
    for bot in field:
        origin = kind(bot)
        if origin == "command" or (origin != "built-in" and not trusted):
            raise ConfigError(
                f"{bot.name} is not built in, and there is no safe place for it here yet: "
                "with --isolation inline its code runs as your own"
            )
    return [field[place % len(field)] for place in range(players - 1)]
