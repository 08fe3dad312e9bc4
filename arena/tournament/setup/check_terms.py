"""The terms on which a bot is checked: those of a tournament, or the usual ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.games import Rules, variant
from arena.play import Limits
from arena.plugins import BotSpec, supported_rules
from arena.tournament.setup.config import Config


class Terms(NamedTuple):
    """What a bot is played at, where it lives, and what it may use."""

    games: tuple[Rules, ...]
    isolation: str
    limits: Limits


def terms(spec: BotSpec, config: Config | None, names: Sequence[str], isolation: str | None) -> Terms:
    """The games that are named, else a tournament's, else those the bot claims; the rest as in that one.

    Raises: UnknownVariant; PluginError, for a bot that is not there.
    """
    games = tuple(variant(name) for name in names)
    if config is None:
        return Terms(games or supported_rules(spec.source.variants()), isolation or "auto", Limits())
    own = tuple(dict.fromkeys(entry.rules for entry in config.variants))
    return Terms(games or own, isolation or config.isolation, config.limits)
