"""The folder of a run: what is in it, how one is begun, and how a file in it is replaced."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Self

from arena.errors import StoreError
from arena.tournament.storage.database import DATABASE, UNFINISHED


class RunFolder:
    """The files of a run by what they are; the database is the truth, the others are written from it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / DATABASE
        self.config = path / "run.toml"
        self.log = path / "arena.log"
        self.matches = path / "matches.csv"
        self.elo_csv = path / "elo.csv"
        self.elo_md = path / "elo.md"
        self.standings = path / "standings.csv"
        self.replays = path / "replays.jsonl.zst"
        self.report = path / "report.html"

    @classmethod
    def create(cls, path: Path) -> Self:
        """A run's folder that is new, or was empty, or holds a beginning that was cut off.

        Raises: StoreError, for one that holds anything, or where none can be made.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
            held = sorted(entry.name for entry in path.iterdir())
        except OSError as error:
            raise _not_made(path, error) from error
        if DATABASE in held:
            raise StoreError(f"{path} holds a run already; `arena resume {path}` goes on with it")
        held = [name for name in held if name not in UNFINISHED]
        if held:
            raise StoreError(f"{path} is not empty, {held[0]} is in it; a run begins in a folder of its own")
        return cls(path)

    @classmethod
    def create_next(cls, results: Path, name: str) -> Self:
        """A run's folder under `results`, called by the name and the first number that is free.

        Raises: StoreError, where none can be made.
        """
        try:
            results.mkdir(parents=True, exist_ok=True)
            for number in count(1):
                path = results / f"{name}-{number:03}"
                if not path.exists():
                    path.mkdir()
                    break
        except OSError as error:
            raise _not_made(results, error) from error
        return cls(path)

    def remove_empty(self) -> None:
        """Takes the folder away again if there is nothing in it."""
        with suppress(OSError):  # which is how a full one refuses
            self.path.rmdir()

    @classmethod
    def open(cls, path: Path) -> Self:
        """The folder of a run that was begun.

        Raises: StoreError, if there is none.
        """
        folder = cls(path)
        if not folder.database.exists():
            raise StoreError(f"{path} holds no run: there is no {DATABASE} in it")
        return folder


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write in the place of `path`, which gets there whole at the end or, on an error, not at all.

    Raises: StoreError, if it cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def _not_made(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path} cannot be made the folder of a run: {error.strerror}")
