"""Docstrings of compiled classes, which keep none: read from their source when somebody asks for them."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

INDENT = "    "


class SourceDocstring:
    """The docstring of a class in its source, with a line for each public method, property and attribute."""

    def __init__(self, source: Path) -> None:
        self._source = source

    def __get__(self, instance: object, owner: type) -> str | None:
        return _read_docstrings(self._source).get(owner.__name__)


def restore_docstrings(module: ModuleType) -> None:
    """Give the classes of a module their docstrings back if it is compiled; its source is beside it."""
    source = Path(str(module.__file__))
    if source.suffix == ".py":
        return
    docstring: Any = SourceDocstring(source.with_name(f"{module.__name__.rpartition('.')[2]}.py"))
    for found in vars(module).values():
        if isinstance(found, type) and found.__module__ == module.__name__ and not vars(found)["__doc__"]:
            found.__doc__ = docstring


@cache
def _read_docstrings(source: Path) -> dict[str, str]:
    try:
        tree = ast.parse(source.read_bytes())
    except OSError:  # installed without sources
        return {}
    return {node.name: _describe(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _describe(node: ast.ClassDef) -> str:
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    lines = ["", "Methods:", *map(_summarize, methods)] if methods else []
    return "\n".join([inspect.cleandoc(ast.get_docstring(node) or ""), *lines])


def _summarize(method: ast.FunctionDef) -> str:
    """Return a line with the method's arguments and the first line of its docstring."""
    decorators = [one.id for one in method.decorator_list if isinstance(one, ast.Name)]
    arguments = "" if "property" in decorators else f"({ast.unparse(method.args)})"
    for first in ("self", "cls"):
        arguments = arguments.replace(f"({first}, ", "(").replace(f"({first})", "()")
    first_line = (ast.get_docstring(method) or "").partition("\n")[0]
    return f"    {method.name}{arguments}: {first_line}".removesuffix(": ")
