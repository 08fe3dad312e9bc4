"""Replay of stored blocks through the rule book, in a worker, to verify what is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final, get_args

import msgspec

from arena.errors import ArenaError
from arena.games import Match
from arena.play.faults import FaultKind
from arena.play.records.action_codec import count_actions
from arena.play.referee import raise_gc_threshold
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import UNSOUND, MatchResult, PackedBlock, unpack
from arena.tournament.storage.database import DATABASE
from arena.tournament.workers.block_player import BlockPlayer, get_block_player

FAULT_KINDS: Final = get_args(FaultKind)


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


def record_hash(record: bytes) -> bytes:
    """Return a digest of a record."""
    return blake2b(record, digest_size=16).digest()


def _replay_block(player: BlockPlayer, task: Task) -> ReplayedBlock:
    block, stored, replayed = task.block, task.stored, ReplayedBlock()
    try:
        matches = unpack(stored).matches
    except ArenaError as error:
        replayed.wrong.append(block_problem(block, str(error)))
        return replayed
    if not stored.is_sound:
        replayed.wrong.append(block_problem(block, UNSOUND))
    if len(matches) != len(block.seatings):
        what = f"it has {len(matches)} matches, by the schedule it has {len(block.seatings)}"
        replayed.wrong.append(block_problem(block, what))
        return replayed
    if not task.is_replayed:
        replayed.not_replayed = len(matches)
        replayed.records = [None] * task.records
        return replayed
    for rotation, result in enumerate(matches):
        try:
            match = player.replay_match(block, result)
        except ArenaError as error:
            replayed.wrong.append(block_problem(block, str(error), rotation))
            continue
        replayed.matches += 1
        replayed.deals += len(match.finished_deals)
        replayed.actions += count_actions(match)
        replayed.wrong += [block_problem(block, what, rotation) for what in _match_differences(result, match)]
        if rotation < task.records and not replayed.wrong:
            record = player.record(block, rotation, result, match)
            replayed.records.append(record_hash(msgspec.json.encode(record)))
    return replayed


def block_problem(block: Block, what: str, rotation: int | None = None) -> Problem:
    """Return a problem with a stored block."""
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
