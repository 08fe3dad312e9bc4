"""Build the list of names in the reference of the interface of games, from the source of what has them.

A test compares the result with the file; `make golden` writes it.
"""

import ast
import inspect
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).with_name("game-interface.md")
SOURCES: Final = PAGE.parents[1]
AUTHORING: Final = SOURCES / "arena/games/authoring.py"
BEGIN_MARK: Final = "<!-- What follows is built from docstrings: docs/build_interface.py. -->\n"
END_MARK: Final = "<!-- End of what is built. -->\n"
HEADING: Final = ("name", "what it is", "attributes")
LINE: Final = ("---", "---", "---")
VALUES: Final = {
    "HIDDEN": "A card that is not known, written `??`.",
    "NO_HAND": "The rank of a seat that has no hand.",
    "Hand": "Cards: a tuple of `Card`.",
}
"""Descriptions of names that have no docstring."""


def build_page() -> str:
    """Return game-interface.md with the list of all names of `arena.games.authoring`."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN_MARK)
    _, end, after = rest.partition(END_MARK)
    imports = [node for node in _parse(AUTHORING).body if isinstance(node, ast.ImportFrom) and node.module]
    rows = [
        _describe(name.name, SOURCES / f"{(node.module or '').replace('.', '/')}.py")
        for node in imports
        for name in node.names
        if node.module != "__future__"
    ]
    rows.sort(key=lambda row: row[0].lower())
    table = "\n".join(["| " + " | ".join(row) + " |" for row in (HEADING, LINE, *rows)])
    return f"{before}{begin}\n{table}\n\n{end}{after}"


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _describe(name: str, source: Path) -> list[str]:
    """Return a name, of a function with its parameters, the first line of its docstring, and attributes."""
    if name in VALUES:
        return [f"`{name}`", VALUES[name], ""]
    for node in _parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            line = inspect.cleandoc(ast.get_docstring(node) or "").partition("\n")[0]
            if isinstance(node, ast.ClassDef):
                return [
                    f"`{name}`",
                    line,
                    ", ".join([f"`{attribute}`" for attribute in _list_attributes(node)]),
                ]
            parameters = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
            return [f"`{name}({', '.join(parameters)})`", line, ""]
    raise LookupError(f"{source} has no {name}")


def _list_attributes(node: ast.ClassDef) -> list[str]:
    """Return the public attributes and properties that a class declares."""
    names = []
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            names.append(part.target.id)
        elif isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__slots__":
            names += ast.literal_eval(part.value)
        elif isinstance(part, ast.FunctionDef) and "property" in " ".join(
            map(ast.unparse, part.decorator_list)
        ):
            names.append(part.name)
    return [name for name in names if not name.startswith("_") and not name.isupper()]
