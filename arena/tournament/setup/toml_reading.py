"""The text of TOML files: read and parsed within limits, with errors that name the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from arena.errors import ConfigError
from arena.plugins.bot_source import is_named_pipe
from arena.plugins.untrusted_toml import parse_untrusted_toml

MAX_CONFIG_BYTES: Final = 1 << 20


def read_text(path: Path) -> str:
    """Return the text of a file, as much of it as a config may have and a byte more.

    Raises:
        ConfigError: For a file that cannot be read.
    """
    if is_named_pipe(path):
        raise ConfigError(f"{path}: is a named pipe: write its text into a file")
    try:
        with path.open("rb") as file:
            return file.read(MAX_CONFIG_BYTES + 1).decode()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not text in UTF-8") from error


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the table in TOML text.

    Raises:
        ConfigError: With the line, if it is not TOML.
    """
    try:
        return parse_untrusted_toml(text, MAX_CONFIG_BYTES)
    except ValueError as error:  # also of numbers with thousands of digits
        raise ConfigError(f"{where} is not valid TOML: {error}") from error
