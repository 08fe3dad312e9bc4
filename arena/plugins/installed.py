"""Bots that are installed: entry points of the group `arena.bots`, the built-in ones among them."""

from __future__ import annotations

import importlib.util
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from arena.errors import PluginError, suggest_nearest
from arena.plugins.class_loading import contestant, words
from arena.plugins.declared_games import variants_in
from arena.plugins.source import Kind, Launch, digest

GROUP = "arena.bots"
HOUSE = "commerce-arena"  # the distribution whose bots are the built-in ones


def place(text: str, base: Path) -> str:
    """The name it is installed under."""
    return find(text).name


def name(text: str, place: str) -> str:
    """Its own."""
    return text


def team(place: str) -> str:
    """None: an entry point names no team."""
    return ""


def variants(place: str) -> tuple[str, ...]:
    """Those its class declares in the module it is looked up in."""
    point = find(place)
    path = _module_file(point.module)
    return variants_in(path, point.attr) if path else ()


def kind(place: str) -> Kind:
    """Built in or not, by the distribution that offers it."""
    return "built-in" if is_house(find(place)) else "plug-in"


def load(place: str) -> type[Any]:
    """Its class; an error names the distribution."""
    point = find(place)
    where = f"{point.name} ({distribution(point)}, {point.value})"
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise PluginError(f"{where} does not load: {words(error)}") from error
    return contestant(found, where)


def content(place: str) -> str:
    """The hash of its distribution's name and version, its class, and the files of its top-level package."""
    point = find(place)
    top = point.module.partition(".")[0]
    return digest(f"{distribution(point)}\0{point.value}", _files(top))


def launch(place: str) -> Launch:
    """By its class: the interpreter finds it."""
    return Launch(target=find(place).value)


def points() -> tuple[EntryPoint, ...]:
    """What is installed under the group."""
    return tuple(entry_points(group=GROUP))


def find(name: str) -> EntryPoint:
    """The one entry point of that name.

    Raises: PluginError, where there is none, or several.
    """
    return only(name, points())


def only(name: str, points: tuple[EntryPoint, ...]) -> EntryPoint:
    """The one entry point of that name.

    A built-in bot keeps its name, whoever else offers it.
    Raises: PluginError, where there is none, or several: to guess would let a plug-in replace another.
    """
    found = [point for point in points if point.name == name]
    found = [point for point in found if is_house(point)] or found
    if not found:
        raise PluginError(
            f"no bot is called {name!r}; {suggest_nearest(name, {point.name for point in points})}"
        )
    if len(found) > 1:
        who = " and ".join(sorted(map(distribution, found)))
        raise PluginError(f"{name} is offered by {who}: uninstall all but one")
    return found[0]


def distribution(point: EntryPoint) -> str:
    """Name and version of the distribution that offers an entry point."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "?"


def is_house(point: EntryPoint) -> bool:
    """Whether it is a built-in bot's."""
    return point.dist is not None and point.dist.name == HOUSE


def _module_file(module: str) -> Path | None:
    """The file of a module, found without importing the packages it is in."""
    top, *inner = module.split(".")
    files = dict(_files(top))
    stem = "/".join(inner)
    names = [f"{stem}.py", f"{stem}/__init__.py"] if inner else [top, "__init__.py"]
    return next((files[name] for name in names if name in files), None)


def _files(top: str) -> list[tuple[str, Path]]:
    """The files of a top-level module or package but for what Python compiles, found without importing it."""
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return []
    if spec is None:
        return []
    if spec.submodule_search_locations is None:
        return [(top, Path(spec.origin))] if spec.origin and Path(spec.origin).is_file() else []
    roots = sorted(map(Path, spec.submodule_search_locations))
    return sorted(
        (path.relative_to(root).as_posix(), path)
        for root in roots
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
