"""A tournament's options on a command line, laid over the table of a config file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arena.plugins import parse_bot


class Flags(NamedTuple):
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


def overlaid(table: Mapping[str, Any], flags: Flags) -> dict[str, Any]:
    """A config's table with the flags in it; what is wrong in the table stays so.

    Raises: PluginError for a bot that is not there.
    """
    said = {"blocks": flags.blocks, "seed": flags.seed, "isolation": flags.isolation}
    changed = {**table, **{key: value for key, value in said.items() if value is not None}}
    if flags.bots:
        own = table.get("bots", [])
        specs = [parse_bot(text, Path()) for text in flags.bots]
        named = [{"bot": spec.source, "name": spec.name} for spec in specs]
        changed["bots"] = named if len(named) > 1 else [*own, *named]
    if flags.variants:
        changed["variants"] = [{"name": name} for name in flags.variants]
    house = {**flags.settings, **({"players": list(flags.players)} if flags.players else {})}
    if house and isinstance(entries := changed.get("variants"), list):
        changed["variants"] = [{**one, **house} if isinstance(one, Mapping) else one for one in entries]
    return changed
