"""A run verified: what it stored is replayed and compared, and some of it played again.

`verify` compares the replays, of all blocks or of a sample, with the schedule and the files of the run.
`play_blocks_again` compares blocks that the bots play a second time.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from heapq import nsmallest
from itertools import count, islice
from math import ceil
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec

from arena.errors import ArenaError, RecordError, StoreError
from arena.games import Match
from arena.play.faults import FaultKind
from arena.play.records.action_codec import count_actions
from arena.play.referee import raise_gc_threshold
from arena.tournament.engine.block_player import BlockPlayer, RunPlan, get_block_player
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.workers import Workers
from arena.tournament.files import RunFolder
from arena.tournament.formats import Stage
from arena.tournament.record_search import read_lines
from arena.tournament.run import Run, StagePart
from arena.tournament.schedule import Block, sample_key
from arena.tournament.store.codec import UNSOUND, MatchResult, PackedBlock, unpack
from arena.tournament.store.database import DATABASE, check_regular, is_being_written
from arena.tournament.store.metadata import version_differences
from arena.tournament.store.store import EVERY, BlockKeys, Store

# --- block replay ---
# Stored blocks are replayed through the rule book, in workers.

FAULT_KINDS: Final = get_args(FaultKind)
CHUNK_BLOCKS: Final = 128
"""Blocks sent to a worker at a time: some tenth of a second."""
OnChecked = Callable[[int, int], None]


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem found in a run's folder."""

    file: str
    what: str
    index: int | None = None
    """Index of the block."""
    block: str = ""
    """Address of the block."""
    rotation: int | None = None
    """Rotation of the match."""
    line: int | None = None
    """Line of the file, from 1."""


class Task(msgspec.Struct, frozen=True):
    """A stored block, the block in the schedule, and how many records to hash."""

    block: Block
    stored: PackedBlock
    records: int
    is_replayed: bool = True
    """True if its matches are replayed; else only its bytes and their form are checked."""


class ReplayedBlock(msgspec.Struct):
    """The result of replaying a block, and its problems."""

    matches: int = 0
    deals: int = 0
    actions: int = 0
    not_replayed: int = 0
    """Matches of a block that was not to be replayed."""
    records: list[bytes | None] = []
    """Hashes of the records asked for, None for a match not replayed; fewer if there is a problem."""
    wrong: list[Problem] = []


def replay_blocks(plan: bytes, tasks: Sequence[Task]) -> list[ReplayedBlock]:
    """Replay blocks of a plan, in their order."""
    player = get_block_player(plan)
    with raise_gc_threshold():
        return [_replay_block(player, task) for task in tasks]


def replay_all(
    plan: RunPlan, tasks: Iterator[Task], workers: Workers, on_checked: OnChecked
) -> Iterator[ReplayedBlock]:
    """Have workers replay blocks of a plan, and yield the results in their order."""
    chunks = iter(lambda: list(islice(tasks, CHUNK_BLOCKS)), [])
    for chunk in workers.map(partial(replay_blocks, msgspec.msgpack.encode(plan)), chunks):
        yield from chunk
        on_checked(len(chunk), sum(replayed.matches + replayed.not_replayed for replayed in chunk))


def _record_hash(record: bytes) -> bytes:
    return blake2b(record, digest_size=16).digest()


def _replay_block(player: BlockPlayer, task: Task) -> ReplayedBlock:
    block, stored, replayed = task.block, task.stored, ReplayedBlock()
    try:
        matches = unpack(stored).matches
    except ArenaError as error:
        replayed.wrong.append(_block_problem(block, str(error)))
        return replayed
    if not stored.is_sound:
        replayed.wrong.append(_block_problem(block, UNSOUND))
    if len(matches) != len(block.seatings):
        what = f"it has {len(matches)} matches, by the schedule it has {len(block.seatings)}"
        replayed.wrong.append(_block_problem(block, what))
        return replayed
    if not task.is_replayed:
        replayed.not_replayed = len(matches)
        replayed.records = [None] * task.records
        return replayed
    for rotation, result in enumerate(matches):
        try:
            match = player.replay_match(block, result)
        except ArenaError as error:
            replayed.wrong.append(_block_problem(block, str(error), rotation))
            continue
        replayed.matches += 1
        replayed.deals += len(match.finished_deals)
        replayed.actions += count_actions(match)
        replayed.wrong += [
            _block_problem(block, what, rotation) for what in _match_differences(result, match)
        ]
        if rotation < task.records and not replayed.wrong:
            record = player.record(block, rotation, result, match)
            replayed.records.append(_record_hash(msgspec.json.encode(record)))
    return replayed


def _block_problem(block: Block, what: str, rotation: int | None = None) -> Problem:
    return Problem(file=DATABASE, what=what, index=block.index, block=block.address, rotation=rotation)


def _match_differences(result: MatchResult, match: Match) -> Iterator[str]:
    """Yield the differences between a stored result and the replayed match."""
    if result.placings != match.placings:
        yield f"the placings are {list(match.placings)}, not {list(result.placings)}"
    if result.payoffs != match.payoffs:
        yield f"the payoffs are {list(match.payoffs)}, not {list(result.payoffs)}"
    for seat, kind, deal in result.faults:
        if (
            seat not in range(match.players)
            or deal not in range(len(match.finished_deals))
            or kind not in FAULT_KINDS
        ):
            yield f"there is no fault {kind!r} of seat {seat} in deal {deal}"


# --- block sample ---
# Nobody can foresee a sample, and anybody can draw it again from its seed.

SHARES: Final = (0.01, 0.05, 0.2)
"""Shares of forged blocks for which the chance to find one is printed."""
SEED_BYTES: Final = 8
Purpose = Literal["replay", "play-again"]


class BlockSample(msgspec.Struct, frozen=True):
    """Blocks drawn from those of a run."""

    seed: str
    """Draws the same blocks again from the same run."""
    blocks: tuple[int, ...]
    """Indices of the blocks in the schedule, ascending."""
    population: int
    """Number of the blocks that they were drawn from."""

    def detection(self, share: float) -> float:
        """Return the probability that the sample has one of the forged blocks.

        Args:
            share: Share of the blocks that are forged, rounded up to whole blocks.

        Source: hypergeometric distribution, 1 - C(N - K, n) / C(N, n).
        """
        forged = ceil(share * self.population)
        missed = 1.0
        for drawn in range(len(self.blocks)):
            missed *= max(self.population - forged - drawn, 0) / (self.population - drawn)
        return 1.0 - missed


def draw_sample(indices: Iterable[int], number: int, seed: str | None, purpose: Purpose) -> BlockSample:
    """Draw blocks at random.

    Args:
        indices: Indices of the blocks to draw from.
        number: How many to draw; all, if there are fewer.
        seed: Seed of an earlier sample, to draw its blocks again; None draws one with the system's
            randomness, so that who made the run could not know which blocks are drawn.
        purpose: Samples of one seed for different purposes are independent.
    """
    drawn = seed or secrets.token_hex(SEED_BYTES)
    passed = count()
    each = (index for index, _ in zip(indices, passed, strict=False))  # a large run has millions: none kept
    chosen = nsmallest(number, each, key=lambda index: sample_key(drawn, purpose, index))
    return BlockSample(drawn, tuple(sorted(chosen)), next(passed))


# --- comparison ---


class Verification(msgspec.Struct):
    """The checks made of a run, and the problems found."""

    blocks: int = 0
    missing: int = 0
    """Blocks that are decided and not played yet."""
    matches: int = 0
    """Replayed."""
    not_replayed: int = 0
    """Matches that were not replayed, as only a sample was."""
    deals: int = 0
    actions: int = 0
    playing: bool = False
    """True if the run is being played now: its files, written at its end, are then not compared."""
    files: int = 0
    """Files compared with the store."""
    played_again: int = 0
    """Blocks played again by the bots."""
    replay_sample: BlockSample | None = None
    """Blocks that were replayed; None for all."""
    play_again_sample: BlockSample | None = None
    """Blocks that the bots were to play again; None if none."""
    sealed_root: str = ""
    """Root of the seal that was checked; empty if none was."""
    signed_by: str = ""
    """Fingerprint of the key that signed the seal."""
    is_signer_known: bool = False
    """True if that is the key asked for."""
    wrong: list[Problem] = []
    notes: list[str] = []
    """Version differences that may explain the problems."""


def verify(
    run: Run,
    workers: Workers,
    on_checked: OnChecked = lambda blocks, matches: None,
    sample: int | None = None,
    sample_seed: str | None = None,
    commitment: str | None = None,
) -> Verification:
    """Replay a run and compare it with its folder.

    Args:
        run: The run.
        workers: Replay its matches.
        on_checked: Is called with the numbers of blocks and matches as they are checked.
        sample: The number of blocks that are replayed; all without one. Of others all is checked but the
            rules.
        sample_seed: Draws the sample, as `draw_sample` does.
        commitment: Commitment to the run's seed, as it was published before the run; None for any.
    """
    verdict, replays = (
        Verification(notes=list(version_differences(run.metadata, run.config))),
        _RecordFileChecker(run),
    )
    verdict.wrong += _seed_problems(run, commitment)
    if is_being_written(run.folder.path):
        verdict.playing = True
        replays.give_up()
    with run.open_store() as store:
        try:
            verdict.wrong += [Problem(file=DATABASE, what=flaw) for flaw in store.find_corruption()]
            if sample is not None:
                verdict.replay_sample = draw_sample(store.indices(), sample, sample_seed, "replay")
            _BlockChecker(run, store, workers, verdict, replays, on_checked).check_all()
        except StoreError as error:
            verdict.wrong.append(Problem(file=DATABASE, what=str(error)))
            replays.give_up()
    if verdict.playing:
        return verdict
    for problem in replays.finish():
        lacking = f"; the store lacks blocks that were due ({verdict.missing})" if verdict.missing else ""
        verdict.wrong.append(msgspec.structs.replace(problem, what=f"{problem.what}{lacking}"))
    verdict.files += 1
    if all(wrong.file != DATABASE for wrong in verdict.wrong):  # else its files cannot be right
        for path, pieces in run.tables(workers):
            verdict.wrong += _file_differences(path, pieces)
            verdict.files += 1
    return verdict


def _seed_problems(run: Run, commitment: str | None) -> list[Problem]:
    """Return a problem if the run's seed is not the one that was committed to."""
    committed = run.committed_seed
    if committed and committed.seed != run.seed:
        return [Problem(file=DATABASE, what="its seed is not the hash of the secret committed to")]
    if commitment is not None and (committed is None or committed.commitment != commitment.lower()):
        there = f"committed to as {committed.commitment}" if committed else "no seed that was committed to"
        return [Problem(file=DATABASE, what=f"its seed is {there}, not as {commitment}")]
    return []


class _BlockChecker:
    """Check the blocks of a run, stage by stage."""

    def __init__(
        self,
        run: Run,
        store: Store,
        workers: Workers,
        verdict: Verification,
        replays: _RecordFileChecker,
        on_checked: OnChecked,
    ) -> None:
        self._run, self._store, self._workers = run, store, workers
        self._verdict, self._replays, self._on_checked = verdict, replays, on_checked
        self._keys = BlockKeys(run.config, run.metadata)
        self._records = run.config.replays
        """Records still to be compared."""
        sample = verdict.replay_sample
        self._sample = None if sample is None else frozenset(sample.blocks)
        self._is_doubtful = False
        """True if blocks before the stage have problems."""
        self._unchecked = 0

    def check_all(self) -> None:
        """Check the blocks of all stages.

        Results decide stages: after a problem a block that is not in its place may be in that of the true
        results, and is only counted.
        """
        end = 0
        try:
            for stage in self._stages():
                self._is_doubtful = bool(self._verdict.wrong)
                self._check(stage)
                end = stage.indices.stop
        except StoreError:
            if not self._verdict.wrong:
                raise
        rest = range(end, EVERY.stop)
        if not self._verdict.wrong:
            beyond = "it is not in the schedule, which ends before it or has not decided it yet"
            gap = f"it is stored, but blocks before it are missing ({self._verdict.missing})"
            for stored in self._store.read(rest, is_checked=False):
                is_due = self._verdict.missing and stored.index < (self._run.stages.format.total or 0)
                what = gap if is_due else beyond
                self._verdict.wrong.append(
                    Problem(file=DATABASE, what=what, index=stored.index, block=stored.address)
                )
        elif unchecked := self._unchecked + self._store.count(rest):
            what = f"{unchecked} later blocks were not checked, because these decide them"
            self._verdict.wrong.append(Problem(file=DATABASE, what=what))

    def _stages(self) -> Iterator[Stage]:
        """Yield the decided stages; after a damaged block the rest of a schedule that no results decide."""
        end = 0
        try:
            for stage in self._run.parts(self._store):
                yield stage
                end = stage.indices.stop
        except StoreError:
            if self._run.stages.format.is_adaptive or not self._verdict.wrong:
                raise
            whole = next(self._run.stages.decided(self._store))
            if rest := range(end, whole.indices.stop):
                yield StagePart(whole, rest, ())

    def _check(self, stage: Stage) -> None:
        for replayed in replay_all(self._run.plan(), self._tasks(stage), self._workers, self._on_checked):
            self._take(replayed)
        planned = self._run.shard.count(stage.indices)
        self._verdict.missing += max(0, planned - self._store.count(stage.indices))

    def _tasks(self, stage: Stage) -> Iterator[Task]:
        """Yield the stored blocks of a stage that agree with the schedule."""
        blocks = iter(stage)
        for stored in self._store.read(stage.indices, is_checked=False):
            is_replayed = self._sample is None or stored.index in self._sample
            block = next(block for block in blocks if block.index == stored.index)
            if block.address != stored.address and self._is_doubtful:
                self._unchecked += 1
            elif block.address != stored.address:
                self._add([_block_problem(block, f"it is stored as {stored.address}")])
            elif self._keys.key(block) != stored.key:
                self._add([_block_problem(block, "its key belongs to other rules or bots than the run's")])
            elif self._keys.seats(block) != stored.seats:
                self._add([_block_problem(block, "its seating is not that of the schedule")])
            else:
                records = min(self._records, len(block.seatings))
                self._records -= records
                yield Task(block, stored, records, is_replayed)

    def _take(self, replayed: ReplayedBlock) -> None:
        verdict = self._verdict
        verdict.blocks += 1
        verdict.matches += replayed.matches
        verdict.not_replayed += replayed.not_replayed
        verdict.deals += replayed.deals
        verdict.actions += replayed.actions
        self._add(replayed.wrong)
        self._replays.compare(replayed.records)

    def _add(self, problems: list[Problem]) -> None:
        if problems:
            self._verdict.wrong += problems
            self._replays.give_up()


class _RecordFileChecker:
    """Compare a run's file of replays with the matches replayed."""

    def __init__(self, run: Run) -> None:
        self._name = run.folder.replays.name
        self._lines = read_lines(str(run.folder.path))
        self._number = 0
        self._wrong: list[Problem] = []
        self._gave_up = False

    def compare(self, hashes: Iterable[bytes | None]) -> None:
        """Compare the next lines with these hashes, where they are known; stop at the first problem."""
        for due in hashes:
            if self._gave_up:
                return
            line = self._next()
            if line is None:
                self._fail(f"it ends after {self._number} matches, the store has more")
            elif due is not None and _record_hash(line.removesuffix(b"\n")) != due:
                self._fail("it is not the record of this match")

    def give_up(self) -> None:
        """Stop comparing, as the store is not reliable; the file must still be readable."""
        self._gave_up = True

    def finish(self) -> list[Problem]:
        compared = not self._gave_up
        while not self._wrong and self._next() is not None:
            if compared:
                self._fail("the store has no match for this line")
        return self._wrong

    def _next(self) -> bytes | None:
        try:
            line = next(self._lines, None)
        except (ArenaError, OSError) as error:
            self._fail(str(error))
            return None
        self._number += line is not None
        return line

    def _fail(self, what: str) -> None:
        if not self._wrong:
            self._wrong = [Problem(file=self._name, what=what, line=self._number or None)]
        self._gave_up = True


def _file_differences(path: Path, pieces: Iterable[bytes]) -> list[Problem]:
    """Return the first difference between a file and its expected pieces."""
    line = 1
    try:
        check_regular(path)
        with path.open("rb") as file:
            for piece in pieces:
                piece_read = file.read(len(piece))
                if piece_read != piece:
                    return [_difference(path, line, piece, piece_read)]
                line += piece.count(b"\n")
            if file.read(1):
                return [Problem(file=path.name, what="it is longer than expected", line=line)]
    except (StoreError, OSError) as error:
        reason = str(error) if isinstance(error, StoreError) else error.strerror
        return [Problem(file=path.name, what=f"it cannot be read: {reason}")]
    return []


def _difference(path: Path, line: int, due: bytes, written: bytes) -> Problem:
    same = next(
        (place for place, (a, b) in enumerate(zip(due, written, strict=False)) if a != b), len(written)
    )
    if same == len(written):
        return Problem(file=path.name, what="it ends too soon", line=line + written.count(b"\n"))
    return Problem(file=path.name, what="it differs from the store", line=line + due[:same].count(b"\n"))


def check_replay_count(path: Path, matches: int) -> None:
    """Compare how many replays there are in a path with how many its run has, if it is a run's folder."""
    folder = RunFolder(path)
    if folder.database.exists() and (due := Run.open(path).count_replays()) != matches:
        raise RecordError(f"{folder.replays} holds {matches} matches, the run has {due} for it")


# --- reproducibility check ---
# Blocks of a run, played again by its bots, must give the stored bytes.

OnPlayed = Callable[[int, int], None]


def play_blocks_again(
    run: Run,
    indices: Sequence[int],
    options: RunOptions,
    on_played: OnPlayed = lambda blocks, matches: None,
) -> list[Problem]:
    """Play some blocks of a run again, and return those that came out otherwise.

    A bot that depends on a clock, or on randomness of its own, plays otherwise each time.

    Args:
        run: The run, whose stored blocks are sound.
        indices: Indices of the blocks to play, which are stored.
        options: Options of the workers.
        on_played: Is called with the numbers of blocks and matches as they are played.
    """
    run.refuse_changes()
    sample = _read_blocks(run, frozenset(indices))
    problems: list[Problem] = []
    with run.engine(options) as engine:
        again = engine.play_again([block for block, _ in sample])
        for (block, stored), played in zip(sample, again, strict=True):
            problems += _block_differences(block, stored, played)
            on_played(1, len(block.seatings))
    return problems


def choose_blocks(run: Run, number: int, seed: str | None = None) -> BlockSample:
    """Draw some of the stored blocks of a run, or all; `seed` is that of an earlier sample."""
    with run.open_store() as store:
        return draw_sample(store.indices(), number, seed, "play-again")


def _read_blocks(run: Run, chosen: frozenset[int]) -> list[tuple[Block, PackedBlock]]:
    """Return blocks of the schedule with what is stored of them, in order."""
    with run.open_store() as store:
        blocks = [block for stage in run.parts(store) for block in stage if block.index in chosen]
        return [
            (block, next(store.read(range(block.index, block.index + 1), is_checked=False)))
            for block in blocks
        ]


def _block_differences(block: Block, stored: PackedBlock, played: PackedBlock) -> list[Problem]:
    """Return a problem for the first match that differs."""
    if (stored.outcome, stored.actions) == (played.outcome, played.actions):
        return []
    matches = zip(unpack(stored).matches, unpack(played).matches, strict=True)
    rotation = next((place for place, (before, after) in enumerate(matches) if before != after), None)
    return [_block_problem(block, "played again it is another match", rotation)]
