"""Telling games from bots by their names and files, without running any code."""

from __future__ import annotations

import ast
from pathlib import Path

from arena.errors import ArenaError
from arena.game_source_files import MANIFEST as GAME_MANIFEST
from arena.games import variant
from arena.plugins.bot_classes import find_imported_neighbour
from arena.plugins.games import is_game_path
from arena.plugins.installed_bots import bot_entry_points
from arena.plugins.manifest import MANIFEST as BOT_MANIFEST


def names_a_game(text: str, base: Path) -> bool:
    """Return whether a text names a game rather than a bot; a bot where it could be either.

    A game is an installed variant, a folder with a `game.toml`, a Python file without a class that has a
    method `act`, or such a file with the name of a game: a text in it that names no class. A file beside a
    `bot.toml` that imports a neighbour as bots do is part of a bot.
    """
    path, _, name = text.rpartition(":") if text.rpartition(":")[0].endswith(".py") else (text, "", "")
    if not is_game_path(text) and not (base / text).is_dir():
        return _is_variant(text)
    if (base / path).is_dir():
        return (base / path / GAME_MANIFEST).is_file() and not (base / path / BOT_MANIFEST).is_file()
    try:
        module = ast.parse((base / path).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return False
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    if not name:
        return not any(_has_act(node) for node in classes) and not _is_part_of_bot(base / path, module)
    texts = {node.value for node in ast.walk(module) if isinstance(node, ast.Constant)}
    return name in texts and name not in [node.name for node in classes]


def _is_variant(text: str) -> bool:
    if any(point.name == text for point in bot_entry_points()):
        return False
    try:
        variant(text)
    except ArenaError:
        return False
    return True


def _is_part_of_bot(path: Path, module: ast.Module) -> bool:
    is_beside_bot = path.with_name(BOT_MANIFEST).is_file()
    return is_beside_bot and bool(find_imported_neighbour(module, path.parent))


def _has_act(node: ast.ClassDef) -> bool:
    return any(isinstance(inner, ast.FunctionDef) and inner.name == "act" for inner in node.body)
