"""Installed bots, and importing the classes of bots into this process."""

from __future__ import annotations

import importlib.util
import os
import sys
from functools import cached_property, lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from arena.entry_points import BUILT_IN_DISTRIBUTION, distribution, is_builtin, select_entry_point
from arena.errors import PluginError, suggest_class
from arena.module_loading import describe_error, import_file
from arena.plugins.bot_source import BotSource, Kind, Launch, ParameterKind, hash_files
from arena.plugins.supported_games import read_parameters, read_variants

# --- class loading ---
# Importing bots' classes from modules and files into this process.


def load_class(path: str, name: str) -> type[Any]:
    """Return the bot class of that name in a Python file.

    Raises:
        PluginError: Where the file does not load or the class is missing or no bot.
    """
    module = import_file(f"arena bot {path}", path)
    bot_class = getattr(module, name, None)
    if bot_class is None:
        raise PluginError(f"{path} has no class {name}; {suggest_class(name, module)}")
    return check_bot_class(bot_class, f"{path}:{name}")


def check_bot_class(loaded: object, where: str) -> type[Any]:
    """Return `loaded` as a bot's class.

    Raises:
        PluginError: If it is not one.
    """
    if not isinstance(loaded, type):
        raise PluginError(f"{where} is not a class")
    if not callable(getattr(loaded, "act", None)):
        raise PluginError(f"{where} is not a bot: its class has no method act(self, view)")
    return loaded


# --- installed bots ---
# Bots that are installed: entry points of the group `arena.bots`, the built-in ones among them.

GROUP = "arena.bots"
ARENA = Path(__file__).parents[1]
HEURISTICS = ("play/heuristics/*.py", "families/*/heuristic.py")
"""Modules of the arena that some built-in bots play by."""


class InstalledBot(BotSource, frozen=True, tag="installed"):
    """An entry point, by its name."""

    entry_name: str

    @classmethod
    def parse(cls, text: str, base: Path) -> InstalledBot:
        """Return the bot installed as `text`; where none is, the error names a file in `base` called so."""
        source = cls(text)
        try:
            _ = source._entry_point
        except PluginError as error:
            if file := next((name for name in (text, f"{text}.py") if (base / name).is_file()), ""):
                raise PluginError(f"no bot is installed as {text!r}: the file here is ./{file}") from error
            raise
        return source

    @classmethod
    def restore(cls, text: str) -> InstalledBot:
        """Return the bot whose `str()` is `text`, without looking for it."""
        return cls(text)

    def __str__(self) -> str:
        return self.entry_name

    @cached_property
    def _entry_point(self) -> EntryPoint:
        return select_entry_point(self.entry_name, bot_entry_points())

    @cached_property
    def kind(self) -> Kind:
        return "built-in" if is_builtin(self._entry_point) else "plug-in"

    def variants(self) -> tuple[str, ...]:
        path = _module_file(self._entry_point.module)
        return read_variants(path, self._entry_point.attr) if path else ()

    def parameters(self, kind: ParameterKind) -> tuple[str, ...]:
        path = _module_file(self._entry_point.module)
        return read_parameters(path, self._entry_point.attr, kind) if path else ()

    def load(self) -> type[Any]:
        point = self._entry_point
        # Not for built-in bots: the metadata of a distribution are parsed for its version.
        offered_by = BUILT_IN_DISTRIBUTION if is_builtin(point) else distribution(point)
        where = f"{point.name} ({offered_by}, {point.value})"
        try:
            loaded = point.load()
        except (Exception, SystemExit) as error:
            raise PluginError(f"{where} does not load: {describe_error(error)}") from error
        return check_bot_class(loaded, where)

    def files(self) -> list[tuple[str, Path]]:
        """Return the files of the top-level package, found without importing it."""
        return _package_files(self._entry_point.module.partition(".")[0])

    def digest(self) -> str:
        """Return the hash of the bot's files and, of a plug-in, the version of its distribution.

        The arena's version does not count for its own bots, so that a release does not outdate their runs.
        """
        point = self._entry_point
        if is_builtin(point):
            modules = sorted(path for pattern in HEURISTICS for path in ARENA.glob(pattern))
            heuristics = [(path.relative_to(ARENA).as_posix(), path) for path in modules]
            return hash_files(f"{BUILT_IN_DISTRIBUTION}\0{point.value}", [*self.files(), *heuristics])
        return hash_files(f"{distribution(point)}\0{point.value}", self.files())

    def launch(self) -> Launch:
        return Launch(target=self._entry_point.value)


def bot_entry_points() -> tuple[EntryPoint, ...]:
    """Return the entry points of all installed bots."""
    return _find_entry_points(tuple(sys.path))


@lru_cache(maxsize=4)
def _find_entry_points(_path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Return the entry points on a search path: to find them, the files of all distributions are read."""
    return tuple(entry_points(group=GROUP))


def _module_file(module: str) -> Path | None:
    """Return the file of a module, found without importing the packages it is in."""
    top, *inner = module.split(".")
    files = dict(_package_files(top))
    stem = "/".join(inner)
    names = [f"{stem}.py", f"{stem}/__init__.py"] if inner else [top, "__init__.py"]
    return next((files[name] for name in names if name in files), None)


def _package_files(top: str) -> list[tuple[str, Path]]:
    """Return the files of a top-level module or package but for what Python compiles."""
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
        for folder, _, names in os.walk(root)
        if os.path.basename(folder) != "__pycache__"
        for path in map(Path(folder).joinpath, names)
        if path.is_file()
    )
