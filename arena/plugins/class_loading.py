"""Importing bots' classes from modules and files into this process."""

from __future__ import annotations

from typing import Any

from arena.errors import PluginError, suggest_class
from arena.module_loading import import_file


def load_class(path: str, name: str) -> type[Any]:
    """Return the bot class of that name in a Python file.

    Raises:
        PluginError: Where the file does not load or the class is missing or no bot.
    """
    module = import_file(f"arena bot {path}", path)
    bot_class = getattr(module, name, None)
    if bot_class is None:
        raise PluginError(f"{path} has no class {name}; {suggest_class(name, module)}")
    return check_bot_class(bot_class, f"{path}:{name}")


def check_bot_class(loaded: object, where: str) -> type[Any]:
    """Return `loaded` as a bot's class.

    Raises:
        PluginError: If it is not one.
    """
    if not isinstance(loaded, type):
        raise PluginError(f"{where} is not a class")
    if not callable(getattr(loaded, "act", None)):
        raise PluginError(f"{where} is not a bot: its class has no method act(self, view)")
    return loaded
