"""The games of a config: each with its options and table sizes, and the bots that play it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec

from arena.errors import (
    ConfigError,
    InvalidRules,
    PluginError,
    UnknownOption,
    UnknownVariant,
    suggest_nearest,
)
from arena.games import Rules, variant
from arena.games.options import list_options
from arena.play.bot import PositiveInt

DEFAULT_PLAYERS = 4


class VariantEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A variant with its options, and the table sizes it is played at."""

    name: str
    players: Annotated[tuple[PositiveInt, ...], msgspec.Meta(min_length=1)] = (DEFAULT_PLAYERS,)
    bots: tuple[str, ...] = ()
    """Names of those that play it; empty for all."""
    blocks: PositiveInt | None = None
    """Per table; None for as many as the config says."""
    options: dict[str, Any] = {}

    @property
    def rules(self) -> Rules:
        """The rules of this entry; their `str()` is the variant as printed."""
        return variant(self.name, **self.options)


MISPLACED = (
    "{0} belongs above the first [table]: in TOML a key belongs to the last [table] or [[table]] above it"
)
"""Advice for a key of the file that was written below a table."""
OWN_KEYS = frozenset(VariantEntry.__struct_fields__) - {"options"}
"""Keys of an entry that are not options of the game."""


def default_players(rules: Rules, bots: int = DEFAULT_PLAYERS) -> int:
    """Return the table size where none is given: four or as many as there are bots, if the game allows it."""
    return min(max(min(DEFAULT_PLAYERS, bots), rules.players[0]), rules.players[-1])


def variant_fields(
    key: str, entry: object, top_keys: Container[str] = (), bots: int = DEFAULT_PLAYERS
) -> dict[str, Any]:
    """Return the fields of a VariantEntry, without options that have their default values.

    Args:
        key: Key of the entry.
        entry: The value of that key.
        top_keys: Keys of the file that are not in a table.
        bots: Number of bots that can sit at one table.

    Raises: ConfigError, naming the key.
    """
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
        raise ConfigError(f'{key} must be a table with a name, such as name = "lives"')
    own = {name: value for name, value in entry.items() if name in OWN_KEYS}
    options = {name: value for name, value in entry.items() if name not in OWN_KEYS}
    with naming_key(key):
        known = [field.name for field, _ in list_options(variant(entry["name"]))]
        refuse_unknown(entry, (*sorted(OWN_KEYS), *known), f"{key}.", top_keys)
        rules = variant(entry["name"], **options)
    if isinstance(names := own.get("bots"), list) and names:
        bots = min(bots, len(names))
    players = entry.get("players", default_players(rules, bots))
    sizes = players if isinstance(players, list) else [players]
    return {**own, "name": rules.name, "players": sizes, "options": dict(rules.overrides)}


def variant_table(entry: VariantEntry) -> dict[str, Any]:
    """Return the keys and values of an entry as in a config file."""
    own = {"players": list(entry.players), "bots": list(entry.bots), "blocks": entry.blocks}
    return {"name": entry.name, **{key: value for key, value in own.items() if value}, **entry.options}


def check_sizes(entries: Sequence[VariantEntry]) -> None:
    """Check that every table can be dealt, and that no game is listed twice.

    Raises: ConfigError, naming the key.
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


def refuse_unknown(
    table: Mapping[str, Any], known: Iterable[str], prefix: str = "", top_keys: Container[str] = ()
) -> None:
    """Raise ConfigError for a key that is none of those known, with what would be right.

    `top_keys` are keys of the file that are not in a table.
    """
    for key in table:
        if key not in known and key in top_keys:
            raise ConfigError(f"{prefix}{key}: {MISPLACED.format(key)}")
        if key not in known:
            raise ConfigError(f"{prefix}{key}: there is no such key; {suggest_nearest(key, known)}")


@contextmanager
def naming_key(key: str) -> Iterator[None]:
    """Turn an error about the value of a key into a ConfigError that names the key."""
    try:
        yield
    except (PluginError, UnknownVariant, UnknownOption, InvalidRules) as error:
        raise ConfigError(f"{key}: {error}") from error
