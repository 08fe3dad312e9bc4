"""The parameters a bot declares, those that `arena tune` searches, read from its class without running it."""

from __future__ import annotations

import ast
from pathlib import Path

from arena.errors import PluginError
from arena.plugins.bot_source import ParameterKind
from arena.plugins.supported_games import find_class_attribute


def read_parameters(path: Path, class_name: str, kind: ParameterKind) -> tuple[str, ...]:
    """Return what a class declares by `parameters = ["safe=0.6..0.99@0.95"]` in its body.

    Raises:
        PluginError: For anything but a list of literal texts.
    """
    value = find_class_attribute(path, class_name, kind)
    if value is None:
        return ()
    try:
        texts = ast.literal_eval(value)
    except (ValueError, TypeError, RecursionError, MemoryError):
        texts = None
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        example = "safe=0.6..0.99@0.95" if kind == "parameters" else "draws=4..16@8"
        raise PluginError(
            f'{path}:{value.lineno}: {kind} must be a list of literal texts, such as {kind} = ["{example}"]'
        )
    return tuple(texts)
