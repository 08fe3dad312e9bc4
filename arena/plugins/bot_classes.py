"""Finding the bot in a Python file or a folder of them without running it."""

from __future__ import annotations

import ast
from pathlib import Path

from arena.errors import PluginError, suggest_nearest
from arena.plugins.file_contents import (
    assigns_rules,
    find_imported_neighbour,
    has_function,
    list_bot_classes,
    list_classes,
    list_names,
)
from arena.plugins.manifest import MANIFEST, Manifest, name_of_file
from arena.plugins.supported_games import explain_unparsable, parse_source


def find_bot_class(path: Path) -> str:
    """Return the name of the one class in a file that has a method `act` or `act_many`.

    Raises:
        PluginError: For none or several, or for a file that is not Python.
    """
    tree = parse_source(path)
    if tree is None:
        raise PluginError(explain_unparsable(path))
    classes = list_bot_classes(tree)
    if not classes:
        raise PluginError(explain_no_bot(tree, path))
    if len(classes) > 1:
        raise PluginError(
            f"{path.name} has several classes with a method act ({', '.join(classes)[:200]}): name one, as "
            f"in {path.name}:{classes[0]}, or in the {MANIFEST} of a folder"
        )
    return classes[0]


def explain_no_bot(tree: ast.Module, path: Path) -> str:
    """Return that a file has no class of a bot, and the likely reason."""
    reason = f"{path.name} has no class with a method act(self, view), which makes a bot"
    derived = [node.name for node in list_classes(tree) if node.bases]
    if assigns_rules(tree):
        return f"{reason}; it has the rules of a game: name it where a game is expected, as by --game"
    if neighbour := find_imported_neighbour(tree, path.parent):
        has_manifest = path.with_name(MANIFEST).is_file()
        return f"{reason}; it imports {neighbour}, but {explain_single_file(has_manifest)}"
    if has_function(tree, "act"):
        return f"{reason}; its act is a function: put it into a class"
    return f"{reason}; if a class inherits it, name that: {path.name}:{derived[-1]}" if derived else reason


def explain_single_file(has_manifest: bool) -> str:
    """Return that a bot in a single file has no other, and what to do; is a `bot.toml` beside the file?"""
    remedy = f"name the folder, which has a {MANIFEST}"
    if not has_manifest:
        remedy = f"use a folder with a {MANIFEST}, see docs/submitting.md"
    return f"a bot in a single file has no other file: {remedy}"


def check_class_name(path: Path, name: str) -> None:
    """Refuse the name of a class that a Python file does not contain.

    A file without classes or with errors is not judged, nor one behind a link: the message would tell what
    is in it.

    Raises:
        PluginError: With the most similar name.
    """
    tree = parse_source(path) if path == path.resolve() else None
    if tree is None:
        return
    classes = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    if classes and not {name, "*"} & list_names(tree):
        raise PluginError(f"{path} has no class {name}; {suggest_nearest(name, classes)}")


def describe_folder(folder: Path) -> Manifest | None:
    """Return the description of a folder without a `bot.toml`: its one file with one bot; None if unclear."""
    targets = []
    for path in sorted(folder.glob("*.py")):
        tree = None if path.is_symlink() else parse_source(path)
        targets += [f"{path.name}:{name}" for name in list_bot_classes(tree)] if tree else []
    if len(targets) != 1:
        return None
    return Manifest(name=name_of_file(folder.resolve().name, is_ascii=True) or "bot", target=targets[0])
