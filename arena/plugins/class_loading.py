"""Bots' classes, brought into this process from modules and files."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from arena.errors import PluginError


def load_module(path: str) -> Any:
    """The module in a file, run once a process: its classes stay the same however often it is asked for.

    Raises: PluginError, if it does not load.
    """
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
        raise PluginError(f"{path} does not load: {words(error)}") from error
    return module


def class_in(module: Any, path: str, name: str) -> type[Any]:
    """The bot of that name in a module that came from a file.

    Raises: PluginError, where there is none.
    """
    found = getattr(module, name, None)
    if found is None:
        raise PluginError(f"{path} has no class {name}")
    return contestant(found, f"{path}:{name}")


def contestant(found: object, where: str) -> type[Any]:
    """The same, as a bot's class.

    Raises: PluginError, if it is not one.
    """
    if not isinstance(found, type):
        raise PluginError(f"{where} is not a class")
    if not callable(getattr(found, "act", None)):
        raise PluginError(f"{where} is not a bot: its class has no method act(self, view)")
    return found


def words(error: BaseException) -> str:
    """What a bot raised, in a line."""
    return f"{type(error).__name__}: {error}"[:500]
