"""A tournament's options on a command line, laid over the table of a config file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import ConfigError
from arena.games import variant
from arena.plugins import parse_bot
from arena.plugins.submissions import default_store, is_reference, parse_bot_or_reference
from arena.tournament.setup.config import DEFAULT_PLAYERS


class RunOverrides(NamedTuple):
    """What may be said instead of a config, or over one; what is left empty stays as it is there."""

    bots: tuple[str, ...] = ()
    """One alone joins the config's, several stand in their place. Files are looked for from here on."""
    variants: tuple[str, ...] = ()
    players: tuple[int, ...] = ()
    """At the tables of every variant."""
    settings: Mapping[str, Any] = {}
    """Options of every variant."""
    blocks: int | None = None
    seed: str | None = None
    isolation: str | None = None
    until_resolved: bool | None = None


def apply_overrides(table: Mapping[str, Any], flags: RunOverrides) -> dict[str, Any]:
    """A config's table with the flags in it; what is wrong in the table stays so.

    Raises: PluginError for a bot that is not there.
    """
    said = {key: getattr(flags, key) for key in ("blocks", "seed", "isolation", "until_resolved")}
    changed = {**table, **{key: value for key, value in said.items() if value is not None}}
    if flags.bots:
        own = table.get("bots", [])
        named = [_named(text) for text in flags.bots]
        changed["bots"] = named if len(named) > 1 else [*own, *named]
    if flags.variants:
        changed["variants"] = [{"name": name} for name in flags.variants]
    house = {**flags.settings, **({"players": list(flags.players)} if flags.players else {})}
    if house and isinstance(entries := changed.get("variants"), list):
        changed["variants"] = [{**one, **house} if isinstance(one, Mapping) else one for one in entries]
    return changed


def _named(text: str) -> str | dict[str, str]:
    if is_reference(text):
        return text
    spec = parse_bot(text, Path())
    return {"bot": str(spec.source), "name": spec.name}


def comparison_table(
    bots: tuple[str, str], field: tuple[str, ...], game: str, players: int | None, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The table of a comparison of two bots, alone or each in turn at tables of a field.

    Raises: PluginError for a bot that is not there; UnknownVariant; ConfigError for a bot named twice.
    """
    specs = [parse_bot_or_reference(text, Path(), default_store()) for text in (*bots, *field)]
    names = [spec.name for spec in specs]
    if names[0] == names[1]:
        raise ConfigError(f"{names[0]} is as strong as itself: a comparison is of two bots")
    for name in names[2:]:
        if names.count(name) > 1:
            raise ConfigError(f"{name} is there twice: a field is of others, each named once")
    seats = variant(game).players
    usual = min(max(DEFAULT_PLAYERS, seats[0]), seats[-1])
    return {
        "format": "comparison",
        "bots": [{"bot": str(spec.source), "name": spec.name} for spec in specs],
        "variants": [{"name": game, "players": players or usual, **settings}],
    }
