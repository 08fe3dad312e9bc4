"""Bots that are programs in any language: `cmd:./bot --flag`."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import NoReturn

from arena.errors import PluginError
from arena.plugins.bot_source import SYSTEM_FOLDERS, BotSource, Kind, Launch, hash_files, relative_path

PREFIX = "cmd:"


class CommandBot(BotSource, frozen=True, tag="command"):
    """A program and its arguments, every file among them by absolute path."""

    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str, base: Path) -> CommandBot:
        """Return the bot of a command; files that it names are looked for in `base`."""
        program, *rest = cls.restore(text).words
        first = _absolute(program, base) if "/" in program else _resolve(program, base)
        return cls((first, *[_resolve(word, base) for word in rest]))

    @classmethod
    def restore(cls, text: str) -> CommandBot:
        """Return the bot whose `str()` is `text`, without looking for its files.

        Raises:
            PluginError: For a command that a shell could not split either.
        """
        try:
            words = shlex.split(text.removeprefix(PREFIX))
        except ValueError as error:
            raise PluginError(f"{text} is not a command: {str(error).lower()}") from error
        if not words:
            raise PluginError("cmd: names no program: write cmd:./bot --flag")
        return cls(tuple(words))

    def __str__(self) -> str:
        return PREFIX + shlex.join(self.words)

    def relative_to(self, folder: Path) -> str:
        return PREFIX + shlex.join(
            relative_path(word, folder) if _is_own(word) else word for word in self.words
        )

    @property
    def kind(self) -> Kind:
        return "command"

    def load(self) -> NoReturn:
        """Raise PluginError: commands are not importable."""
        raise PluginError(f"{self} is a program: it runs in a process of its own and cannot be imported")

    def files(self) -> list[tuple[str, Path]]:
        """Return the bot's own files among the words, by their last names, which may repeat."""
        return [(Path(word).name, Path(word)) for word in self.words if _is_own(word)]

    def digest(self) -> str:
        label = "\0".join(Path(word).name if _is_own(word) else word for word in self.words)
        return hash_files(label, [(name, path.resolve()) for name, path in self.files()])

    def launch(self) -> Launch:
        own = tuple(str(path) for _, path in self.files())
        folder = os.path.dirname(own[0]) if own else ""
        return Launch(command=self.words, folder=folder, reads=own, parts=own if len(own) > 1 else ())


def _resolve(word: str, base: Path) -> str:
    return _absolute(word, base) if (base / word).is_file() else word


def _absolute(word: str, base: Path) -> str:
    """Return a path from the root on; a link keeps its name, which programs look at."""
    path = base / word
    return word if word.startswith(SYSTEM_FOLDERS) else str(path.parent.resolve() / path.name)


def _is_own(word: str) -> bool:
    return word.startswith("/") and not word.startswith(SYSTEM_FOLDERS) and Path(word).is_file()
