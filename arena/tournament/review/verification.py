"""Whether a run is what it says: matches played again, their places in the schedule, the files compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import ArenaError, StoreError
from arena.tournament.files.record_files import read_lines
from arena.tournament.formats import Stage
from arena.tournament.review.block_replay import (
    Problem,
    ReplayedBlock,
    Task,
    record_hash,
    replay_blocks,
    wrong_block,
)
from arena.tournament.running.run import Run
from arena.tournament.storage.block_keys import BlockKeys
from arena.tournament.storage.database import DATABASE, is_being_written
from arena.tournament.storage.metadata import version_differences
from arena.tournament.storage.store import EVERY, Store
from arena.tournament.workers.executors import Workers

CHUNK: Final = 32
"""Blocks handed to a worker at a time."""
OnChecked = Callable[[int, int], None]


class Verification(msgspec.Struct):
    """What was found true of a run, and what was not."""

    blocks: int = 0
    missing: int = 0
    """Blocks that are decided and not played yet: the run has not come to its end."""
    matches: int = 0
    deals: int = 0
    actions: int = 0
    playing: bool = False
    """Whether it is just being played: then its files are not compared, which are written at the end."""
    files: int = 0
    """Those compared with what the store gives."""
    wrong: list[Problem] = []
    notes: list[str] = []
    """What may explain it."""


def verify(run: Run, hands: Workers, on_checked: OnChecked = lambda blocks, matches: None) -> Verification:
    """Plays a run again and compares it with what is in its folder.

    `on_checked` hears of blocks and matches as they are done.
    Raises: StoreError, if there is nothing that could be read; ArenaError, if the workers die.
    """
    verdict, replays = Verification(notes=list(version_differences(run.metadata, run.config))), _Replays(run)
    if is_being_written(run.folder.path):
        verdict.playing = True
        replays.give_up()
    with Store.open(run.folder.path) as store:
        try:
            verdict.wrong += [Problem(file=DATABASE, what=flaw) for flaw in store.find_corruption()]
            _Check(run, store, hands, verdict, replays, on_checked).all_stages()
        except StoreError as error:
            verdict.wrong.append(Problem(file=DATABASE, what=str(error)))
            replays.give_up()
    if verdict.playing:
        return verdict
    verdict.wrong += replays.finish()
    verdict.files += 1
    if all(wrong.file != DATABASE for wrong in verdict.wrong):  # else it does not give the right ones
        for path, pieces in run.tables():
            verdict.wrong += _differences(path, pieces)
            verdict.files += 1
    return verdict


class _Check:
    """The way through the blocks of a run, stage by stage."""

    def __init__(
        self,
        run: Run,
        store: Store,
        hands: Workers,
        verdict: Verification,
        replays: _Replays,
        on_checked: OnChecked,
    ) -> None:
        self._run, self._store, self._hands = run, store, hands
        self._verdict, self._replays, self._on_checked = verdict, replays, on_checked
        self._stamps = BlockKeys(run.config, run.metadata)
        self._records = run.config.replays
        """How many more are wanted."""

    def all_stages(self) -> None:
        """Checks the blocks of all stages, up to one that is wrong: it decided what came after it."""
        end = 0
        for stage in self._run.parts(self._store):
            self._check(stage)
            end = stage.indices.stop
            if self._verdict.wrong:
                break
        rest = range(end, EVERY.stop)
        if self._verdict.wrong and (unchecked := self._store.count(rest)):
            what = f"{unchecked} blocks after these were not checked, as they hang on them"
            self._verdict.wrong.append(Problem(file=DATABASE, what=what))
        elif not self._verdict.wrong:
            what = "it is none of the schedule, which ends before it or does not decide it yet"
            for stored in self._store.blocks(rest):
                self._verdict.wrong.append(
                    Problem(file=DATABASE, what=what, index=stored.index, block=stored.address)
                )

    def _check(self, stage: Stage) -> None:
        check = partial(replay_blocks, msgspec.msgpack.encode(self._run.plan()))
        for chunk in self._hands.map(check, _chunks(self._tasks(stage))):
            for found in chunk:
                self._take(found)
            self._on_checked(len(chunk), sum(found.matches for found in chunk))
        self._verdict.missing += len(stage.indices) - self._store.count(stage.indices)

    def _tasks(self, stage: Stage) -> Iterator[Task]:
        """The blocks stored of a stage, but those which by the schedule are others."""
        blocks = iter(stage)
        for stored in self._store.blocks(stage.indices):
            block = next(block for block in blocks if block.index == stored.index)
            if block.address != stored.address:
                self._wrong([wrong_block(block, f"it is stored as {stored.address}")])
            elif self._stamps.key(block) != stored.key:
                self._wrong([wrong_block(block, "its key is of other rules or bots than the run's")])
            elif self._stamps.seats(block) != stored.seats:
                self._wrong([wrong_block(block, "its bots do not sit as in the schedule")])
            else:
                records = min(self._records, len(block.seatings))
                self._records -= records
                yield Task(block, stored, records)

    def _take(self, found: ReplayedBlock) -> None:
        verdict = self._verdict
        verdict.blocks += 1
        verdict.matches += found.matches
        verdict.deals += found.deals
        verdict.actions += found.actions
        self._wrong(found.wrong)
        self._replays.compare(found.records)

    def _wrong(self, found: list[Problem]) -> None:
        if found:
            self._verdict.wrong += found
            self._replays.give_up()


class _Replays:
    """A run's file of replays, read beside the matches that are played again."""

    def __init__(self, run: Run) -> None:
        self._name = run.folder.replays.name
        self._lines = read_lines(str(run.folder.path))
        self._number = 0
        self._wrong: list[Problem] = []
        self._gave_up = False

    def compare(self, hashes: Iterable[bytes]) -> None:
        """Reads the next lines, which should have these hashes; the first thing wrong ends it."""
        for due in hashes:
            if self._gave_up:
                return
            line = self._next()
            if line is None:
                self._say(f"it ends after {self._number} matches, the store has more")
            elif record_hash(line.removesuffix(b"\n")) != due:
                self._say("it is not the record of this match")

    def give_up(self) -> None:
        """Compares no more, as the store does not say what is right; the file has to be whole still."""
        self._gave_up = True

    def finish(self) -> list[Problem]:
        """Reads the file to its end, and says what was wrong with it."""
        compared = not self._gave_up
        while not self._wrong and self._next() is not None:
            if compared:
                self._say("the store has no match for it")
        return self._wrong

    def _next(self) -> bytes | None:
        try:
            line = next(self._lines, None)
        except (ArenaError, OSError) as error:
            self._say(str(error))
            return None
        self._number += line is not None
        return line

    def _say(self, what: str) -> None:
        if not self._wrong:
            self._wrong = [Problem(file=self._name, what=what, line=self._number or None)]
        self._gave_up = True


def _differences(path: Path, pieces: Iterable[bytes]) -> list[Problem]:
    """The first thing in which a file is not what these pieces make."""
    line = 1
    try:
        with path.open("rb") as file:
            for piece in pieces:
                found = file.read(len(piece))
                if found != piece:
                    return [_difference(path, line, piece, found)]
                line += piece.count(b"\n")
            if file.read(1):
                return [Problem(file=path.name, what="it goes on where it should end", line=line)]
    except OSError as error:
        return [Problem(file=path.name, what=f"it cannot be read: {error.strerror}")]
    return []


def _difference(path: Path, line: int, due: bytes, found: bytes) -> Problem:
    same = next((place for place, (a, b) in enumerate(zip(due, found, strict=False)) if a != b), len(found))
    if same == len(found):
        return Problem(file=path.name, what="it ends too soon", line=line + found.count(b"\n"))
    return Problem(file=path.name, what="it is not what the store gives", line=line + due[:same].count(b"\n"))


def _chunks(tasks: Iterator[Task]) -> Iterator[list[Task]]:
    while chunk := list(islice(tasks, CHUNK)):
        yield chunk
