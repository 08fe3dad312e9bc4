"""Copies of bots: the files that a bot consists of, snapshots, and the store that keeps them by content."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import stat
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple, Protocol, cast

import msgspec
import tomli_w

from arena.errors import PluginError
from arena.plugins.bot_source import (
    ArchiveReader,
    BotSource,
    is_content_hash,
    is_zip_archive,
    open_without_links,
)
from arena.plugins.bot_spec import BotSpec, parse_bot
from arena.plugins.manifest import MANIFEST, NAME_SIGNS, Manifest, check_name, name_of_file, read_manifest
from arena.plugins.sources import CommandBot, FileBot, FolderBot, InstalledBot, check_depth, is_program

# --- bot files ---
# Untrusted files, from a folder, a Python file, a command or an archive, are copied into a new folder.

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


# --- snapshots ---
# Copies of bots kept to compare later versions with.


def take_snapshot(bot: BotSpec, name: str, folder: Path) -> Path:
    """Copy a bot into a new folder `name` in `folder`, read-only, and return that.

    Without a name it is called after the bot's file or folder, with the next free number. A bot that has no
    `bot.toml` gets one with that name.

    Raises:
        PluginError: For an installed bot, a name that is taken or cannot be a bot's, or files that cannot be
            copied.
        OSError: If the copy cannot be written.
    """
    name = name or _next_name(bot, folder)
    check_name(name)
    place = folder / name
    if place.exists():
        raise PluginError(f"{place} already exists: give the snapshot another name, or delete that one")
    if isinstance(bot.source, FolderBot) and folder.resolve().is_relative_to(bot.source.path):
        raise PluginError(
            f"{bot.source} contains the folder {folder}: take the snapshot from outside, or with --out DIR"
        )
    files = list(files_of(bot, name))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as scratch:
        copy = Path(scratch, "bot")
        copy.mkdir()
        copy_files(files, copy)
        copy.rename(place)
    return place


def _next_name(bot: BotSpec, folder: Path) -> str:
    stem = name_of_file(_stem(bot.source)).rstrip(NAME_SIGNS)[:30] or "bot"
    numbers = [
        int(match[1])
        for path in folder.glob("*")
        if (match := re.fullmatch(rf"{re.escape(stem)}-(\d{{1,9}})", path.name))
    ]
    return f"{stem}-{max(numbers, default=0) + 1}"


def _stem(source: BotSource) -> str:
    return source.label or next((path.stem for _, path in source.files()), "")


# --- store ---
# Files of submitted bots are in folders named by their hash, `bots/<sha256>/`.


class CopiedBot(NamedTuple):
    """A copy of a bot that is not in its place yet."""

    folder: Path
    manifest: Manifest


class ContentStore:
    """Folders of bots, each named by the hash of its files, in `bots/` of a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._bots = self.path / "bots"

    def folder(self, sha: str) -> Path:
        """Return the folder of a content, which exists if it was stored."""
        return self._bots / sha

    @contextmanager
    def copied(
        self,
        text: str,
        base: Path,
        *,
        name: str = "",
        author: str = "",
        team: str = "",
        announce: Callable[[str], None] = lambda line: None,
    ) -> Iterator[CopiedBot]:
        """Copy a bot, check its files and install the packages that it names; `move_in` keeps the copy.

        `text` names a folder, a file and class, a command, or a zip archive of a folder; `announce` is called
        with a line before each long step.

        Raises:
            PluginError: For what is not a bot or is not safe to copy.
        """
        path = Path(os.path.abspath(base.resolve() / text))
        is_archive = path.is_file() and is_zip_archive(path)
        spec = None if is_archive else parse_bot(text, base)
        _refuse_linked(text, base, spec)
        if (
            spec
            and isinstance(spec.source, FolderBot)
            and self.path.resolve().is_relative_to(spec.source.path)
        ):
            raise PluginError(
                f"{spec.source} contains the store {self.path}: move the store with ARENA_STORE, or the bot"
            )
        self._bots.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=self.path) as scratch:
            copy = Path(scratch, "bot")
            copy.mkdir()
            _copy_bot(copy, spec or path, name)
            try:
                manifest = _update_manifest(copy, name=name, author=author, team=team)
                FolderBot(str(copy)).install_packages(announce)
            except PluginError as error:
                raise PluginError(str(error).replace(str(copy.resolve()), text)) from error
            yield CopiedBot(copy, manifest)

    def move_in(self, copy: Path) -> str:
        """Move a copy to its place, unless it is there unchanged, and return its hash."""
        sha = FolderBot(str(copy)).digest()
        place = self._bots / sha
        if place.exists() and FolderBot(str(place)).digest() != sha:
            remove_tree(place)
        if not place.exists():
            copy.rename(place)
            make_read_only(place)
        return sha

    def remove(self, sha: str) -> None:
        """Remove the files of a content, if they are there."""
        if self.folder(sha).exists():
            remove_tree(self.folder(sha))

    def find(self, prefix: str) -> list[str]:
        """Return the hashes of the contents that begin with a text."""
        return sorted(path.name for path in self._bots.glob(f"{prefix}*") if is_content_hash(path.name))


def is_hash_prefix(text: str) -> bool:
    """Return whether a text may be the beginning of a hash, as tables print it, or a whole one."""
    return re.fullmatch("[0-9a-f]{7,64}", text) is not None


def _copy_bot(copy: Path, bot: BotSpec | Path, name: str) -> None:
    if isinstance(bot, BotSpec):
        copy_files(files_of(bot, name or default_name(bot)), copy)
        return
    copy_files(files_in_archive(bot), copy)
    if not (copy / MANIFEST).is_file():
        raise PluginError(f"{bot.name} has no {MANIFEST}, neither at the top nor in its only folder")


def _update_manifest(copy: Path, **given: str) -> Manifest:
    """Write the values given into the copy's `bot.toml`, and return it."""
    values = {key: value for key, value in given.items() if value}
    manifest = read_manifest(copy)
    if any(getattr(manifest, key) != value for key, value in values.items()):
        table = msgspec.to_builtins(msgspec.structs.replace(manifest, **values))
        path = copy / MANIFEST
        path.unlink()
        path.write_text(tomli_w.dumps(table), encoding="utf-8")
        path.chmod(0o444)
    manifest = FolderBot.parse(str(copy), copy).manifest  # refuses what is not a bot
    program = (copy / "".join(manifest.command[:1])).resolve()
    if program.is_file() and program.is_relative_to(copy.resolve()):
        program.chmod(0o555)  # an archive may have forgotten it
    return manifest


def default_name(spec: BotSpec) -> str:
    """Return the name of a bot without a manifest: that of its file, or of a class that was named."""
    if isinstance(spec.source, CommandBot):
        return next((path.stem for _, path in spec.source.files()), "")
    if isinstance(spec.source, FolderBot):
        return spec.source.manifest.name
    of_file = name_of_file(Path(spec.name).stem) if spec.name.endswith(".py") else ""
    return of_file or str(spec.source).rpartition(":")[2].lower()


def _refuse_linked(text: str, base: Path, spec: BotSpec | None) -> None:
    """Refuse a path with a link in it: whoever owns the folder of the link chooses where it leads.

    From then on the paths found are opened without following links.
    """
    named, paths = [text], [os.path.realpath(base / text)]
    match spec and spec.source:
        case FileBot(path=path, class_name=class_name):
            named, paths = [text.removesuffix(f":{class_name}")], [path]
        case FolderBot(path=path):
            paths = [path]
        case CommandBot(words=words) as source:
            own = {str(path) for _, path in source.files()}
            pairs = zip(CommandBot.restore(text).words, words, strict=True)
            own_pairs = [pair for pair in pairs if pair[1] in own]
            named, paths = [name for name, _ in own_pairs], [real for _, real in own_pairs]
        case InstalledBot():
            return
    for name, real in zip(named, paths, strict=True):
        if os.path.abspath(base.resolve() / name) != real:
            raise PluginError(f"{name} leads through a link to {real}: submit that, if you mean it")
