"""Stored blocks played again through the rule book, in a worker: does what is stored follow from it?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final, get_args

import msgspec

from arena.errors import ArenaError
from arena.games import Match
from arena.play.faults import FaultKind
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import MatchResult, PackedBlock, unpack
from arena.tournament.storage.database import DATABASE
from arena.tournament.workers.block_player import BlockPlayer, get_block_player

FAULT_KINDS: Final = get_args(FaultKind)


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something in a run's folder that is not as it should be."""

    file: str
    what: str
    index: int | None = None
    """Of the block."""
    block: str = ""
    """Its address."""
    rotation: int | None = None
    """Of the match."""
    line: int | None = None
    """Of the file, from 1."""


class Task(msgspec.Struct, frozen=True):
    """A stored block and what the schedule says of it; the records of its first matches may be wanted."""

    block: Block
    stored: PackedBlock
    records: int


class ReplayedBlock(msgspec.Struct):
    """What was played again of a block, and what is wrong with it."""

    matches: int = 0
    deals: int = 0
    actions: int = 0
    records: list[bytes] = []
    """The hashes of the records wanted; fewer, if something is wrong."""
    wrong: list[Problem] = []


def replay_blocks(plan: bytes, tasks: Sequence[Task]) -> list[ReplayedBlock]:
    """Plays blocks of a plan again, in their order."""
    player = get_block_player(plan)
    return [_recheck(player, task) for task in tasks]


def record_hash(record: bytes) -> bytes:
    """What tells one record from another."""
    return blake2b(record, digest_size=16).digest()


def _recheck(player: BlockPlayer, task: Task) -> ReplayedBlock:
    block, stored, found = task.block, task.stored, ReplayedBlock()
    try:
        matches = unpack(stored).matches
    except ArenaError as error:
        found.wrong.append(wrong_block(block, str(error)))
        return found
    if not stored.is_sound:
        found.wrong.append(wrong_block(block, "its bytes are not those that were stored"))
    if len(matches) != len(block.seatings):
        what = f"it has {len(matches)} matches, by the schedule it has {len(block.seatings)}"
        found.wrong.append(wrong_block(block, what))
        return found
    for rotation, told in enumerate(matches):
        try:
            match = player.replay_match(block, told)
        except ArenaError as error:
            found.wrong.append(wrong_block(block, str(error), rotation))
            continue
        found.matches += 1
        found.deals += len(match.finished_deals)
        found.actions += sum(len(deal.action_indices) for deal in match.finished_deals)
        found.wrong += [wrong_block(block, what, rotation) for what in _differences(told, match)]
        if rotation < task.records and not found.wrong:
            record = player.record(block, rotation, told, match)
            found.records.append(record_hash(msgspec.json.encode(record)))
    return found


def wrong_block(block: Block, what: str, rotation: int | None = None) -> Problem:
    """What is wrong with a block in the store."""
    return Problem(file=DATABASE, what=what, index=block.index, block=block.address, rotation=rotation)


def _differences(told: MatchResult, match: Match) -> Iterator[str]:
    """What is told of a match, and is not so."""
    if told.placings != match.placings:
        yield f"the placings are {list(match.placings)}, not {list(told.placings)}"
    if told.payoffs != match.payoffs:
        yield f"the payoffs are {list(match.payoffs)}, not {list(told.payoffs)}"
    for seat, kind, deal in told.faults:
        if (
            seat not in range(match.players)
            or deal not in range(len(match.finished_deals))
            or kind not in FAULT_KINDS
        ):
            yield f"there is no fault {kind!r} of seat {seat} in deal {deal}"
