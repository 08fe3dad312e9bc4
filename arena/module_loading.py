"""Importing Python files as modules, for bots and games that are not installed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Final

from arena.errors import PluginError

MAX_ERROR_CHARS: Final = 500


def describe_error(error: BaseException) -> str:
    """Return what imported code raised, in one line."""
    return f"{type(error).__name__}: {error}"[:MAX_ERROR_CHARS]


def import_file(
    name: str, path: str, describe: Callable[[BaseException], str] = describe_error
) -> ModuleType:
    """Run a file as a module, once in a process: its classes stay the same when it is asked for again.

    Args:
        name: The name under which the module is kept.
        path: The file.
        describe: Returns what the file raised, for the message.

    Raises:
        PluginError: The file does not load.
    """
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
        raise PluginError(f"{path} does not load: {describe(error)}") from error
    return module
