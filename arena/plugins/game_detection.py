"""Telling games from bots by their names and files, without running any code."""

from __future__ import annotations

import ast
from pathlib import Path

from arena.errors import ArenaError, PluginError
from arena.game_source_files import MANIFEST as GAME_MANIFEST
from arena.games import variant
from arena.plugins.bot_classes import explain_no_bot
from arena.plugins.file_contents import (
    assigns_rules,
    find_imported_neighbour,
    list_bot_classes,
    list_classes,
)
from arena.plugins.games import is_game_path, split_game
from arena.plugins.installed_bots import bot_entry_points
from arena.plugins.manifest import MANIFEST as BOT_MANIFEST
from arena.plugins.supported_games import parse_source


def names_a_game(text: str, base: Path) -> bool:
    """Return whether a text names a game rather than a bot; a bot if it names nothing that can be read.

    A game is an installed variant, a folder with a `game.toml`, a Python file that is seen to assign rules,
    or such a file with the name of a game: a text in it that names no class. A file beside a `bot.toml` that
    imports a neighbour as bots do is part of a bot.

    Raises:
        PluginError: For a Python file in which neither is seen, or both.
    """
    path, _, name = text.rpartition(":") if text.rpartition(":")[0].endswith(".py") else (text, "", "")
    if not is_game_path(text) and not (base / text).is_dir():
        return _is_variant(text)
    if (base / path).is_dir():
        return (base / path / GAME_MANIFEST).is_file() and not (base / path / BOT_MANIFEST).is_file()
    module = parse_source(base / path) if path.endswith(".py") else None
    if module is None:
        return False
    if name:
        return _has_game(module, name)
    return _is_game_file(module, base / path)


def refuse_bot_file(text: str, base: Path) -> None:
    """Refuse a Python file as a game that has a bot and is not seen to have rules; none of it runs.

    Raises:
        PluginError: If it is one.
    """
    path = Path(split_game(text, base)[0])
    module = parse_source(path) if path.suffix == ".py" else None
    if module and list_bot_classes(module) and not assigns_rules(module):
        raise PluginError(
            f"{path.name} has a bot and no game: name it where a bot is expected, as by --bot or --against; "
            f"if it has a game, call `arena --trust-game {path.name} …`"
        )


def _has_game(module: ast.Module, name: str) -> bool:
    texts = {node.value for node in ast.walk(module) if isinstance(node, ast.Constant)}
    is_class = name in [node.name for node in list_classes(module)]
    return assigns_rules(module) and name in texts and not is_class


def _is_game_file(module: ast.Module, path: Path) -> bool:
    bots = list_bot_classes(module)
    if bots and not assigns_rules(module):
        return False
    if bots:
        raise PluginError(
            f"{path.name} has a bot and the rules of a game: name the bot, as {path.name}:{bots[0]}, or add "
            "--game to check the game, with your rights"
        )
    is_beside_bot = path.with_name(BOT_MANIFEST).is_file()
    if assigns_rules(module) and not (is_beside_bot and find_imported_neighbour(module, path.parent)):
        return True
    raise PluginError(
        f"{explain_no_bot(module, path)}. Nor does it assign rules to a name, as in golf = GolfRules(…), "
        "which makes a game. If it has a game, add --game: its code then runs with your rights"
    )


def _is_variant(text: str) -> bool:
    if any(point.name == text for point in bot_entry_points()):
        return False
    try:
        variant(text)
    except ArenaError:
        return False
    return True
