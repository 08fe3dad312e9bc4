"""The folder of a run: private files, atomic replacement, reproducible archives and committed seeds.

`RunFolder` has the paths of a run's files; a committed seed is kept in two of them.
"""

from __future__ import annotations

import os
import secrets
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import IO, BinaryIO, Final, NamedTuple, Self

import msgspec

from arena.errors import ConfigError, StoreError
from arena.play.isolation.bot_users import is_root
from arena.plugins.games import arena_command
from arena.plugins.manifest import name_of_file
from arena.tournament.store.database import DATABASE, UNFINISHED

# --- private files ---
# Folders and files that only their owner may read, whatever the umask.

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600


def make_private_folder(path: Path, mode: int = FOLDER_MODE) -> None:
    """Create a folder that only its owner may read; one that exists is made private."""
    path.mkdir(mode=mode, exist_ok=True)
    hide_path(path, mode)


def hide_path(path: Path, mode: int) -> None:
    """Give a path these permissions, unless it is missing or another user's."""
    with suppress(FileNotFoundError, PermissionError):
        path.chmod(mode)


def open_private(path: str, flags: int) -> int:
    """Open a file, an `opener` for `open`: a new one can be read by its owner only."""
    return os.open(path, flags, FILE_MODE)


# --- run folder ---

RESULTS: Final = Path("results")
"""Folder for runs, by default."""
SECRET: Final = "seed.secret"
"""File with the secret of a seed that was committed to, until the run is played."""
COMMITMENT: Final = "commitment.json"
BOT_FOLDERS: Final = "kept"
"""Folder of the folders in which bots keep what is theirs."""


class RunFolder:
    """Paths of a run's files; all but the database are written from it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / DATABASE
        self.config = path / "run.toml"
        self.log = path / "arena.log"
        self.matches = path / "matches.csv"
        self.elo_csv = path / "elo.csv"
        self.elo_md = path / "elo.md"
        self.standings = path / "standings.csv"
        self.pairings = path / "pairings.csv"
        self.replays = path / "replays.jsonl.zst"
        self.report = path / "report.html"
        self.secret = path / SECRET
        self.commitment = path / COMMITMENT
        self.seal = path / "seal.json"
        self.seal_signature = path / "seal.json.sig"
        self.bot_folders = path / BOT_FOLDERS

    @classmethod
    def create(cls, path: Path) -> Self:
        """Create a run's folder, or take one with a commitment, bots' folders or an interrupted creation."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            held = sorted(entry.name for entry in path.iterdir())
        except OSError as error:
            raise _creation_error(path, error) from error
        if DATABASE in held:
            raise StoreError(f"{path} holds a run already; `{arena_command()} resume {path}` continues it")
        held = [name for name in held if name not in {*UNFINISHED, SECRET, COMMITMENT, BOT_FOLDERS}]
        if held:
            raise StoreError(f"{path} is not empty, it contains {held[0]}; a run needs a folder of its own")
        return cls(path)

    @classmethod
    def create_next(cls, results: Path, name: str) -> Self:
        """Create a run's folder under `results`, named with the first free number."""
        try:
            results.mkdir(parents=True, exist_ok=True)
            for number in count(1):
                path = results / f"{name}-{number:03}"
                if not path.exists():
                    path.mkdir()
                    break
        except OSError as error:
            raise _creation_error(results, error) from error
        return cls(path)

    def make_bot_folder(self, bot: str, seed: str) -> Path:
        """Create the folder of a bot of the run with this seed, unless there is one, and return its path.

        If the arena is root, each bot process has a user of its own: they can all write in it, and what
        keeps other users out is that nobody can guess its name.
        """
        name = f"{name_of_file(bot)}-{sha256(f'{seed}/folder/{bot}'.encode()).hexdigest()[:32]}"
        path = self.bot_folders.absolute() / name
        if self.bot_folders.is_symlink() or path.is_symlink():
            raise StoreError(f"{path} is a link or in one, which may lead to files of yours: remove the link")
        try:
            make_private_folder(self.bot_folders, 0o711 if is_root() else FOLDER_MODE)
            make_private_folder(path, 0o777 if is_root() else FOLDER_MODE)
        except OSError as error:
            raise StoreError(f"{path} cannot be created: {error.strerror}") from error
        return path

    def remove_empty_bot_folders(self) -> None:
        """Remove those of its bots' folders that are empty."""
        with suppress(OSError):  # there are none, or one is not empty
            for path in self.bot_folders.iterdir():
                with suppress(OSError):
                    path.rmdir()
            self.bot_folders.rmdir()

    def remove_empty(self) -> None:
        """Remove the folder if it is empty."""
        with suppress(OSError):  # not empty
            self.path.rmdir()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Return the folder of an existing run."""
        folder = cls(path)
        if not folder.database.exists():
            raise StoreError(f"{path} holds no run: there is no {DATABASE} in it")
        return folder

    @classmethod
    def open_latest(cls) -> Self:
        """Return the folder of the run in `results/` that was written last."""
        runs = {file.stat().st_mtime_ns: file.parent for file in RESULTS.glob(f"*/{DATABASE}")}
        if not runs:
            raise StoreError(f"there is no run in {RESULTS}/ yet: name its folder")
        return cls(runs[max(runs)])


def refuse_other_content(path: Path, what: str, *own: str) -> None:
    """Refuse a folder in which something else is kept.

    Args:
        path: The folder; it need not exist.
        what: Name of what is to be kept in it, for the message.
        own: Names of files and folders of which such a folder has one, unless it is empty.
    """
    held = sorted(entry.name for entry in path.iterdir()) if path.is_dir() else []
    if DATABASE in held:
        raise StoreError(f"{path} holds a run: name a new folder with --out")
    if held and not set(held).intersection(own):
        raise StoreError(
            f"{path} is not empty, it contains {held[0]}; {what} needs a folder of its own: name a new "
            "one with --out"
        )


@contextmanager
def replace_file(path: Path, *, is_private: bool = False) -> Iterator[BinaryIO]:
    """Open a file to replace `path` with: completely at the end or, on an error, not at all.

    Args:
        path: The file.
        is_private: True if only its owner may read it.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)  # it may be a link that a stranger left in a run's folder
        with open(part, "xb", opener=open_private if is_private else None) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):  # a folder of that name
            part.unlink(missing_ok=True)


def _creation_error(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path} cannot be created as the folder of a run: {error.strerror}")


# --- reproducible archives ---
# Zip archives whose bytes depend on their content alone.

DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Date of every file in an archive: the earliest that the format can hold."""


class ArchivedFile(NamedTuple):
    """A file of an archive: its name there, its content or the file that has it, and if it is a program."""

    name: str
    content: bytes | Path
    is_program: bool = False


def write_archive(path: Path, files: Iterable[ArchivedFile]) -> None:
    """Write files into a zip archive, sorted by name; equal files make equal bytes."""
    with replace_file(path) as target:
        write_files(target, files)


def write_files(target: IO[bytes], files: Iterable[ArchivedFile]) -> None:
    """Write files into a zip archive as `write_archive` does, into an open file."""
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(files, key=lambda file: file.name):
            info = zipfile.ZipInfo(file.name, DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, also on Windows, for the permissions
            info.external_attr = (0o100755 if file.is_program else 0o100644) << 16
            with archive.open(info, "w", force_zip64=True) as inside:
                if isinstance(file.content, bytes):
                    inside.write(file.content)
                else:
                    with file.content.open("rb") as source:
                        while chunk := source.read(1 << 20):
                            inside.write(chunk)


# --- committed seed ---
# A run's seed that the organiser commits to before the bots are due, and reveals after the run.
#
# The commitment is the SHA-256 of a secret drawn at random. The seed is the SHA-256 of the secret, a line
# feed and a text mixed in, both as UTF-8, so that anybody can compute them with `sha256sum`.

SECRET_BYTES: Final = 32
MAX_MIX_CHARS: Final = 200
"""Maximum length of a text mixed into a seed."""


class CommittedSeed(NamedTuple):
    """A secret that was committed to, and what is mixed in."""

    secret: str
    """Secret in hexadecimal."""
    mix: str = ""
    """A text that nobody could know when the commitment was published, as a randomness beacon's value."""

    @property
    def commitment(self) -> str:
        """The hash that is published before the bots are due."""
        return sha256(self.secret.encode()).hexdigest()

    @property
    def seed(self) -> str:
        """The seed of the run."""
        return sha256(f"{self.secret}\n{self.mix}".encode()).hexdigest()

    def text(self, *, revealed: bool) -> bytes:
        """Return the content of `commitment.json`, before or after the secret is revealed."""
        if not revealed:
            return _format({"commitment": self.commitment})
        return _format(
            {"commitment": self.commitment, "secret": self.secret, "mix": self.mix, "seed": self.seed}
        )


def check_mix(text: str) -> None:
    """Refuse a text to mix in that nobody could copy from a page: with control characters, or overlong."""
    if not text.isprintable():
        raise ConfigError(f"--mix: {text[:MAX_MIX_CHARS]!a} has characters that do not print")
    if not 0 < len(text) <= MAX_MIX_CHARS:
        raise ConfigError(f"--mix: the text must have 1 to {MAX_MIX_CHARS} characters")


def commit(folder: RunFolder) -> str:
    """Draw the secret of a run that is played later, and return its commitment."""
    committed = CommittedSeed(secrets.token_hex(SECRET_BYTES))
    try:
        descriptor = os.open(folder.secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(f"{committed.secret}\n")
            file.flush()
            os.fsync(descriptor)
    except FileExistsError as error:
        raise ConfigError(
            f"{folder.path} has a commitment already: `arena run CONFIG --out {folder.path}` plays its run"
        ) from error
    except OSError as error:
        raise StoreError(f"{folder.secret} cannot be written: {error.strerror}") from error
    with replace_file(folder.commitment) as public:
        public.write(committed.text(revealed=False))
    return committed.commitment


def read_committed(folder: RunFolder, mix: str | None, seed: str) -> CommittedSeed | None:
    """Return the seed that was committed to in a folder; None, if none was.

    Args:
        folder: Folder of the run, which need not exist.
        mix: The text to mix in, if there is one.
        seed: The seed that config and options give; empty without one.
    """
    if mix is not None:
        check_mix(mix)
    if not folder.secret.exists():
        if mix is None:
            return None
        raise ConfigError("--mix requires a seed that was committed to: name its folder with --out")
    if seed:
        raise ConfigError(
            f"the seed of {folder.path} was committed to: leave it out of the config and the options"
        )
    try:
        committed = CommittedSeed(folder.secret.read_text(encoding="ascii").strip(), mix or "")
        published = msgspec.json.decode(folder.commitment.read_bytes(), type=dict[str, str])
    except (OSError, ValueError) as error:
        raise StoreError(f"the commitment in {folder.path} cannot be read: {error}") from error
    if published.get("commitment") != committed.commitment:
        raise StoreError(f"{folder.secret} is not the secret that {folder.commitment} commits to")
    return committed


def forget_secret(folder: RunFolder) -> None:
    """Remove the file of the secret, which the run's database has from now on."""
    with suppress(OSError):
        folder.secret.unlink()


def _format(fields: dict[str, str]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(fields), indent=2) + b"\n"
