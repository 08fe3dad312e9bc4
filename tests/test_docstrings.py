"""Docstrings in Google's style: arguments by their names, exceptions in blocks."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in ("arena", "bots")
    for path in sorted(ROOT.glob(f"{folder}/**/*.py"))
}
ARGUMENTS = re.compile(r"^Args:\n((?:    .*\n?|\n)+)", re.MULTILINE)


def wrong_arguments(node: ast.AST) -> list[str]:
    """Return the entries under `Args:` of a function or class that name no argument or have no capital."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    section = ARGUMENTS.search(ast.get_docstring(node) or "")
    makers = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    owner = makers[0] if isinstance(node, ast.ClassDef) and makers else node
    if section is None or isinstance(owner, ast.ClassDef):
        return []
    given = {part.arg for part in ast.walk(owner.args) if isinstance(part, ast.arg)}
    entries = re.findall(r"^    \*{0,2}(\w+): (.)", section[1], re.MULTILINE)
    return [f"{node.name}: {name}" for name, first in entries if name not in given or first.islower()]


def test_arguments_are_documented_by_their_names() -> None:
    trees = [(path, ast.parse(text)) for path, text in TEXTS.items() if "Args:" in text]
    wrong = {
        path: [entry for node in ast.walk(tree) for entry in wrong_arguments(node)] for path, tree in trees
    }
    assert {path: entries for path, entries in wrong.items() if entries} == {}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [("bot: The bot.", []), ("bot: the bot.", ["play: bot"]), ("one: The bot.", ["play: one"])],
)
def test_wrong_arguments_are_found(entry: str, expected: list[str]) -> None:
    [function] = ast.parse(f'def play(bot):\n    """Play.\n\n    Args:\n        {entry}\n    """').body
    assert wrong_arguments(function) == expected


def test_exceptions_are_listed_in_blocks() -> None:
    """As Google's style has it, each with when it is raised."""
    inline = re.compile(r"^.*\bRaises: \S", re.MULTILINE)
    lines = {path: inline.findall(text) for path, text in TEXTS.items()}
    assert {path: raised for path, raised in lines.items() if raised} == {}
