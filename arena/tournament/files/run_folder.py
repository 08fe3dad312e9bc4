"""The folder of a run: its files, its creation, and atomic replacement of a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, Self

from arena.errors import StoreError
from arena.plugins.games import arena_command
from arena.tournament.files.private_files import open_private
from arena.tournament.storage.database import DATABASE, UNFINISHED

RESULTS: Final = Path("results")
"""Folder for runs, by default."""
SECRET: Final = "seed.secret"
"""File with the secret of a seed that was committed to, until the run is played."""
COMMITMENT: Final = "commitment.json"


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

    @classmethod
    def create(cls, path: Path) -> Self:
        """Create a run's folder, or take one that is empty but for a commitment or an interrupted creation.

        Raises:
            StoreError: For one that is not empty, or cannot be created.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
            held = sorted(entry.name for entry in path.iterdir())
        except OSError as error:
            raise _creation_error(path, error) from error
        if DATABASE in held:
            raise StoreError(f"{path} holds a run already; `{arena_command()} resume {path}` continues it")
        held = [name for name in held if name not in {*UNFINISHED, SECRET, COMMITMENT}]
        if held:
            raise StoreError(f"{path} is not empty, it contains {held[0]}; a run needs a folder of its own")
        return cls(path)

    @classmethod
    def create_next(cls, results: Path, name: str) -> Self:
        """Create a run's folder under `results`, named with the first free number.

        Raises:
            StoreError: If it cannot be created.
        """
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

    def remove_empty(self) -> None:
        """Remove the folder if it is empty."""
        with suppress(OSError):  # not empty
            self.path.rmdir()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Return the folder of an existing run.

        Raises:
            StoreError: If there is none.
        """
        folder = cls(path)
        if not folder.database.exists():
            raise StoreError(f"{path} holds no run: there is no {DATABASE} in it")
        return folder

    @classmethod
    def open_latest(cls) -> Self:
        """Return the folder of the run in `results/` that was written last.

        Raises:
            StoreError: If there is none.
        """
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

    Raises:
        StoreError: If something else is kept in it.
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

    Raises:
        StoreError: If it cannot be written.
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
