"""One match: bots at their seats, the referee between them, and the record of it.

What a bot is made with comes at once, the rest when it is first used: a bot's own process has no use for it.
"""

from typing import TYPE_CHECKING

from arena.play.bot import Bot, Info, Limits

__all__ = ["Bot", "Fault", "Info", "Limits", "LocalPlayer", "play_match"]

if TYPE_CHECKING:
    from arena.play.players import Fault, LocalPlayer
    from arena.play.single_match import play_match
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'arena.play' has no attribute {name!r}")
        from importlib import import_module

        home = "single_match" if name == "play_match" else "players"
        value = globals()[name] = getattr(import_module(f"arena.play.{home}"), name)
        return value
