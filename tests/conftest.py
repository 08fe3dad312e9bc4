"""Fixtures for all tests: golden files and how they are rewritten."""

import os
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import arena

Golden = Callable[[Path, str], str]


def pytest_configure() -> None:
    """Refuse to run with compiled modules older than their source: the old ones would be tested."""
    for compiled in Path(arena.__file__).parent.rglob(f"*{EXTENSION_SUFFIXES[0]}"):
        source = compiled.with_name(compiled.name.removesuffix(EXTENSION_SUFFIXES[0]) + ".py")
        if source.exists() and source.stat().st_mtime > compiled.stat().st_mtime:
            raise pytest.UsageError(f"{source} is newer than its compiled module: run `make compiled`")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files, then compare")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return the content of a golden file; with --update-golden, write it first."""

    def read(path: Path, found: str) -> str:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(found, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing: run pytest --update-golden to write it"
        return path.read_text(encoding="utf-8")

    return read


for size in ("COLUMNS", "LINES"):
    os.environ.pop(size, None)  # pytest-xdist sets them; commands print as into a pipe
