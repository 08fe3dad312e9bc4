"""The games a Python class declares, read from its file without running it."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import Final

from arena.errors import PluginError
from arena.plugins.supported_games import check_variants

ATTRIBUTE: Final = "variants"
LONGEST: Final = 1 << 20
"""Bytes of a file that is read for a declaration."""


def variants_in(path: Path, class_name: str) -> tuple[str, ...]:
    """What a class declares by `variants = ("lives", "cox")` in its body: games and families; empty for all.

    Only names that stand there as they are can be read without running the file.
    Raises: PluginError, for what is no list of names of games and families.
    """
    for node in _body(path, class_name):
        if isinstance(node, ast.AnnAssign):
            targets: list[ast.expr] = [node.target]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        else:
            continue
        if node.value and any(isinstance(one, ast.Name) and one.id == ATTRIBUTE for one in targets):
            return _names(node.value, f"{path}:{node.lineno}")
    return ()


def _names(value: ast.expr, where: str) -> tuple[str, ...]:
    try:
        names = ast.literal_eval(value)
        check_variants(names)
        return tuple(names)
    except PluginError as error:
        raise PluginError(f"{where}: {error}") from error
    except (ValueError, TypeError, RecursionError, MemoryError):
        return ()


def _body(path: Path, class_name: str) -> list[ast.stmt]:
    """What a class in a file is made of; nothing where it cannot be found by reading."""
    try:
        if path.stat().st_size > LONGEST:
            return []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_name]
    return found[-1].body if found else []
