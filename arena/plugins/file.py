"""Bots in a Python file: `path/bot.py:Class`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.errors import PluginError
from arena.plugins.class_loading import class_in, load_module
from arena.plugins.declared_games import variants_in
from arena.plugins.source import Kind, Launch, digest


def place(text: str, base: Path) -> str:
    """The absolute path with the class."""
    path, _, name = text.rpartition(":")
    if not path.endswith(".py") or not name.isidentifier():
        raise PluginError(f"{text} does not name a class in a file: write path/bot.py:Class")
    whole = (base / path).resolve()
    if not whole.is_file():
        raise PluginError(f"{text}: there is no file {whole}")
    return f"{whole}:{name}"


def name(text: str, place: str) -> str:
    """As it was written."""
    return text


def team(place: str) -> str:
    """None: a file names no team."""
    return ""


def variants(place: str) -> tuple[str, ...]:
    """Those its class declares."""
    path, name = split(place)
    return variants_in(Path(path), name)


def kind(place: str) -> Kind:
    """A file."""
    return "file"


def load(place: str) -> type[Any]:
    """Its class."""
    path, name = split(place)
    return class_in(load_module(path), path, name)


def content(place: str) -> str:
    """The hash of the class's name and the file's bytes."""
    path, name = split(place)
    return digest(name, [("", Path(path))])


def launch(place: str) -> Launch:
    """By its class; it reads its file and no other."""
    return Launch(target=place, reads=(split(place)[0],))


def split(place: str) -> tuple[str, str]:
    """Path and class."""
    path, _, name = place.rpartition(":")
    return path, name
