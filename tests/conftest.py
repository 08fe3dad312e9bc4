"""What all tests share: golden files, and how they are written anew."""

from collections.abc import Callable
from pathlib import Path

import pytest

Golden = Callable[[Path, str], str]


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
