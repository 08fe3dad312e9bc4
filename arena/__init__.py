"""An arena for Commerce and its family of card games: the rule book, matches and tournaments of bots.

The public names are resolved when they are first used, so that a command which needs none of them
starts at once.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "VARIANTS",
    "Action",
    "ArenaError",
    "Bot",
    "ConfigError",
    "IllegalAction",
    "Info",
    "InvalidNotation",
    "InvalidRules",
    "Match",
    "PluginError",
    "RecordError",
    "Rules",
    "StoreError",
    "UnknownOption",
    "UnknownVariant",
    "View",
    "play_match",
    "variant",
]

if TYPE_CHECKING:
    from arena.errors import (
        ArenaError,
        ConfigError,
        IllegalAction,
        InvalidNotation,
        InvalidRules,
        PluginError,
        RecordError,
        StoreError,
        UnknownOption,
        UnknownVariant,
    )
    from arena.games import VARIANTS, Action, Match, Rules, View, variant
    from arena.play import Bot, Info, play_match
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'arena' has no attribute {name!r}")
        from importlib import import_module

        packages = {
            **dict.fromkeys(("VARIANTS", "Action", "Match", "Rules", "View", "variant"), "games"),
            **dict.fromkeys(("Bot", "Info", "play_match"), "play"),
        }
        value = getattr(import_module(f"arena.{packages.get(name, 'errors')}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
