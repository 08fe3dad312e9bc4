"""The kinds of bots: installed, in a Python file, in a folder with a `bot.toml`, and commands."""

from __future__ import annotations

import importlib.util
import os
import shlex
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from arena.errors import BotNameError, PluginError, suggest_class
from arena.game_source_files import describe_error, import_file
from arena.installed import BUILT_IN_DISTRIBUTION, distribution, is_builtin, select_entry_point
from arena.plugins.bot_dependencies import install_packages, packages_folder
from arena.plugins.bot_source import (
    SYSTEM_FOLDERS,
    BotSource,
    Kind,
    Launch,
    ParameterKind,
    hash_files,
    is_content_hash,
    relative_path,
)
from arena.plugins.inspection import PythonFile, describe_folder
from arena.plugins.manifest import MANIFEST, Manifest, fold_case, read_manifest

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
        return PythonFile(path).read_variants(self._entry_point.attr) if path else ()

    def parameters(self, kind: ParameterKind) -> tuple[str, ...]:
        path = _module_file(self._entry_point.module)
        return PythonFile(path).read_parameters(self._entry_point.attr, kind) if path else ()

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


def check_not_installed(name: str, advice: str = "submit it under another (--name)") -> None:
    """Refuse the name of an installed bot, in any case; `advice` says how to choose another.

    Raises:
        BotNameError: If it is the name of an installed bot.
    """
    for point in bot_entry_points():
        if fold_case(point.name) == fold_case(name):
            raise BotNameError(f"{point.name} is the name of an installed bot: {advice}")


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


# --- bots in files ---

MAX_FILES = 50_000
"""And folders, of a bot that is not submitted."""
MAX_DEPTH = 64
"""Maximum depth of folders in a bot's folder."""
WASM_PACKAGE = "wasmtime"
WASM_RUNTIME = "arena.play.bot_runtime.wasm_module"
"""Module that runs WebAssembly modules, imported where there is one."""


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
            PythonFile(Path(os.path.abspath(base.resolve() / name))).check_class(class_name)
        return cls(str(path), class_name or PythonFile(path).find_bot())

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
        return PythonFile(Path(self.path)).read_variants(self.class_name)

    def parameters(self, kind: ParameterKind) -> tuple[str, ...]:
        return PythonFile(Path(self.path)).read_parameters(self.class_name, kind)

    def load(self) -> type[Any]:
        return load_class(self.path, self.class_name)

    def files(self) -> list[tuple[str, Path]]:
        path = Path(self.path)
        return [(path.name, path)]

    def digest(self) -> str:
        return hash_files(self.class_name, [("", Path(self.path).resolve())])

    def launch(self) -> Launch:
        return Launch(target=str(self), reads=(self.path,))


# --- bots in folders ---


class FolderBot(BotSource, frozen=True, tag="folder"):
    """A folder with a `bot.toml` that names a class, a WebAssembly module, or a command in any language.

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
            PythonFile(Path(source.path, file)).check_class(class_name)
        module = source.manifest.wasm
        if module and not Path(source.path, module).is_file():
            raise PluginError(f"{source.path}/bot.toml: wasm: there is no file {module}")
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
        try:
            return "module" if self.manifest.wasm else "folder"
        except PluginError:  # the bot of an old run may be gone
            return "folder"

    @property
    def team(self) -> str:
        return self.manifest.team

    @property
    def author(self) -> str:
        return self.manifest.author

    @property
    def needs_process(self) -> bool:
        return self.manifest.isolation == "process"

    @property
    def environment(self) -> tuple[str, ...]:
        return self.manifest.environment

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
        return PythonFile(Path(self.path, file)).read_variants(class_name)

    def parameters(self, kind: ParameterKind) -> tuple[str, ...]:
        file, class_name = self._class
        named: tuple[str, ...] = getattr(self.manifest, kind)
        if named or not file:
            return named
        return PythonFile(Path(self.path, file)).read_parameters(class_name, kind)

    def install_packages(self, announce: Callable[[str], None]) -> None:
        """Install the packages that a class needs; `announce` is called with a line before each long step."""
        if self.manifest.target:
            install_packages(Path(self.path), announce)

    def load(self) -> type[Any]:
        file, class_name = self._class
        if self.manifest.wasm:
            check_wasm_runtime()
            self.files()  # which refuses links
            load_module: Callable[[str], type[Any]] = import_module(WASM_RUNTIME).load_module
            return load_module(str(Path(self.path, self.manifest.wasm)))
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
        if self.manifest.wasm:
            check_wasm_runtime()
        named = self.manifest.target or (self.manifest.wasm and f"{self.manifest.wasm}:")
        target = str(Path(self.path, named)) if named else ""
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


def check_wasm_runtime() -> None:
    """Raise PluginError where nothing runs WebAssembly modules."""
    if importlib.util.find_spec(WASM_PACKAGE) is None:
        raise PluginError(
            f"a WebAssembly module needs the package {WASM_PACKAGE}: pip install 'commerce-arena[wasm]'"
        )


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


# --- commands ---
# Bots that are programs in any language: `cmd:./bot --flag`.

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
