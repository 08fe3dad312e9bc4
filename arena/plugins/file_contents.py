"""The bots and games in a Python file, found by its syntax tree: no code of it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

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

    They are made by a call of a class whose name ends with `Rules`, or which derives from such a class in the
    same file. `Family` may be called instead. A class of the file with such a name that derives from no
    rules makes none.
    """
    known = {"Family"}
    unrelated: set[str] = set()
    for node in list_statements(module):
        if isinstance(node, ast.ImportFrom):
            known |= {
                alias.asname for alias in node.names if alias.asname and _makes_rules(alias.name, known)
            }
        elif isinstance(node, ast.ClassDef):
            names = {_last_name(base) for base in node.bases} - (unrelated - known)
            is_derived = any(_makes_rules(name, known) for name in names)
            (known if is_derived else unrelated).add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            calls = [part for part in ast.walk(node.value) if isinstance(part, ast.Call)]
            names = {_last_name(call.func) for call in calls} - (unrelated - known)
            if any(_makes_rules(name, known) for name in names):
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


def _makes_rules(name: str, known: set[str]) -> bool:
    return name.endswith("Rules") or name in known


def _last_name(expression: ast.expr) -> str:
    """Return `Rules` for `Rules`, `authoring.Rules` and `Rules[int]`; empty for other expressions."""
    if isinstance(expression, ast.Subscript):
        return _last_name(expression.value)
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""
