"""Finding the bot in a Python file without running it."""

from __future__ import annotations

import ast
from pathlib import Path

from arena.errors import PluginError
from arena.plugins.supported_games import explain_unparsable, parse_source

METHODS = frozenset({"act", "act_many"})


def find_bot_class(path: Path) -> str:
    """Return the name of the one class in a file that has a method `act` or `act_many`.

    Raises: PluginError, for none or several, or for a file that is not Python.
    """
    tree = parse_source(path)
    if tree is None:
        raise PluginError(explain_unparsable(path))
    found = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and _is_bot(node)]
    if len(found) != 1:
        several = f"has several classes with a method act ({', '.join(found)[:200]})"
        what = several if found else "has no class with a method act"
        raise PluginError(
            f"{path.name} {what}: a bot is one such class; else submit a folder with a bot.toml that names it"
        )
    return found[0]


def _is_bot(node: ast.ClassDef) -> bool:
    return any(isinstance(one, ast.FunctionDef) and one.name in METHODS for one in node.body)
