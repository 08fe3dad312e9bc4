"""Telling games from bots by their names and files, without running any code."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from pathlib import Path

from arena.errors import ArenaError, PluginError, suggest_nearest
from arena.game_source_files import MANIFEST as GAME_MANIFEST
from arena.games import variant
from arena.games.family import NAME
from arena.games.registry import list_families
from arena.plugins.bot_classes import (
    assigns_rules,
    describe_folder,
    explain_no_bot,
    find_imported_neighbour,
    list_bot_classes,
    list_classes,
)
from arena.plugins.games import is_game_path, split_game
from arena.plugins.installed_bots import bot_entry_points
from arena.plugins.manifest import MANIFEST as BOT_MANIFEST
from arena.plugins.supported_games import parse_source


def names_a_game(text: str, base: Path) -> bool:
    """Return whether a text names a game rather than a bot; a bot if it names a file that cannot be read.

    A game is an installed variant, a folder with a `game.toml`, a Python file that is seen to assign rules,
    or such a file with the name of a game: a text in it that names no class. A file beside a `bot.toml` that
    imports a neighbour as bots do is part of a bot.

    Raises:
        PluginError: For a Python file in which neither is seen, or both; for a name that nothing has; and for
            a game's folder without a `game.toml`, or named by it.
    """
    path, _, name = text.rpartition(":") if text.rpartition(":")[0].endswith(".py") else (text, "", "")
    if not is_game_path(text) and not (base / text).is_dir():
        return _is_variant(text, base)
    if (base / path).is_dir():
        return _is_game_folder(base / path)
    if (base / path).name == GAME_MANIFEST:
        raise PluginError(f"{path} is part of a game: name its folder")
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
            "--as game to check the game, with your rights"
        )
    is_beside_bot = path.with_name(BOT_MANIFEST).is_file()
    if assigns_rules(module) and not (is_beside_bot and find_imported_neighbour(module, path.parent)):
        return True
    raise PluginError(
        f"{explain_no_bot(module, path)}. Nor does it assign rules, of a class derived from the arena's, to "
        "a name, as in golf = GolfRules(…), which makes a game. If it has a game, add --as game: its code "
        "then runs with your rights"
    )


def _is_game_folder(path: Path) -> bool:
    is_bot = (path / BOT_MANIFEST).is_file()
    if (path / GAME_MANIFEST).is_file() or is_bot or describe_folder(path):
        return not is_bot and (path / GAME_MANIFEST).is_file()
    for file in sorted(path.glob("*.py")):
        module = parse_source(file)
        if module and assigns_rules(module):
            raise PluginError(
                f"{path} has no {BOT_MANIFEST} and no {GAME_MANIFEST}; {file.name} has the rules of a game: "
                f'name that file, or write game = "{file.name}" into {GAME_MANIFEST}'
            )
    return False


def _is_variant(text: str, base: Path) -> bool:
    bots = {point.name for point in bot_entry_points()}
    if text in bots:
        return False
    with suppress(ArenaError):
        variant(text)
        return True
    is_file = any((base / name).exists() for name in (text, f"{text}.py"))
    if not is_file and re.fullmatch(NAME, text):
        known = bots | {name for family in list_families().values() for name in family.variants}
        raise PluginError(f"no bot and no game is called {text!r}; {suggest_nearest(text, known)}")
    return False
