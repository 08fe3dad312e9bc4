"""The source of a bot, however it is given, and errors that may pass."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import zipfile
from collections.abc import Iterable, Sequence
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from arena.errors import PluginError

# --- temporary errors ---
# Errors that are the machine's or the network's and not a bot's: later the same attempt may succeed.

MACHINE_ERRORS: Final = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
    }
)
"""Numbers of system errors about the disk, the memory and the descriptors of this machine."""


class PackagesUnavailable(PluginError):
    """Packages that cannot be fetched or stored now, as the index or the disk does not answer."""


def find_temporary_error(error: BaseException) -> BaseException | None:
    """Return the temporary error that an error is, or that led to it; None if there is none."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        is_machine = isinstance(cause, OSError) and cause.errno in MACHINE_ERRORS
        if is_machine or isinstance(cause, MemoryError | PackagesUnavailable):
            return cause
        cause = cause.__cause__ or cause.__context__
    return None


# --- bot source ---
# The interface of every kind of bot source.

SYSTEM_FOLDERS = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/")
"""Files below these belong to the machine, not to a bot."""
MAX_HASHED_BYTES = 1 << 30
"""Maximum total size of the files of a bot that is not submitted, in bytes."""
CHUNK_BYTES = 1 << 18
Kind = Literal["built-in", "plug-in", "file", "folder", "module", "command"]
ParameterKind = Literal["parameters", "integers"]
"""The attribute or key by which a bot declares parameters: real ones, or integers."""


class Launch(msgspec.Struct, frozen=True):
    """The means to start a bot in a process of its own: a command, or what the Python host loads."""

    command: tuple[str, ...] = ()
    """The program and its arguments; empty for a class."""
    target: str = ""
    """The class: "/absolute/path/bot.py:Name", or "package.module:Name" from the interpreter's path; of a
    WebAssembly module "/absolute/path/bot.wasm:"."""
    folder: str = ""
    """The bot's working directory, from which a class may also import; empty where it has none."""
    reads: tuple[str, ...] = ()
    """The bot's own files and folders, by absolute path: all it needs beside its language."""
    parts: tuple[str, ...] = ()
    """Part of `reads` that belongs to the bot, where not all does; only that is visible to it."""
    packages: str = ""
    """The folder of the packages that a class may import beside its own; empty for none."""


class BotSource(msgspec.Struct, frozen=True, dict=True):
    """The origin of a bot's code.

    `str()` is the text that names it in a config of any folder. All methods raise PluginError for a bot that
    does not exist. Only `load` runs the bot's code. What is read or looked up once is kept in this process,
    and not sent to others. Subclasses implement what raises NotImplementedError: the metaclass of structs
    allows no abstract base class.
    """

    @property
    def kind(self) -> Kind:
        """The kind of source, which decides how far the bot is trusted."""
        raise NotImplementedError

    @property
    def beside(self) -> frozenset[str]:
        """The names of files and folders beside a bot in a single file, which it cannot use; else none."""
        return frozenset()

    @property
    def team(self) -> str:
        """The team that the bot declares; empty for none."""
        return ""

    @property
    def author(self) -> str:
        """The author that the bot declares; empty for none."""
        return ""

    @property
    def needs_process(self) -> bool:
        """True for a bot that cannot be confined: it declares isolation "process"."""
        return False

    @property
    def environment(self) -> tuple[str, ...]:
        """The names of the environment variables that it declares to need."""
        return ()

    def default_name(self, text: str) -> str:
        """Return the bot's name where the config, which calls it `text`, gives it none."""
        return text

    def relative_to(self, folder: Path) -> str:
        """Return the text that names the bot in a config in `folder`, with relative paths."""
        return str(self)

    @property
    def label(self) -> str:
        """The name of the bot's file or folder, which tells versions of a bot apart; empty for none."""
        return ""

    def variants(self) -> tuple[str, ...]:
        """Return the games and families the bot declares, as far as can be read; empty for all."""
        return ()

    def parameters(self, kind: ParameterKind) -> tuple[str, ...]:
        """Return the parameters the bot declares for `arena tune`, each as `NAME=LOW..HIGH@START`."""
        return ()

    def load(self) -> type[Any]:
        """Import the bot's module into this process and return its class."""
        raise NotImplementedError

    def files(self) -> Sequence[tuple[str, Path]]:
        """Return the files the bot is made of, with their names relative to the bot."""
        raise NotImplementedError

    def digest(self) -> str:
        """Return the sha256, in hexadecimal, of what the bot is made of, wherever it is installed or stored.

        Raises:
            OSError: For files that cannot be read.
        """
        raise NotImplementedError

    def launch(self) -> Launch:
        """Return what starts the bot in a process of its own."""
        raise NotImplementedError


def relative_path(path: str, folder: Path) -> str:
    """Return an absolute path relative to a folder, with a slash in it."""
    relative = Path(os.path.relpath(path, folder.resolve())).as_posix()
    return relative if "/" in relative else f"./{relative}"


def hash_files(label: str, files: Iterable[tuple[str, Path]]) -> str:
    """Return the sha256 of a label and of files in their order, each with its name.

    Raises:
        PluginError: For files that take minutes to read, such as one with a hole of terabytes.
        OSError: For files that cannot be read.
    """
    whole, left = hashlib.sha256(label.encode() + b"\0"), MAX_HASHED_BYTES
    for name, path in files:
        own = hashlib.sha256()
        with open_without_links(path) as file:
            while chunk := file.read(CHUNK_BYTES):
                left -= len(chunk)
                if left < 0:
                    raise PluginError(
                        f"the files of a bot are larger than {MAX_HASHED_BYTES >> 30} GiB, with {path}"
                    )
                own.update(chunk)
        whole.update(name.encode() + b"\0" + own.digest())
    return whole.hexdigest()


def is_content_hash(text: str) -> bool:
    """Return whether a text is the hash of a submission's files."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def is_named_pipe(path: Path) -> bool:
    """Return whether a path is a pipe in a folder, which blocks who opens it; `/dev/stdin` is none."""
    is_open = str(path.parent) in ("/dev", "/dev/fd") or path.is_relative_to("/proc")
    return path.is_fifo() and not is_open


def open_without_links(path: Path) -> BufferedReader:
    """Open a regular file for reading, by an absolute path of which no part is a link.

    Whoever owns a folder may replace a part of it by a link at any time: no check before can see that.

    Raises:
        PluginError: For a link, a device or a pipe.
        OSError: If the file cannot be opened.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = _open_parts(path, flags) if os.open in os.supports_dir_fd else os.open(path, flags)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise _not_regular(path) from error
        raise
    file = os.fdopen(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise _not_regular(path)
    return file


def is_zip_archive(path: Path) -> bool:
    """Return whether a file is a zip archive; it may be replaced by a pipe at any time.

    Raises:
        PluginError: If it is one by now.
        OSError: If this machine cannot read it now.
    """
    try:
        with open_without_links(path.resolve()) as file:
            return zipfile.is_zipfile(file)
    except OSError as error:
        if find_temporary_error(error):
            raise
        return False


class ArchiveReader(FileIO):
    """A zip archive of which only so much is read at a time that the list of its files is short."""

    def __init__(self, file: int | str, max_bytes: int) -> None:
        super().__init__(file)
        self._max_bytes = max_bytes

    def read(self, size: int | None = -1, /) -> bytes:
        left = os.fstat(self.fileno()).st_size - self.tell()
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > self._max_bytes:
            raise zipfile.BadZipFile(f"the list of its files is larger than {self._max_bytes >> 10} KiB")
        return super().read(wanted)


def _open_parts(path: Path, flags: int) -> int:
    """Open each part of an absolute path in the folder that was opened before it."""
    *folders, name = path.parts
    at = os.open(folders[0], os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders[1:]:
            beneath = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = beneath
        return os.open(name, flags, dir_fd=at)
    finally:
        os.close(at)


def _not_regular(path: Path) -> PluginError:
    return PluginError(f"{path} is a link or a device: a bot is made of files and folders")
