"""Importing bots' classes from modules and files into this process."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from arena.errors import PluginError, suggest_class

MAX_ERROR_CHARS = 500


def load_class(path: str, name: str) -> type[Any]:
    """Return the bot class of that name in a Python file.

    Raises:
        PluginError: Where the file does not load or the class is missing or no bot.
    """
    module = _load_module(path)
    found = getattr(module, name, None)
    if found is None:
        raise PluginError(f"{path} has no class {name}; {suggest_class(name, module)}")
    return check_bot_class(found, f"{path}:{name}")


def check_bot_class(found: object, where: str) -> type[Any]:
    """Return `found` as a bot's class.

    Raises:
        PluginError: If it is not one.
    """
    if not isinstance(found, type):
        raise PluginError(f"{where} is not a class")
    if not callable(getattr(found, "act", None)):
        raise PluginError(f"{where} is not a bot: its class has no method act(self, view)")
    return found


def describe_error(error: BaseException) -> str:
    """Return what a bot raised, in one line."""
    return f"{type(error).__name__}: {error}"[:MAX_ERROR_CHARS]


def _load_module(path: str) -> Any:
    """Run a file as a module once a process: its classes stay the same however often it is loaded."""
    name = f"arena bot {path}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PluginError(f"{path} does not load: {describe_error(error)}") from error
    return module
