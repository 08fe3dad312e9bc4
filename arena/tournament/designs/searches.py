"""Searches as a command line asks for them: configs of tunings and of exploiters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from arena.plugins.bot_spec import name_file_of_bot, parse_bot
from arena.tournament.formats.exploit import CLASS, EXPLOITER
from arena.tournament.formats.tuning import CANDIDATE, Parameter
from arena.tournament.setup.command_line import design_table, parse_bot_with_settings
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.toml_checks import COMMAND_LINE


def make_tuning_config(
    bot: str,
    pool: Sequence[str],
    games: Sequence[str],
    players: int | None,
    settings: Mapping[str, Any],
    parameters: Sequence[Parameter],
    **others: Any,
) -> Config:
    """Return the config of a tuning of a bot against a pool, with all games.

    Args:
        bot: As a command line names it.
        pool: The bots it plays against; without them itself.
        games: Variants.
        players: The seats; None for four, or as close as each game allows.
        settings: Options of all variants.
        parameters: The settings to search.
        others: Other keys of the config.
    """
    keys = {
        "replays": 0,
        "parameters": [str(parameter) for parameter in parameters if not parameter.is_integer],
        "integers": [str(parameter) for parameter in parameters if parameter.is_integer],
        **others,
    }
    tables = [
        design_table("tuning", [bot], pool or [bot], game, players, settings, [CANDIDATE]) | keys
        for game in dict.fromkeys(games)
    ]
    variants = [entry for table in tables for entry in table["variants"]]
    return make_config({**tables[0], "variants": variants}, base=Path(), where=COMMAND_LINE)


MAX_NAME_CHARS: Final = 40
PREFIX: Final = "exploits-"


def name_exploiter(bot: str) -> str:
    """Return the name of the exploiter of a bot, with what a bot's name in a folder may have."""
    return (PREFIX + name_file_of_bot(bot))[:MAX_NAME_CHARS]


def make_exploit_config(
    bot: str,
    field: Sequence[str],
    game: str,
    players: int | None,
    settings: Mapping[str, Any],
    **others: Any,
) -> Config:
    """Return the config of the training of an exploiter of a bot.

    Args:
        bot: As a command line names it.
        field: Bots for the other seats, instead of copies of the bot.
        game: The variant.
        players: The seats; None for four, or as close as the game allows.
        settings: Options of the variant.
        others: Other keys of the config.
    """
    name = name_exploiter(parse_bot_with_settings(bot).name)
    trained = parse_bot({"bot": f"{EXPLOITER}:{CLASS}", "name": name, "constants": {}}, Path())
    table = design_table("exploit", [trained, bot], field, game, players, settings)
    return make_config({**table, "replays": 0, **others}, base=Path(), where=COMMAND_LINE)
