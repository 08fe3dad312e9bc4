"""The games of a config: each with its options and table sizes, and the bots that play it."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from arena.errors import (
    ConfigError,
)
from arena.games import Rules, variant
from arena.games.option_fields import list_options
from arena.play.bot import PositiveInt
from arena.plugins.games import game_text
from arena.tournament.setup.config_keys import naming_key, refuse_unknown
from arena.tournament.setup.house_game_files import HouseGames

DEFAULT_PLAYERS = 4


class VariantEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A variant with its options, and the table sizes it is played at."""

    name: str
    players: Annotated[tuple[PositiveInt, ...], msgspec.Meta(min_length=1)] = (DEFAULT_PLAYERS,)
    bots: tuple[str, ...] = ()
    """Names of those that play it; empty for all."""
    blocks: PositiveInt | None = None
    """Per table; None for as many as the config says."""
    blocks_with: dict[str, PositiveInt] = {}
    """Per table with this bot, in place of `blocks`; of a table with several of these bots the smallest."""
    options: dict[str, Any] = {}

    @property
    def rules(self) -> Rules:
        """The rules of this entry; their `str()` is the variant as printed."""
        return variant(self.name, **self.options)


OWN_KEYS = frozenset(VariantEntry.__struct_fields__) - {"options"}
"""Keys of an entry that are not options of the game."""
INSTALLED_GAMES = HouseGames()


def default_players(rules: Rules, bots: int = DEFAULT_PLAYERS) -> int:
    """Return the table size where none is given: four or as many as there are bots, if the game allows it."""
    return min(max(min(DEFAULT_PLAYERS, bots), rules.players[0]), rules.players[-1])


def variant_fields(
    key: str,
    entry: object,
    top_keys: Container[str] = (),
    bots: int = DEFAULT_PLAYERS,
    games: HouseGames = INSTALLED_GAMES,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """Return the fields of a VariantEntry, without options that have their default values.

    Args:
        key: Key of the entry.
        entry: The value of that key.
        top_keys: Keys of the file that are not in a table.
        bots: Number of bots that can sit at one table.
        games: The house games that an entry may name.
        without: Names of bots to leave out of those of the entry.

    Raises:
        ConfigError: For a wrong entry, with the key.
    """
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
        raise ConfigError(f'{key} must be a table with a name, such as name = "lives"')
    own = _leave_out(
        {name: value for name, value in entry.items() if name in OWN_KEYS}, without, key, entry["name"]
    )
    options = {name: value for name, value in entry.items() if name not in OWN_KEYS}
    with naming_key(key):
        base = {"base": options["base"]} if "base" in options else {}
        known = [field.name for field, _ in list_options(games.rules(entry["name"], base))]
        refuse_unknown(entry, (*sorted(OWN_KEYS), "base", *known), f"{key}.", top_keys)
        rules = games.rules(entry["name"], options)
    if isinstance(names := own.get("bots"), list) and names:
        bots = min(bots, len(names))
    players = entry.get("players", default_players(rules, bots))
    sizes = players if isinstance(players, list) else [players]
    return {**own, "name": rules.name, "players": sizes, "options": dict(rules.overrides)}


def _leave_out(own: dict[str, Any], names: Collection[str], key: str, game: str) -> dict[str, Any]:
    """Return the keys of an entry that are no options, without bots of some names in their values.

    Raises:
        ConfigError: If the entry names bots and none is left.
    """
    left = dict(own)
    bots = own.get("bots")
    if isinstance(bots, list) and bots and all(isinstance(bot, str) for bot in bots):
        left["bots"] = [bot for bot in bots if bot not in names]
        if not left["bots"]:
            raise ConfigError(
                f"{key}.bots: all bots of {game} are left out: keep two of them, or remove the game"
            )
    if isinstance(blocks := own.get("blocks_with"), Mapping):
        left["blocks_with"] = {bot: number for bot, number in blocks.items() if bot not in names}
    return left


def variant_table(entry: VariantEntry, folder: Path | None) -> dict[str, Any]:
    """Return the keys and values of an entry as in a config file in `folder`, without one with full paths."""
    own = {"players": list(entry.players), "bots": list(entry.bots), "blocks": entry.blocks}
    table = {"name": game_text(entry.rules, folder), **own, **entry.options, "blocks_with": entry.blocks_with}
    return {key: value for key, value in table.items() if value or key in entry.options}


def check_sizes(entries: Sequence[VariantEntry]) -> None:
    """Check that every table can be dealt, and that no game is listed twice.

    Raises:
        ConfigError: If a table cannot be dealt or a game is listed twice, with the key.
    """
    seen = set()
    for i, entry in enumerate(entries):
        rules, key = entry.rules, f"variants[{i}].players"
        for size in entry.players:
            if size not in rules.players:
                raise ConfigError(
                    f"{key}: {rules} cannot be dealt to {size}: {rules.explain_player_limit(size)}"
                )
            if (str(rules), size) in seen:
                raise ConfigError(f"{key}: {rules} with {size} players is listed twice")
            seen.add((str(rules), size))
