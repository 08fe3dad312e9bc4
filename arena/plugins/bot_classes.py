"""The bots and games in a Python file, found by its syntax tree: no code of it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.errors import PluginError, suggest_nearest
from arena.game_source_files import ARENA
from arena.plugins.manifest import MANIFEST, Manifest, name_of_file
from arena.plugins.supported_games import explain_unparsable, parse_source

# --- file contents ---
# The bots and games in a Python file, found by its syntax tree: no code of it runs.

BOT_METHODS: Final = frozenset({"act", "act_many"})
BLOCKS: Final = ("body", "handlers", "orelse", "finalbody", "cases")
"""Attributes of statements that hold others."""


def list_statements(module: ast.Module) -> Iterator[ast.AST]:
    """Yield what an import of a module runs, also in its `if` and `try`, not in its functions or classes."""
    pending: list[ast.AST] = [*module.body[::-1]]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = [statement for block in BLOCKS for statement in getattr(node, block, [])]
            pending += inner[::-1]


def list_classes(module: ast.Module) -> list[ast.ClassDef]:
    """Return the classes of a module."""
    return [node for node in list_statements(module) if isinstance(node, ast.ClassDef)]


def has_function(module: ast.Module, name: str) -> bool:
    """Return whether a module has a function of this name, outside its classes."""
    nodes = [node for node in list_statements(module) if isinstance(node, ast.FunctionDef)]
    return any(node.name == name for node in nodes)


def list_bot_classes(module: ast.Module) -> list[str]:
    """Return the names of the classes that have a method `act` or `act_many`.

    The heuristic in a game's file has one, too, and is left out.
    """
    bots = [node for node in list_classes(module) if _has_bot_method(node)]
    if assigns_rules(module):
        bots = [node for node in bots if not any(_last_name(base) == "Heuristic" for base in node.bases)]
    return list(dict.fromkeys(node.name for node in bots))


def assigns_rules(module: ast.Module) -> bool:
    """Return whether a module is seen to assign the rules of a game to a name.

    They are made by a call of a class whose name ends with `Rules` and that is imported from the arena, or of
    a class of the file that derives from one. The arena's `Family` may be called instead.
    """
    known: set[str] = set()
    modules: set[str] = set()
    for node in list_statements(module):
        if isinstance(node, ast.Import):
            names = [alias.asname or ARENA for alias in node.names if _is_of_arena(alias.name)]
            modules.update(names)
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_of_arena(node.module or ""):
            for alias in node.names:
                names = ["Rules", "Family"] if alias.name == "*" else [alias.asname or alias.name]
                (known if alias.name == "*" or _makes_rules(alias.name) else modules).update(names)
        elif isinstance(node, ast.ClassDef):
            if any(_is_rules_class(base, known, modules) for base in node.bases):
                known.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            calls = [part for part in ast.walk(node.value) if isinstance(part, ast.Call)]
            if any(_is_rules_class(call.func, known, modules) for call in calls):
                return True
    return False


def find_imported_neighbour(module: ast.Module, folder: Path) -> str:
    """Return the name of a file in `folder` that a module there imports; empty for none."""
    names: list[str] = []
    for node in list_statements(module):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level < 2:
            names += [node.module] if node.module else [alias.name for alias in node.names]
    return next((f"{name}.py" for name in names if (folder / f"{name}.py").is_file()), "")


def list_names(module: ast.Module) -> set[str]:
    """Return the names that a file defines or imports anywhere; `*` stands for all of another module."""
    nodes = list(ast.walk(module))
    assigned = {node.id for node in nodes if isinstance(node, ast.Name)}
    classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return assigned | classes | {alias.asname or alias.name for node in imports for alias in node.names}


def _has_bot_method(node: ast.ClassDef) -> bool:
    """Return whether a class plays; also one that is `async` by mistake, which a check then names."""
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    return any(method.name in BOT_METHODS for method in methods)


def _is_of_arena(module: str) -> bool:
    return module.partition(".")[0] == ARENA


def _makes_rules(name: str) -> bool:
    return name.endswith("Rules") or name == "Family"


def _is_rules_class(expression: ast.expr, known: set[str], modules: set[str]) -> bool:
    """Return whether an expression is one of the known classes, or such a class of one of the modules."""
    if isinstance(expression, ast.Subscript):
        return _is_rules_class(expression.value, known, modules)
    if isinstance(expression, ast.Name):
        return expression.id in known
    root = expression
    while isinstance(root, ast.Attribute):
        root = root.value
    is_in_module = isinstance(root, ast.Name) and root.id in modules
    return is_in_module and isinstance(expression, ast.Attribute) and _makes_rules(expression.attr)


def _last_name(expression: ast.expr) -> str:
    """Return `Rules` for `Rules`, `authoring.Rules` and `Rules[int]`; empty for other expressions."""
    if isinstance(expression, ast.Subscript):
        return _last_name(expression.value)
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


# --- bot classes ---
# Finding the bot in a Python file or a folder of them without running it.


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
