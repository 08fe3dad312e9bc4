"""Copying untrusted bot files, from a folder, a Python file, a command or an archive, into a new folder."""

from __future__ import annotations

import lzma
import os
import shutil
import stat
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple, Protocol, cast

import tomli_w

from arena.errors import PluginError
from arena.plugins.bot_source import ArchiveReader, open_without_links
from arena.plugins.bot_spec import BotSpec
from arena.plugins.command_bots import CommandBot
from arena.plugins.file_bots import FileBot, FolderBot, check_depth, is_program
from arena.plugins.manifest import MANIFEST

MAX_BOT_BYTES: Final = 20 << 20
"""Maximum total size of a bot's files, in bytes."""
MAX_BOT_FILES: Final = 2000
"""Files, and folders that contain them."""
MAX_DIRECTORY_BYTES: Final = 1 << 19
"""Maximum size of an archive's list of files, in bytes: memory for all of it is allocated first."""
CHUNK_BYTES: Final = MAX_DIRECTORY_BYTES >> 1
"""Bytes read at a time: an archive refuses to read as much at once as a list of files may not have."""
ARCHIVE_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, LookupError, OverflowError),
)
"""Exceptions raised by archives that are damaged, or were made to look so."""
HARD_LINK_SETTING: Final = Path("/proc/sys/fs/protected_hardlinks")
IGNORED_FOLDERS = ("__pycache__", "__MACOSX")


class OpenFile(Protocol):
    """Open a file to be read once."""

    def __call__(self) -> AbstractContextManager[IO[bytes]]: ...


class BotFile(NamedTuple):
    """A file of a bot: its name relative to the bot's folder, whether it is executable, and its bytes."""

    name: str
    is_program: bool
    open: OpenFile


def files_of(spec: BotSpec, name: str) -> Iterator[BotFile]:
    """Yield the files of a bot in a folder, a file or a command, with a `bot.toml` where it has none.

    Raises:
        PluginError: For an installed bot, and for what cannot be copied.
    """
    source = spec.source
    match source:
        case FolderBot():
            files = source.files()
            yield from (_disk_file(path, inside) for inside, path in files)
            if MANIFEST not in dict(files):
                yield _manifest_file({"name": name, "class": source.manifest.target})
        case FileBot():
            (file,) = (_disk_file(path, inside) for inside, path in source.files())
            yield file
            yield _manifest_file({"name": name, "class": f"{file.name}:{source.class_name}"})
        case CommandBot():
            yield from _command_files(spec.name, source, name)
        case _:
            raise PluginError(
                f"{spec.name} is an installed bot, which every config can name: there are no files to copy"
            )


def files_in_archive(path: Path) -> Iterator[BotFile]:
    """Yield the files in a zip archive; where all are in one folder, relative to that.

    Raises:
        PluginError: For an archive that is damaged or too large, a link, or an encrypted file.
    """
    with ExitStack() as stack:
        with _checking_archive(path.name):
            with _open_own(path) as plain:
                file = stack.enter_context(ArchiveReader(os.dup(plain.fileno()), MAX_DIRECTORY_BYTES))
            if os.fstat(file.fileno()).st_size > MAX_BOT_BYTES:
                raise PluginError(f"{path.name} is larger than {MAX_BOT_BYTES >> 20} MiB")
            archive = stack.enter_context(zipfile.ZipFile(cast(IO[bytes], file)))
        infos = [info for info in archive.infolist() if not _is_ignored(info.filename)]
        if sum(info.file_size for info in infos) > MAX_BOT_BYTES:
            raise _too_large()
        tops = {info.filename.partition("/")[0] for info in infos}
        inside = f"{tops.pop()}/" if len(tops) == 1 else ""
        for info in infos:
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise PluginError(
                    f"{info.filename!r} is a link or a device: a bot is made of files and folders"
                )
            if info.flag_bits & 1:
                raise PluginError(f"{info.filename!r} is encrypted")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise PluginError(f"{info.filename!r} is not stored or deflated: pack the archive with `zip`")
            name = info.filename.removeprefix(inside)
            yield BotFile(name, bool(mode & 0o111), partial(_unzip, path.name, archive, info))


def copy_files(files: Iterable[BotFile], folder: Path) -> None:
    """Write files into an empty folder, whatever sizes they claim.

    Raises:
        PluginError: For a name that leads out of it or repeats, for too many files or bytes.
    """
    left, folders = MAX_BOT_BYTES, set[PurePosixPath]()
    for number, file in enumerate(files, 1):
        check_file_name(file.name)
        check_depth(file.name.count("/"))
        folders.update(PurePosixPath(file.name).parents)
        if number + len(folders) - 1 > MAX_BOT_FILES:
            raise PluginError(f"a bot is made of at most {MAX_BOT_FILES:,} files and folders")
        path = folder / file.name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            left -= _copy(file, path, left)
        except (FileExistsError, NotADirectoryError):
            raise PluginError(f"the file name {file.name!r} appears twice") from None
        path.chmod(0o555 if file.is_program else 0o444)


def make_read_only(folder: Path) -> None:
    """Take the permission to write from a folder and all folders in it."""
    for root, _, _ in os.walk(folder, topdown=False):
        os.chmod(root, 0o555)


def remove_tree(folder: Path) -> None:
    """Remove a folder that was made read-only.

    Raises:
        OSError: If it cannot be removed.
        RecursionError: For folders nested a thousand deep.
    """
    if sys.platform == "win32":
        for root, _, _ in os.walk(folder):
            os.chmod(root, 0o755)
    else:
        for *_, descriptor in os.fwalk(folder):  # by a path it would follow a link put there meanwhile
            os.fchmod(descriptor, 0o755)
    shutil.rmtree(folder)


def _disk_file(path: Path, name: str) -> BotFile:
    return BotFile(name, is_program(path), partial(_open_own, path))


def _open_own(path: Path) -> BufferedReader:
    """Open a regular file that has no second name, unless the system lets only its owner make one.

    Raises:
        PluginError: For a link, a device, a pipe, or a file with a second name.
        OSError: If the file cannot be opened.
    """
    file = open_without_links(path)
    if os.fstat(file.fileno()).st_nlink > 1 and not _are_hard_links_protected():
        file.close()
        raise PluginError(
            f"{path} has a second name (a hard link), and may be another's file: copy it, or set "
            "fs.protected_hardlinks to 1"
        )
    return file


def _are_hard_links_protected() -> bool:
    """Return whether the system refuses hard links to files of others (Linux: fs.protected_hardlinks)."""
    try:
        return HARD_LINK_SETTING.read_text().strip() == "1"
    except OSError:
        return False


def _command_files(printed: str, source: CommandBot, name: str) -> Iterator[BotFile]:
    """Yield the files that a command names, and a `bot.toml` with the command made relative to them."""
    names = {str(path): inside for inside, path in source.files()}
    if not names or len(set(names.values())) < len(source.files()):
        raise PluginError(
            f"{printed} does not name its files plainly: put them into a folder with a {MANIFEST} "
            'that says command = ["./bot"], and submit the folder'
        )
    yield from (_disk_file(Path(path), inside) for path, inside in names.items())
    words = [names.get(word, word) for word in source.words]
    if source.words[0] in names:
        words[0] = f"./{words[0]}"
    yield _manifest_file({"name": name, "command": words})


def _manifest_file(table: dict[str, object]) -> BotFile:
    text = tomli_w.dumps(table).encode()
    return BotFile(MANIFEST, False, lambda: BytesIO(text))


def _unzip(name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """Open a file in an archive; of one that is too large, read just enough to see that."""
    with _checking_archive(name), archive.open(info) as file:
        content = bytearray()
        while len(content) <= MAX_BOT_BYTES and (chunk := file.read(CHUNK_BYTES)):
            content += chunk
        return BytesIO(content)


@contextmanager
def _checking_archive(name: str) -> Iterator[None]:
    try:
        yield
    except ARCHIVE_ERRORS as error:
        raise PluginError(f"{name} is not a whole zip archive: {error}") from error


def _is_ignored(name: str) -> bool:
    """Return whether this is not a file of a bot: a folder, hidden, or added by Python or macOS."""
    if name.endswith("/"):
        return True
    parts = [part for part in name.split("/") if part not in (".", "..")]
    return any(part.startswith(".") or part in IGNORED_FOLDERS for part in parts)


def _copy(file: BotFile, path: Path, max_bytes: int) -> int:
    """Write a file and return its size in bytes."""
    size = 0
    with file.open() as source, path.open("xb") as target:
        while chunk := source.read(CHUNK_BYTES):
            size += len(chunk)
            if size > max_bytes:
                raise _too_large()
            target.write(chunk)
    return size


def _too_large() -> PluginError:
    return PluginError(f"the files are larger than {MAX_BOT_BYTES >> 20} MiB in all")


def check_file_name(name: str) -> None:
    """Refuse the name of a file that may lead out of a folder, or that not every system can have.

    Raises:
        PluginError: If it is not safe.
    """
    parts = name.split("/")
    if (
        not name.isprintable()
        or "\\" in name
        or name.endswith("*")
        or any(part in ("", ".", "..") or len(part.encode()) > 200 for part in parts)
        or len(name.encode()) > 1000
        or ":" in parts[0]
    ):
        raise PluginError(f"the file name {name[:200]!r} is not safe to write elsewhere")
