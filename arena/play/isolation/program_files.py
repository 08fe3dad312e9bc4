"""The files that a bot's process may read: its program, Python, and shared libraries."""

from __future__ import annotations

import os
import shutil
import struct
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from glob import glob
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import msgspec

from arena.errors import PluginError

# --- shared libraries ---
# Those that a program and its extension modules need, from their ELF headers: nothing is loaded or run.
# Source: elf(5), System V Application Binary Interface, chapter 5.

MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little-endian
LOADED, DYNAMIC = 1, 2  # types of segments
NEEDED, STRING_TABLE = 1, 5  # tags of the dynamic section
HEADER_BYTES, MAX_NAME_BYTES = 64, 256
MAX_SEGMENTS, MAX_SECTION_BYTES = 64, 1 << 16
"""Limits on what is read of a file: a bot's own may claim anything."""
FOLDERS = ("/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib", "/lib/*-linux-gnu", "/lib64", "/lib")
"""Folders in which the system's loader looks, as patterns."""
LOADED_BY_NAME = ("libgcc_s.so.1",)
"""Libraries that the C library loads when a thread is cancelled or an exception passes."""


def find_libraries(programs: Iterable[Path], extra_folders: Iterable[str] = ()) -> list[Path]:
    """Return the libraries that programs and libraries need, and those need in turn, sorted.

    Args:
        programs: Executables and libraries.
        extra_folders: Folders with libraries beside the system's.
    """
    folders = list(dict.fromkeys(map(os.path.realpath, chain(*map(glob, FOLDERS), extra_folders))))
    names = list(dict.fromkeys(chain(LOADED_BY_NAME, *map(needed_names, programs))))
    paths: dict[Path, None] = {}
    for name in names:  # grows
        for path in (Path(folder, name) for folder in folders):
            if path.is_file() and path not in paths:
                paths[path] = None
                names += [other for other in needed_names(path) if other not in names]
    return sorted(paths)


@cache
def needed_names(file: Path) -> Sequence[str]:
    """Return the names of the libraries that an ELF file asks for; none if it is not one, or is damaged."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)  # it may be a pipe
        try:
            return list(_read_names(descriptor))
        finally:
            os.close(descriptor)
    except (OSError, OverflowError, ValueError, struct.error):
        return []


def _read_names(file: int) -> Iterator[str]:
    """Yield plain names only: a path could lead to a file that no bot may read."""
    header = os.pread(file, HEADER_BYTES, 0)
    if not header.startswith(MAGIC):
        return
    (start,) = struct.unpack_from("<Q", header, 32)
    size, number = struct.unpack_from("<HH", header, 54)
    table = os.pread(file, size * min(number, MAX_SEGMENTS), start)
    segments = [struct.unpack_from("<IIQQQQ", table, place) for place in range(0, len(table), size)]
    kinds = [segment[0] for segment in segments]
    if DYNAMIC not in kinds:
        return
    _, _, offset, _, _, length = segments[kinds.index(DYNAMIC)]
    section = os.pread(file, min(length, MAX_SECTION_BYTES) // 16 * 16, offset)
    entries = list(struct.iter_unpack("<qQ", section))
    address = dict(entries).get(STRING_TABLE, -1)
    strings = [
        address - begin + offset
        for kind, _, offset, begin, _, length in segments
        if kind == LOADED and begin <= address < begin + length
    ]
    for place in [value for tag, value in entries if tag == NEEDED and strings]:
        name = os.pread(file, MAX_NAME_BYTES, strings[0] + place).partition(b"\0")[0].decode()
        if name and "/" not in name:
            yield name


# --- program ---

EXECUTABLE_PATH = "/usr/local/bin:/usr/bin:/bin"
LIMITER = "/usr/bin/prlimit"
"""The program that sets a bot's limits, inside the sandbox."""
PACKAGE_FOLDERS = ("site-packages", "dist-packages")
BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
ENVIRONMENT = {
    "PATH": EXECUTABLE_PATH,
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}
"""The whole environment of a bot's process; one in Python is passed the installed games, too."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A command, or without one the `main(arguments)` of a Python module.

    A module's `sys.path` holds the standard library, the bot's folder and its packages; `arena` and `msgspec`
    can be imported, and nothing else of the arena's environment unless the bot is installed in it.
    """

    home: Path | None = None
    """The one folder (or file) it may read: absolute, without links. It runs there, so paths in `command` may
    be relative to it. Nothing is imported by name from a single file's folder: the file is loaded by path."""
    parts: tuple[Path, ...] = ()
    """The files and folders of its home that it may read; none: all. What else is there is no part of it."""
    packages: Path | None = None
    """Folder with packages that a module may import and read, beside its home."""
    command: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    module: str = "arena.play.bot_runtime"
    installed: bool = False
    """True for a module that is installed in the arena's environment, and needs what is installed there."""
    games: tuple[Path, ...] = ()
    """Files and folders of games that are not installed, which a module may read."""
    game_packages: tuple[Path, ...] = ()
    """Installed packages of games that are not the arena's own, which a module may import and read."""
    built_in: bool = False
    """True for a module of the arena's own bots, which needs the package `bots` and no other."""
    run_folder: Path | None = None
    """Folder of a run in which it may write, where it is not confined."""
    environment: tuple[str, ...] = ()
    """Names of the variables of the arena's environment that are passed on."""
    wasm_package: str = ""
    """The package that runs it, if the bot is a WebAssembly module; it may be imported."""

    @property
    def trusted(self) -> bool:
        """True if the bot was chosen by whoever installed the arena."""
        return self.installed or self.built_in

    @property
    def folder(self) -> Path:
        """The working directory."""
        if self.home is None:
            return Path("/")
        return self.home if self.home.is_dir() else self.home.parent


def command_line(
    program: Program, code: bytes = b"", readable: str = "", *, supervised: bool = False
) -> list[str]:
    """Return the argument list that runs the program.

    `bootstrap.py` first applies the seccomp filter `code` and allows only the `readable` files, if given; if
    `supervised`, it stays to kill all that the program has started.

    Raises:
        PluginError: If a command's executable does not exist.
    """
    if program.command and not (code or readable or supervised):
        return ["env", "-u", "PWD", *executable(program)]  # which bubblewrap sets
    importable = "" if program.command else encode_paths(packages(program))
    folders = [program.folder] if program.home else []
    imports = encode_paths([*folders, *([program.packages] if program.packages else [])])
    runs = executable(program) if program.command else (program.module, *program.arguments)
    flags = ["-I", "-B", "-u"] if program.installed else ["-I", "-S", "-B", "-u"]
    games = encode_paths(program.game_packages)
    given = ["supervise" if supervised else "", code.hex(), readable, importable, imports, games]
    return [interpreter(program), *flags, str(BOOTSTRAP), *given, *runs]


def supervisor_command() -> list[str]:
    """Return the start of a command line that runs the rest of it and kills all that it has started."""
    return [interpreter(Program()), "-I", "-S", "-B", str(BOOTSTRAP), "supervise", "", "", "", "", ""]


def encode_paths(paths: Iterable[Path | str]) -> str:
    """Return paths as one argument, whatever characters they hold."""
    return " ".join(os.fsencode(path).hex() for path in paths)


def executable(program: Program) -> tuple[str, ...]:
    """Return the command with the absolute path of its executable.

    Raises:
        PluginError: If it does not exist.
    """
    name, *rest = program.command
    own = "/" in name
    path = shutil.which(program.folder / name) if own else shutil.which(name, path=EXECUTABLE_PATH)
    if path is None:
        where = f"from {program.folder}" if own else f"in {EXECUTABLE_PATH}"
        raise PluginError(f"there is no program {name} that may be run, looked for {where}")
    return (os.path.normpath(path), *rest)


def interpreter(program: Program) -> str:
    """Return the Python for a module: the environment's own if it is installed there, else the base one."""
    return sys.executable if program.installed else os.path.realpath(sys.executable)


def packages(program: Program) -> list[Path]:
    """Return the packages that a module may import beside the standard library and the bot's folder."""
    further = ("bots" if program.trusted else "", program.wasm_package)
    return [_package(name) for name in ("arena", "msgspec", *filter(None, further))]


def runtime_files(program: Program) -> list[Path]:
    """Return what runs the program, as far as it may lie outside the system's libraries."""
    if program.command:
        path = Path(executable(program)[0])
        return [] if path.is_relative_to("/usr") or path.is_relative_to(program.folder) else [path]
    base = Path(os.path.realpath(sys.base_prefix))
    if program.installed:
        return [Path(sys.prefix), base / "bin", base / "lib"]
    return [Path(interpreter(program)), *standard_library(), *libraries(program)]


def libraries(program: Program) -> list[Path]:
    """Return the shared libraries that Python, the standard library and the bot's own modules need."""
    return list(_find_libraries(*own_files(program)))


@cache
def _find_libraries(*places: Path) -> list[Path]:
    base = os.path.realpath(sys.base_prefix)
    modules = [
        module
        for place in (*standard_library(), *places)
        for module in ([place] if place.is_file() else _extension_modules(place))
    ]
    programs = [Path(os.path.realpath(sys.executable)), Path(LIMITER), *modules]
    return find_libraries(programs, [f"{base}/lib", f"{base}/lib64"])


def _extension_modules(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in PACKAGE_FOLDERS]
        yield from (Path(parent, name) for name in names if ".so" in name and not name.startswith("_tkinter"))


@cache
def standard_library() -> list[Path]:
    """Return the folders of the standard library: on some systems its extension modules lie apart."""
    extensions = [os.path.dirname(path) for path in sys.path if path.endswith("/lib-dynload")]
    places = map(os.path.realpath, (sysconfig.get_path("stdlib"), *extensions))
    return [Path(place) for place in sorted(set(places))]


def system_settings(program: Program) -> list[str]:
    """Return the files in /etc without which some programs do not start, and which hold no secret."""
    others = ["/etc/alternatives", "/etc/ssl/openssl.cnf", *sorted(glob("/etc/java-*"))]
    return list(filter(os.path.exists, ["/etc/ld.so.cache", *(others if program.command else [])]))


def own_files(program: Program) -> list[Path]:
    """Return what the program itself reads: its packages and its home."""
    return [*_needed_packages(program), *([program.home] if program.home else [])]


def visible_files(program: Program) -> list[Path]:
    """Return what the sandbox and Landlock show the program of its own files."""
    home = [program.home] if program.home else []
    return [*_needed_packages(program), *(program.parts or home)]


def _needed_packages(program: Program) -> list[Path]:
    if program.command:
        return []
    own = [program.packages] if program.packages else []
    return [*packages(program), *own, *program.games, *program.game_packages]


@cache
def shared_object_bytes(folder: Path) -> int:
    """Return the size of all libraries in a folder of packages, which a program maps when it imports them."""
    return sum(path.stat().st_size for path in folder.rglob("*.so*") if path.is_file())


def site_packages() -> list[str]:
    """Return the folders where packages are installed: other people's bots may be among them."""
    known = {*sys.path, sysconfig.get_path("purelib"), f"{sysconfig.get_path('stdlib')}/site-packages"}
    return sorted(path for path in known if Path(path).name in PACKAGE_FOLDERS and Path(path).is_dir())


def _package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None, name
    assert spec.origin is not None, name
    return Path(spec.origin).parent.resolve()
