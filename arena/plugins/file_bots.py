"""Bots in a Python file (`path/bot.py:Class`) or in a folder with a `bot.toml`."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from arena.errors import PluginError
from arena.plugins.bot_classes import check_class_name, describe_folder, find_bot_class
from arena.plugins.bot_dependencies import install_packages, packages_folder
from arena.plugins.bot_source import (
    BotSource,
    Kind,
    Launch,
    ParameterKind,
    hash_files,
    is_content_hash,
    relative_path,
)
from arena.plugins.installed_bots import load_class
from arena.plugins.manifest import MANIFEST, Manifest, read_manifest
from arena.plugins.supported_games import read_parameters, read_variants

MAX_FILES = 50_000
"""And folders, of a bot that is not submitted."""
MAX_DEPTH = 64
"""Maximum depth of folders in a bot's folder."""


class FileBot(BotSource, frozen=True, tag="file"):
    """A class in a Python file."""

    path: str
    class_name: str

    @classmethod
    def parse(cls, text: str, base: Path) -> FileBot:
        """Return the bot named by `path/bot.py:Class`, or by `path/bot.py` if it has one class of a bot.

        The path is relative to `base`.
        """
        name, colon, class_name = (text, "", "") if text.endswith(".py") else text.rpartition(":")
        if not name.endswith(".py") or (colon and not class_name.isidentifier()):
            raise PluginError(f"{text} does not name a class in a file: write path/bot.py:Class")
        path = Path(os.path.realpath(base / name))  # which raises no error for a link to itself
        if path.is_dir():
            raise PluginError(f"{text}: {path} is a folder, not a file")
        if not path.is_file():
            raise PluginError(f"{text}: there is no file {path}")
        if class_name:
            check_class_name(Path(os.path.abspath(base.resolve() / name)), class_name)
        return cls(str(path), class_name or find_bot_class(path))

    @classmethod
    def restore(cls, text: str) -> FileBot:
        """Return the bot whose `str()` is `text`, without looking for it."""
        path, _, class_name = text.rpartition(":")
        return cls(path, class_name)

    def __str__(self) -> str:
        return f"{self.path}:{self.class_name}"

    def relative_to(self, folder: Path) -> str:
        return f"{relative_path(self.path, folder)}:{self.class_name}"

    @property
    def kind(self) -> Kind:
        return "file"

    @property
    def label(self) -> str:
        return Path(self.path).stem

    @property
    def beside(self) -> frozenset[str]:
        path = Path(self.path)
        try:
            with os.scandir(path.parent) as entries:
                return frozenset(entry.name for entry in islice(entries, MAX_FILES)) - {path.name}
        except OSError:  # the bot of an old run may be gone
            return frozenset()

    def variants(self) -> tuple[str, ...]:
        return read_variants(Path(self.path), self.class_name)

    def parameters(self, kind: ParameterKind) -> tuple[str, ...]:
        return read_parameters(Path(self.path), self.class_name, kind)

    def load(self) -> type[Any]:
        return load_class(self.path, self.class_name)

    def files(self) -> list[tuple[str, Path]]:
        path = Path(self.path)
        return [(path.name, path)]

    def digest(self) -> str:
        return hash_files(self.class_name, [("", Path(self.path).resolve())])

    def launch(self) -> Launch:
        return Launch(target=str(self), reads=(self.path,))


class FolderBot(BotSource, frozen=True, tag="folder"):
    """A folder with a `bot.toml` that names a class, or a command in any language.

    Without a `bot.toml` the folder is the bot of the one class with a method `act` in its Python files.
    """

    path: str

    @classmethod
    def parse(cls, text: str, base: Path) -> FolderBot:
        """Return the bot in the folder `text`, relative to `base`."""
        source = cls(str((base / text).resolve()))
        file, class_name = source._class
        if file and not Path(source.path, file).is_file():
            raise PluginError(f"{source.path}/bot.toml: class: there is no file {file}")
        if file:
            check_class_name(Path(source.path, file), class_name)
        return source

    @classmethod
    def restore(cls, text: str) -> FolderBot:
        """Return the bot whose `str()` is `text`, without looking for it."""
        return cls(text)

    def __str__(self) -> str:
        return self.path

    def relative_to(self, folder: Path) -> str:
        return relative_path(self.path, folder)

    @cached_property
    def manifest(self) -> Manifest:
        """The folder's `bot.toml`, or what it would say."""
        folder = Path(self.path)
        described = None if (folder / MANIFEST).exists() else describe_folder(folder)
        return described or read_manifest(folder)

    @property
    def kind(self) -> Kind:
        return "folder"

    @property
    def team(self) -> str:
        return self.manifest.team

    @property
    def author(self) -> str:
        return self.manifest.author

    @property
    def label(self) -> str:
        name = Path(self.path).name
        return "" if is_content_hash(name) else name

    def default_name(self, text: str) -> str:
        return self.manifest.name

    def variants(self) -> tuple[str, ...]:
        file, class_name = self._class
        if self.manifest.variants or not file:
            return self.manifest.variants
        return read_variants(Path(self.path, file), class_name)

    def parameters(self, kind: ParameterKind) -> tuple[str, ...]:
        file, class_name = self._class
        named: tuple[str, ...] = getattr(self.manifest, kind)
        return named if named or not file else read_parameters(Path(self.path, file), class_name, kind)

    def install_packages(self, announce: Callable[[str], None]) -> None:
        """Install the packages that a class needs; `announce` is called with a line before each long step."""
        if self.manifest.target:
            install_packages(Path(self.path), announce)

    def load(self) -> type[Any]:
        file, class_name = self._class
        if not file:
            raise PluginError(f"{self} is a program: it runs in a process of its own and cannot be imported")
        packages = packages_folder(Path(self.path))
        with _importing_from(self.path, *([str(packages)] if packages else [])):
            return load_class(str(Path(self.path, file)), class_name)

    def files(self) -> list[tuple[str, Path]]:
        """Return the files of the folder, sorted by path.

        What begins with a dot and what Python compiled is not part of a bot.

        Raises:
            PluginError: For a link, a device, a name that is not safe to write elsewhere, or too many.
        """
        folder, named_paths = Path(self.path).resolve(), []
        entries = list(islice(_entries(folder), MAX_FILES + 1))
        if len(entries) > MAX_FILES:
            raise PluginError(f"{folder} has more than {MAX_FILES:,} files and folders")
        for path in sorted(path for path, is_folder in entries if not is_folder):
            name = path.relative_to(folder).as_posix()
            if not name.isprintable() or "\\" in name or name.endswith("*"):
                raise PluginError(f"{folder}: the file name {name!r} is not safe to write elsewhere")
            named_paths.append((name, path))
        return named_paths

    def digest(self) -> str:
        return hash_files("", [(name + "*" * is_program(path), path) for name, path in self.files()])

    def launch(self) -> Launch:
        command = self.manifest.command
        if command and "/" in command[0]:
            command = (os.path.normpath(os.path.join(self.path, command[0])), *command[1:])
        target = str(Path(self.path, self.manifest.target)) if self.manifest.target else ""
        home = Path(self.path).resolve()
        parts = _visible_parts(home)
        hidden = () if parts == [home] else tuple(map(str, parts))
        packages = packages_folder(home) if target else None
        return Launch(
            command=command,
            target=target,
            folder=self.path,
            reads=(self.path,),
            parts=hidden,
            packages=str(packages or ""),
        )

    @property
    def _class(self) -> tuple[str, str]:
        """The file and the name of the class; empty for a command."""
        file, _, name = self.manifest.target.rpartition(":")
        return file, name


def is_program(path: Path) -> bool:
    """Return whether the file is executable, by anybody."""
    return bool(path.lstat().st_mode & 0o111)


def _entries(folder: Path, depth: int = 0) -> Iterator[tuple[Path, bool]]:
    """Yield the files and folders in a folder, and whether each is a folder."""
    check_depth(depth)
    for path in folder.iterdir():
        if _is_hidden(path.name):
            continue
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            yield path, True
            yield from _entries(path, depth + 1)
        elif stat.S_ISREG(mode):
            yield path, False
        else:
            raise PluginError(f"{path} is a link or a device: a bot is made of files and folders")


def check_depth(depth: int) -> None:
    """Raise PluginError for folders nested too deep."""
    if depth > MAX_DEPTH:
        raise PluginError(f"the folders of a bot are nested more than {MAX_DEPTH} deep")


def _is_hidden(name: str) -> bool:
    """Return whether a file or folder is no part of a bot, and not visible to it in play."""
    return name.startswith(".") or name == "__pycache__"


def _visible_parts(folder: Path, depth: int = 0) -> list[Path]:
    """Return the files and folders below that hide nothing; the folder itself if it hides nothing."""
    check_depth(depth)
    parts, hides = [], False
    for path in sorted(folder.iterdir()):
        if _is_hidden(path.name):
            hides = True
        elif path.is_dir():
            inside = _visible_parts(path, depth + 1)
            hides |= inside != [path]
            parts += inside
        else:
            parts.append(path)
    return parts if hides else [folder]


@contextmanager
def _importing_from(folder: str, *packages: str) -> Iterator[None]:
    """Let a module import its neighbours, and forget them afterwards: another folder may have namesakes."""
    before = set(sys.modules)
    sys.path[:0] = [folder, *packages]
    try:
        yield
    finally:
        for path in (folder, *packages):
            sys.path.remove(path)
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and not name.startswith("arena bot ") and Path(file).is_relative_to(folder):
                del sys.modules[name]
