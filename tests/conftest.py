"""What all tests share: golden files, and how they are written anew."""

from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import arena

Golden = Callable[[Path, str], str]


def pytest_configure() -> None:
    """What was compiled runs in place of its source: an older one would be what is tested."""
    for compiled in Path(arena.__file__).parent.rglob(f"*{EXTENSION_SUFFIXES[0]}"):
        source = compiled.with_name(compiled.name.removesuffix(EXTENSION_SUFFIXES[0]) + ".py")
        if source.exists() and source.stat().st_mtime > compiled.stat().st_mtime:
            raise pytest.UsageError(f"{source} is newer than what was compiled of it: `make compiled`")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew, then compare")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Gives what a golden file says; with --update-golden it is made to say what is found first."""

    def read(path: Path, found: str) -> str:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(found, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing: pytest --update-golden writes it"
        return path.read_text(encoding="utf-8")

    return read
