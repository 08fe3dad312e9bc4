"""Configs of runs that a league's bots play outside its updates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from arena.errors import ConfigError, suggest_nearest
from arena.league.admission import is_installed
from arena.league.results import LeagueResults
from arena.tournament.setup.config import Config, make_config
from arena.tournament.store.played_blocks import Game


def bot_table(results: LeagueResults, version: int) -> dict[str, str]:
    """Return the entry of a version in a config."""
    entry = results.entry_of(version)
    source = entry.version.source
    path = source if is_installed(source) else str(results.folder.path / source)
    return {"bot": path, "name": entry.name, "team": results.team_of(version)}


def check_games(results: LeagueResults, variants: Iterable[str]) -> None:
    """Refuse variants, as printed, that the league does not have.

    Raises:
        ConfigError: For a variant that the league does not have.
    """
    known = dict.fromkeys(variant for variant, _ in results.field.games.values())
    for name in variants:
        if name not in known:
            raise ConfigError(f"the league has no {name!r}; {suggest_nearest(name, known)}")


def make_league_config(
    results: LeagueResults, bots: Iterable[Mapping[str, Any]], games: Iterable[Game], **others: Any
) -> Config:
    """Return the config of a run of some bots at games of a league, under its limits.

    Args:
        results: The league.
        bots: Entries of bots, see `bot_table`.
        games: Games of the league, with the number of players.
        others: Other keys of the config and their values.

    Raises:
        ConfigError: If that cannot be played.
    """
    settings = results.settings
    entries = {str(entry.rules): entry for entry in settings.variants}
    variants = [
        {"name": entries[variant].name, "players": size, **entries[variant].options}
        for variant, size in games
    ]
    table = {
        "bots": list(bots),
        "variants": variants,
        "isolation": settings.isolation,
        "limits": msgspec.to_builtins(settings.limits),
        **others,
    }
    return make_config(table, base=results.folder.path, where=str(results.folder.path))
