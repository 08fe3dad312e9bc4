"""Bots in a folder with a `bot.toml`: a class, or a command in any language."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.errors import PluginError
from arena.plugins.class_loading import class_in, load_module
from arena.plugins.declared_games import variants_in
from arena.plugins.manifest import read_manifest
from arena.plugins.source import Kind, Launch, digest


def place(text: str, base: Path) -> str:
    """The absolute path of the folder."""
    folder = (base / text).resolve()
    manifest = read_manifest(folder)
    if manifest.target and not (folder / manifest.target.rpartition(":")[0]).is_file():
        raise PluginError(f"{folder}/bot.toml: class: there is no file {manifest.target.rpartition(':')[0]}")
    return str(folder)


def name(text: str, place: str) -> str:
    """As its `bot.toml` says."""
    return read_manifest(Path(place)).name


def team(place: str) -> str:
    """As its `bot.toml` says."""
    return read_manifest(Path(place)).team


def variants(place: str) -> tuple[str, ...]:
    """As its `bot.toml` says, or else its class."""
    manifest = read_manifest(Path(place))
    if manifest.variants or not manifest.target:
        return manifest.variants
    path, _, name = manifest.target.rpartition(":")
    return variants_in(Path(place, path), name)


def kind(place: str) -> Kind:
    """A folder."""
    return "folder"


def load(place: str) -> type[Any]:
    """Its class; what it imports from its folder is its own, whatever others call theirs."""
    manifest = read_manifest(Path(place))
    if manifest.command:
        raise PluginError(f"{place} is a program of its own and cannot be loaded into this process")
    path, _, name = manifest.target.rpartition(":")
    whole = str(Path(place, path))
    with _importing_from(place):
        return class_in(load_module(whole), whole, name)


def content(place: str) -> str:
    """The hash of its files, in the order of their names."""
    return digest("", files(Path(place)))


def launch(place: str) -> Launch:
    """By its command or its class, in its folder."""
    manifest = read_manifest(Path(place))
    target = str(Path(place, manifest.target)) if manifest.target else ""
    return Launch(command=_command(manifest.command, place), target=target, folder=place, reads=(place,))


def files(folder: Path) -> list[tuple[str, Path]]:
    """The files that make up the bot, by their names from the folder on; a program's name ends in `*`.

    What begins with a dot and what Python compiled is not part of a bot.
    Raises: PluginError, for a link, a device, or a name that is not safe to write elsewhere.
    """
    found = []
    for path in sorted(_walk(folder)):
        name = path.relative_to(folder).as_posix()
        if not name.isprintable() or "\\" in name or name.endswith("*"):
            raise PluginError(f"{folder}: the file name {name!r} is not safe to write elsewhere")
        found.append((name + "*" * is_program(path), path))
    return found


def is_program(path: Path) -> bool:
    """Whether somebody may run the file."""
    return bool(path.stat().st_mode & 0o111)


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            yield from _walk(path)
        elif stat.S_ISREG(mode):
            yield path
        else:
            raise PluginError(f"{path} is a link or a device: a bot is made of files and folders")


def _command(words: tuple[str, ...], place: str) -> tuple[str, ...]:
    """The words with the program by its absolute path, where it lies in the folder."""
    if not words or "/" not in words[0]:
        return words
    return (os.path.normpath(os.path.join(place, words[0])), *words[1:])


@contextmanager
def _importing_from(folder: str) -> Iterator[None]:
    """Lets a module import its neighbours and forgets them afterwards: another folder may have namesakes."""
    before = set(sys.modules)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and not name.startswith("arena bot ") and Path(file).is_relative_to(folder):
                del sys.modules[name]
