"""Helpers by which compiled classes and plain ones behave alike.

These are the names that mypyc reads in the code that it compiles, attributes that cannot be changed, and
docstrings. The module is not compiled: mypyc would compile the definition of its decorator as code that is
never reached.
"""

from __future__ import annotations

import os
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import ast

    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_):
        return lambda of_class: of_class


# --- attributes that cannot be changed ---
# Compiled classes declare them `Final`. Plain classes would need a `__setattr__`, for which mypyc would make
# the compiled ones slow.


def forbid_changes(cls: Any) -> None:
    """Let attributes of the instances of a class be set once, unless their names begin with `_`."""
    if not hasattr(cls, "__mypyc_attrs__"):
        cls.__setattr__ = _set_once
        cls.__delattr__ = _refuse_to_delete


def make_struct(cls: Any) -> Any:
    """Return a plain class of `__slots__` as a struct with the same fields, made faster and unchangeable.

    A compiled class, which is both by itself, is returned as it is.
    """
    if hasattr(cls, "__mypyc_attrs__"):
        return cls
    fields = [name for name in cls.__init__.__annotations__ if name != "return"]
    defaults = cls.__init__.__defaults__ or ()
    required = fields[: len(fields) - len(defaults)]
    optional = [(name, Any, value) for name, value in zip(fields[len(required) :], defaults, strict=True)]
    kept = {
        name: value for name, value in vars(cls).items() if name not in (*fields, "__slots__", "__init__")
    }
    return msgspec.defstruct(
        cls.__name__,
        [*required, *optional],
        namespace=kept,
        module=cls.__module__,
        frozen=True,
        eq=False,
        gc=False,
    )


def _set_once(instance: object, name: str, value: object) -> None:
    if hasattr(instance, name) and not name.startswith("_"):
        _refuse_to_delete(instance, name)
    object.__setattr__(instance, name, value)


def _refuse_to_delete(instance: object, name: str) -> None:
    raise AttributeError(f"{type(instance).__name__} cannot be changed: {name} is not writable")


# --- docstrings ---
# Compiled classes keep none: they are read from their source when somebody asks for them.


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
