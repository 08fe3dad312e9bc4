"""Games in files and folders: their manifest, their files, and importing them.

Importing runs a game's code with all rights of this process: only what its user has named is imported.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import cache, partial
from hashlib import sha256
from importlib.machinery import ModuleSpec, all_suffixes
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Final

from arena.errors import PluginError
from arena.installed import find_games, is_path

MANIFEST: Final = "game.toml"
ARENA: Final = __name__.partition(".")[0]
KEYS: Final = ("game", "author", "description")
PAGES: Final = "pages"
DIGEST_CHARS: Final = 8


def import_game(path: str) -> ModuleType:
    """Import the module of a game in a file or folder, once for the same content.

    The module's name has the hash of the game's files in it, so that processes which exchange its values
    agree on what it is. A folder is a package: its modules import each other by `from .cards import …`.

    Raises:
        PluginError: If it does not load.
    """
    file = find_game_file(Path(path))
    name = f"arena_game_{re.sub(r'[^A-Za-z0-9]', '_', Path(path).stem)}_{digest_game(path)[:DIGEST_CHARS]}"
    if Path(path).is_dir():
        _make_package(name, Path(path))
        name = f"{name}.{file.stem}"
    return import_file(name, str(file), partial(_describe, file))


def find_game_file(path: Path) -> Path:
    """Return the file with the game: the path itself, or what the `game.toml` of a folder names.

    Raises:
        PluginError: For a folder without one, or one that is wrong.
    """
    if not path.is_dir():
        return path
    name = read_manifest(path)["game"].partition(":")[0]
    if not (path / name).is_file() or Path(name).name != name or not name.endswith(".py"):
        raise PluginError(f"{path / MANIFEST}: game: there is no Python file {name!r} in the folder")
    return path / name


def read_manifest(folder: Path) -> dict[str, str]:
    """Return the `game.toml` of a folder: `game`, which is "golf.py" or "golf.py:golf", and what is optional.

    Raises:
        PluginError: If there is none, or it is wrong.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise PluginError(
            f'{folder} is not a game: it has no {MANIFEST} with a line such as game = "golf.py"'
        )
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise PluginError(f"{path} is not valid TOML: {error}") from error
    if "games" in table:
        raise PluginError(
            f"{path}: games: house games have no code; list them in a config or in a file games/*.toml"
        )
    for key, value in table.items():
        if key not in KEYS or not isinstance(value, str):
            raise PluginError(f"{path}: {key}: write texts under {', '.join(KEYS)}, and no other key")
    if "game" not in table:
        raise PluginError(f'{path}: game: missing; write game = "golf.py:golf"')
    return table


def list_game_files(path: Path) -> list[tuple[str, Path]]:
    """Return the files of a game with their names relative to it, sorted.

    What begins with a dot and what Python compiled is no part of it.
    """
    if not path.is_dir():
        return [(path.name, path)]
    files = []
    for parent, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not _is_hidden(name)]
        files += [Path(parent, name) for name in names if not _is_hidden(name)]
    return sorted((file.relative_to(path).as_posix(), file) for file in files)


def list_hashed_files(path: Path) -> list[tuple[str, Path]]:
    """Return those files of a game that it consists of, with their names, sorted: its hash is of these.

    In a folder they are the file that `game.toml` names, the folder's `__init__.py`, the files that one of
    them imports or names in a string, and all in `pages`. A bot, a test or a README beside them may change.

    Raises:
        PluginError: For a folder without a `game.toml`, or with one that is wrong.
        OSError: For files that cannot be read.
    """
    files = list_game_files(path)
    if not path.is_dir():
        return files
    names = {name for name, _ in files}
    hashed: set[str] = set()
    pending = [find_game_file(path).name, "__init__.py"]
    pending += [name for name in names if name.startswith(f"{PAGES}/")]
    while pending:
        name = pending.pop()
        if name in names and name not in hashed:
            hashed.add(name)
            if name.endswith(".py"):
                pending += _name_imported_files(PurePosixPath(name).parent, (path / name).read_bytes())
    return [(name, file) for name, file in files if name in hashed]


def _name_imported_files(folder: PurePosixPath, source: bytes) -> list[str]:
    """Return the names that files may have which a module in this folder imports, or names in a string."""
    named = []
    for level, text in _find_references(source):
        base = folder
        for _ in range(level - 1):
            base = base.parent
        named.append((base / text).as_posix())
        parts = text.partition(":")[0].strip(".").split(".")
        for count in range(len(parts)):
            module = base.joinpath(*parts[: count + 1])
            named += [f"{module}{suffix}" for suffix in all_suffixes()]
            named.append(f"{module}/__init__.py")
    return named


@cache
def _find_references(source: bytes) -> frozenset[tuple[int, str]]:
    """Return the modules that a source imports from its folder, with the dots before them, and its strings.

    A source that does not parse has none.
    """
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    imports: set[tuple[int, str]] = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level:
            module = f"{node.module}." if node.module else ""
            imports.update((node.level, f"{module}{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            imports.add((1, node.value))
    return frozenset(imports)


def digest_games() -> dict[str, str]:
    """Return the digest of each family of games that is not the arena's own, by its name."""
    return {name: digest for name, place in find_games().items() if (digest := digest_place(place))}


def digest_place(place: str) -> str:
    """Return the sha256 of the files of a game, installed or not; empty for the arena's own games."""
    return (
        digest_game(place) if is_path(place) else _digest_package(place.partition(":")[0].partition(".")[0])
    )


@cache
def _digest_package(top: str) -> str:
    if top == ARENA:
        return ""
    path = find_package(top)
    return _digest_files(list_game_files(path)) if path else ""


def find_game_paths() -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return the files and folders of games that are not installed, and the packages of those that are."""
    places = find_games().values()
    tops = dict.fromkeys(
        [place.partition(":")[0].partition(".")[0] for place in places if not is_path(place)]
    )
    packages = [find_package(top) for top in tops if top != ARENA]
    return (
        tuple([Path(place) for place in places if is_path(place)]),
        tuple([path.resolve() for path in packages if path]),
    )


def find_package(top: str) -> Path | None:
    """Return the folder of an installed package, or the file of a module, without importing it."""
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)


def digest_game(path: str) -> str:
    """Return the sha256, in hexadecimal, of what a game in a file or folder consists of.

    Raises:
        PluginError: For a folder without a `game.toml`, and for files that cannot be read.
    """
    try:
        return _digest_files(list_hashed_files(Path(path)))
    except OSError as error:
        raise PluginError(f"{path}: cannot be read: {error.strerror}") from error


def _digest_files(files: Iterable[tuple[str, Path]]) -> str:
    whole = sha256()
    for name, file in files:
        whole.update(name.encode() + b"\0" + sha256(file.read_bytes()).digest())
    return whole.hexdigest()


@cache
def _make_package(name: str, folder: Path) -> None:
    """Make a folder the package `name`; its own `__init__.py` runs, if it has one."""
    own = folder / "__init__.py"
    if own.is_file():
        spec = importlib.util.spec_from_file_location(name, own, submodule_search_locations=[str(folder)])
    else:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
    assert spec is not None, folder
    package = sys.modules[name] = importlib.util.module_from_spec(spec)
    if spec.loader is not None:
        spec.loader.exec_module(package)


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__pycache__"


def _describe(file: Path, error: BaseException) -> str:
    """Return what a game raised in one line, with the advice for an import of its neighbour."""
    text = describe_error(error)
    if isinstance(error, ModuleNotFoundError) and error.name and file.with_name(f"{error.name}.py").exists():
        return f"{text}; a folder's modules import each other by `from .{error.name} import …`"
    return text


# --- importing a file, of a bot or a game ---

MAX_ERROR_CHARS: Final = 500


def describe_error(error: BaseException) -> str:
    """Return what imported code raised, in one line."""
    return f"{type(error).__name__}: {error}"[:MAX_ERROR_CHARS]


def import_file(
    name: str, path: str, describe: Callable[[BaseException], str] = describe_error
) -> ModuleType:
    """Run a file as a module, once in a process: its classes stay the same when it is asked for again.

    Args:
        name: The name under which the module is kept.
        path: The file.
        describe: Returns what the file raised, for the message.

    Raises:
        PluginError: The file does not load.
    """
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PluginError(f"{path} does not load: {describe(error)}") from error
    return module
