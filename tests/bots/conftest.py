"""Fixtures for the tests of bots that search or are trained."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

WriteTwice = Callable[..., bytes]


@pytest.fixture
def write_twice(tmp_path: Path) -> WriteTwice:
    """Return a function that runs a training twice, and returns what it writes the same each time."""

    def write(main: click.Command, *arguments: str) -> bytes:
        files = [tmp_path / name for name in ("one.json", "two.json")]
        for file in files:
            result = CliRunner().invoke(main, [*arguments, "--out", str(file)])
            assert result.exit_code == 0, result.output
        assert files[0].read_bytes() == files[1].read_bytes()
        return files[0].read_bytes()

    return write
