"""What every kind of source can say of its bots, and how a bot's files become one hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

Kind = Literal["built-in", "plug-in", "file", "folder", "command"]


class Launch(msgspec.Struct, frozen=True):
    """What it takes to start a bot in a process of its own: a command, or a class for the Python host."""

    command: tuple[str, ...] = ()
    """The program and its arguments; empty for a class."""
    target: str = ""
    """The class: "/absolute/path/bot.py:Name", or "package.module:Name" from the interpreter's path."""
    folder: str = ""
    """The bot's working directory, from which a class may also import; empty where it has none."""
    reads: tuple[str, ...] = ()
    """The files and folders of the bot's own, by absolute path: all it needs beside its language."""


class Source(Protocol):
    """A kind of source: how a bot's text in a config becomes its place, and what is known of it there.

    A place is text that names the bot from any working directory. All raise PluginError for a bot that is
    not there; only `load` runs code of the bot's.
    """

    def place(self, text: str, base: Path) -> str:
        """The place of the bot that a text names, files being looked for from `base` on."""

    def name(self, text: str, place: str) -> str:
        """What the bot is called where the config gives it no name."""

    def team(self, place: str) -> str:
        """The bot's team by its own word; empty where it has none."""

    def variants(self, place: str) -> tuple[str, ...]:
        """The games it claims to play, as far as they can be read without running it; empty for all."""

    def kind(self, place: str) -> Kind:
        """Where the bot comes from."""

    def load(self, place: str) -> type[Any]:
        """The bot's class, its module imported into this process."""

    def content(self, place: str) -> str:
        """The hash of what the bot is made of."""

    def launch(self, place: str) -> Launch:
        """What it takes to start it."""


def digest(label: str, files: Iterable[tuple[str, Path]]) -> str:
    """The sha256 of a bot: a label, then its files in their order, each with its name."""
    whole = hashlib.sha256(label.encode() + b"\0")
    for name, path in files:
        with path.open("rb") as file:
            whole.update(name.encode() + b"\0" + hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()
