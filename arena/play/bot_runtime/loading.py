"""The bot's class, from where it is said to be."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def load(source: str) -> type[Any]:
    """The class in `module:Class` or `/path/bot.py:Class`; whatever is wrong with it is raised."""
    where, _, name = source.rpartition(":")
    module = _of_file(where) if where.endswith(".py") else import_module(where)
    found = getattr(module, name)
    if not isinstance(found, type) or not callable(getattr(found, "act", None)):
        raise TypeError(f"{source} is no bot: a bot is a class with act(self, view)")
    return found


def _of_file(path: str) -> Any:
    from importlib.util import module_from_spec, spec_from_file_location

    name = f"arena bot {path}"
    spec = spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
