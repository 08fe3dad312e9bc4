"""Creating new bots and games from the templates."""

from __future__ import annotations

import re
import shutil
import subprocess
from keyword import iskeyword
from pathlib import Path
from typing import Literal

from arena.errors import PluginError
from arena.games.registry import NAME as GAME_NAME
from arena.games.registry import list_variants
from arena.installed import find_games, find_shipped
from arena.plugins.manifest import check_name, read_manifest

TEMPLATE_GAME = "mezzo"
TEMPLATES = find_shipped("plugins/templates", "examples")
Language = Literal["python", "javascript", "c", "wasm"]


def make_bot(name: str, language: Language, base: Path) -> Path:
    """Create the folder of a bot of that name in `base`, ready to play, and return it.

    Raises:
        PluginError: If the name cannot be a bot's or is taken in `base`.
    """
    check_name(name)
    folder = base / name
    if folder.exists():
        raise PluginError(f"{folder} already exists: give the bot another name")
    template = TEMPLATES / language
    _copy_renamed(template, folder, read_manifest(template).name, name)
    return folder


def make_game(name: str, base: Path) -> Path:
    """Create the folder of a game of that name in `base`, ready to play, and return it.

    Raises:
        PluginError: If the name cannot be a game's, is another game's, or is taken in `base`.
    """
    if not re.fullmatch(GAME_NAME, name):
        raise PluginError(f"{name!r} cannot be a game's name: write lower-case letters, digits and hyphens")
    if name in find_games() or name in [rules.name for rules in list_variants()]:
        raise PluginError(f"{name} is the name of another game: give yours another one")
    folder = base / name
    if folder.exists():
        raise PluginError(f"{folder} already exists: give the game another name")
    _copy_renamed(TEMPLATES / "game", folder, TEMPLATE_GAME, name)
    return folder


def _copy_renamed(template: Path, folder: Path, old: str, name: str) -> None:
    """Copy a template into a new folder, with another name in place of its own."""
    folder.mkdir()
    for path in sorted(template.iterdir()):
        if path.suffix == ".wasm":
            shutil.copyfile(path, folder / path.name)
        elif path.is_file() and (path.suffix or path.name == "Makefile"):
            text = path.read_text(encoding="utf-8")
            text = text.replace(old.capitalize(), class_name(name)).replace(old, name)
            (folder / path.name).write_text(text, encoding="utf-8")


def compile_bot(folder: Path) -> bool:
    """Compile a new bot that needs it; return whether the bot can be played."""
    if not (folder / "Makefile").exists() or read_manifest(folder).wasm:
        return True
    compiler, make = shutil.which("cc"), shutil.which("make")
    if not (compiler and make):
        return False
    return subprocess.run([make, "-s"], cwd=folder, capture_output=True).returncode == 0


def class_name(name: str) -> str:
    """Return the class name for a bot's name: `my-bot` makes `MyBot`."""
    words = [word for word in re.split(r"[^A-Za-z0-9]", name) if word]
    joined = "".join(word[0].upper() + word[1:] for word in words)
    return joined if joined.isidentifier() and not iskeyword(joined) else f"Bot{joined}"
