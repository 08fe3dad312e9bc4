"""Docstrings of compiled classes, which keep none: read from their source when somebody asks for them."""

from __future__ import annotations

import os
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast


class SourceDocstring:
    """The docstring of a class in its source, with a line for each public method, property and attribute."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __get__(self, instance: object, owner: type) -> str | None:
        return _read_docstrings(self._source).get(owner.__name__)


def restore_docstrings(module: ModuleType) -> None:
    """Give the classes of a module their docstrings back if it is compiled; its source is beside it."""
    folder, file = os.path.split(str(module.__file__))
    if file.endswith(".py"):
        return
    docstring: Any = SourceDocstring(f"{folder}/{module.__name__.rpartition('.')[2]}.py")
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and not vars(value).get("__doc__"):
            value.__doc__ = docstring


@cache
def _read_docstrings(source: str) -> dict[str, str]:
    import ast  # here, so that nothing starts later for it

    try:
        with open(source, "rb") as file:
            tree = ast.parse(file.read())
    except OSError:  # installed without sources
        return {}
    return {node.name: _describe(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _describe(node: ast.ClassDef) -> str:
    import ast

    methods = [
        statement
        for statement in node.body
        if isinstance(statement, ast.FunctionDef) and not statement.name.startswith("_")
    ]
    lines = ["", "Methods:", *map(_summarize, methods)] if methods else []
    return "\n".join([ast.get_docstring(node) or "", *lines])


def _summarize(method: ast.FunctionDef) -> str:
    """Return a line with the method's arguments and the first line of its docstring."""
    import ast

    decorators = [decorator.id for decorator in method.decorator_list if isinstance(decorator, ast.Name)]
    arguments = "" if "property" in decorators else f"({ast.unparse(method.args)})"
    for first in ("self", "cls"):
        arguments = arguments.replace(f"({first}, ", "(").replace(f"({first})", "()")
    first_line = (ast.get_docstring(method) or "").partition("\n")[0]
    return f"    {method.name}{arguments}: {first_line}".removesuffix(": ")
