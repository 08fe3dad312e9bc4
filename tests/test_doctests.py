"""The examples in docstrings, which run as they are printed.

They are read from the source: compiled modules keep no docstrings that doctest could find.
"""

import ast
import doctest
from pathlib import Path

import pytest

from arena.errors import MissingPackage

ROOT = Path(__file__).parents[1]
MODULES = [path for path in sorted(ROOT.glob("arena/**/*.py")) if ">>> " in path.read_text(encoding="utf-8")]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_print_what_they_say(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    try:
        module = __import__(name, fromlist=["__name__"])
    except MissingPackage as error:
        pytest.skip(str(error))
    runner = doctest.DocTestRunner()
    reports: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if not text or ">>> " not in text:
            continue
        example = doctest.DocTestParser().get_doctest(
            text, vars(module).copy(), getattr(node, "name", name), str(path), 0
        )
        runner.run(example, out=reports.append)
    assert runner.tries
    assert not runner.failures, "".join(reports)


def test_there_are_examples() -> None:
    examples = sum(path.read_text(encoding="utf-8").count(">>> ") for path in MODULES)
    assert examples > 30
