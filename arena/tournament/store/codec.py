"""Results of a played block, packed as they are stored, and the notes kept beside them."""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import repeat
from typing import Final, NamedTuple

import msgspec
import zstandard

from arena.errors import StoreError
from arena.play.players import Note
from arena.tournament.schedule import Block
from arena.tournament.store import database as db

# --- decision notes ---
# Notes of bots on their decisions: no result, digest or exported file has them.

MAX_NOTED_BLOCKS: Final = 2000
"""Blocks whose notes are kept."""
MAX_UNPACKED_BYTES: Final = 1 << 22
MAX_PACKED_BYTES: Final = 1 << 16
"""Maximum size of the notes of a block, compressed; of a block with more none are kept."""
DECODE: Final = msgspec.msgpack.Decoder(list[list[Note]]).decode


def _pack_notes(by_rotation: Sequence[Sequence[Note]]) -> bytes:
    """Return the notes of a block's matches, compressed; empty if there are none, or too many."""
    if not any(by_rotation):
        return b""
    packed = zlib.compress(msgspec.msgpack.encode(by_rotation))
    return packed if len(packed) <= MAX_PACKED_BYTES else b""


def _unpack_notes(packed: bytes) -> list[list[Note]]:
    """Return the notes by rotation; none, if the bytes are damaged."""
    try:
        inflater = zlib.decompressobj()
        data = inflater.decompress(packed, MAX_UNPACKED_BYTES)
        return DECODE(data) if inflater.eof else []
    except (zlib.error, msgspec.MsgspecError, ValueError, RecursionError):
        return []


def add_notes(
    connection: sqlite3.Connection, blocks: Iterable[tuple[int, str, bytes]], *, keeps_latest: bool
) -> None:
    """Add the notes of blocks; the table is created with the first.

    Args:
        connection: The database.
        blocks: Place, address and packed notes of each.
        keeps_latest: True to keep those of the latest blocks, False for those of the first.
    """
    rows = [block for block in blocks if block[2]]
    if not rows:
        return
    connection.execute(db.NOTE_TABLE)
    connection.executemany("INSERT INTO note VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)
    order = "DESC" if keeps_latest else "ASC"
    connection.execute(
        f"DELETE FROM note WHERE place NOT IN (SELECT place FROM note ORDER BY place {order} LIMIT ?)",
        [MAX_NOTED_BLOCKS],
    )


def read_notes(database: db.Database, address: str, rotation: int) -> list[Note]:
    """Return the notes of a match, by the address of its block; none if none were kept."""
    if database.has_table("note"):
        for [packed] in database.select("SELECT notes FROM note WHERE address = ?", (bytes,), (address,)):
            by_rotation = _unpack_notes(packed)
            return by_rotation[rotation] if rotation < len(by_rotation) else []
    return []


# --- block results ---

Faults = tuple[tuple[int, str, int], ...]
"""Seat, kind and number of the deal of each fault in a match."""


class Failure(NamedTuple):
    """A way in which a bot failed."""

    bot: str
    kind: str
    reason: str


class MatchResult(msgspec.Struct, frozen=True):
    """Result of one match."""

    placings: tuple[int, ...]  # by seat
    payoffs: tuple[int, ...]  # by seat
    faults: Faults
    actions: bytes  # coded; with the seed, enough to replay the match
    reasons: tuple[str, ...] = ()  # of the faults; not stored with the block
    seconds: tuple[list[float], ...] = ()  # of the decisions by seat; not stored with the block
    record: bytes = b""  # in JSON, if one was asked for; not stored with the block
    notes: tuple[Note, ...] = ()  # of the bots; not stored with the block


class MachineDelays(msgspec.Struct, frozen=True):
    """Delays caused by the machine to bots in processes of their own; none is charged to a bot."""

    waited_s: float = 0.0  # for a CPU, beyond what the limits allow
    repeats: int = 0  # matches that were begun again

    def __add__(self, other: MachineDelays) -> MachineDelays:
        return MachineDelays(self.waited_s + other.waited_s, self.repeats + other.repeats)

    def __sub__(self, other: MachineDelays) -> MachineDelays:
        return MachineDelays(self.waited_s - other.waited_s, self.repeats - other.repeats)


class BlockResult(msgspec.Struct, frozen=True):
    """Results of a block, one match a rotation."""

    index: int
    matches: tuple[MatchResult, ...]
    delays: MachineDelays = MachineDelays()  # not stored; the last block's are those of all played with it
    is_batched: bool = False  # likewise, see `PlayedChunk`
    records: bytes = b""  # packed, see `unpack_records`; not stored


class PackedBlock(msgspec.Struct, frozen=True):
    """A block's result as it is sent and stored; the outcome can be read without the actions."""

    index: int
    address: str
    outcome: bytes = b""
    actions: bytes = b""
    digest: bytes = b""  # of outcome and actions: SQLite would not notice if they changed
    key: bytes = b""  # identifies the block across runs, see `BlockKeys`
    seats: bytes = b""  # the bots by rotation and seat, so that counting needs no schedule
    records: bytes = b""  # of all its matches, packed; empty if not asked for; not stored
    notes: bytes = b""  # of all its matches, packed; not in the digest, and stored apart

    @property
    def noted(self) -> tuple[int, str, bytes]:
        """Place, address and notes, as they are stored."""
        return self.index, self.address, self.notes

    @property
    def is_sound(self) -> bool:
        """True if outcome and actions are what was packed."""
        return digest(self.outcome, self.actions) == self.digest


class Outcome(NamedTuple):
    """The counts of a block, as stored: arrays over its matches and then over seats."""

    placings: bytes  # of one byte each
    payoffs: bytes  # signed little-endian, of one, two or four bytes each, as few as suffice
    faults: list[Faults]  # by match


OUTCOME: Final = msgspec.msgpack.Decoder(Outcome)
SEAT: Final = "<H"  # a bot's number in the config
PLACING: Final = "<B"
PAYOFF: Final = {1: "<b", 2: "<h", 4: "<i"}  # by its bytes
ACTIONS: Final = msgspec.msgpack.Decoder(list[bytes])

# Actions hardly repeat, so they are Huffman coded only: smaller and faster here than any search for
# repeats. A block has a few kilobytes; zlib's default memory would cost ten times more to clear.
WINDOW_BITS: Final = -12  # negative: no header, no checksum
MEMORY_LEVEL: Final = 6

MAX_INFLATION: Final = 8

RECORDS_LEVEL: Final = 1  # they are held in memory until the run ends
RECORDS_PACKER: Final = zstandard.ZstdCompressor(RECORDS_LEVEL)
RECORDS_UNPACKER: Final = zstandard.ZstdDecompressor()
"""Making these takes longer than packing a block."""

DIGEST_BYTES: Final = 8  # against accidents, not against forgery
UNSOUND: Final = "its digest does not match its bytes"
"""Message about a block that changed after it was packed."""


def pack(address: str, result: BlockResult) -> PackedBlock:
    """Pack a result into a few bytes a deal; the actions of all its matches are compressed together."""
    outcome = msgspec.msgpack.encode(pack_outcome(result.matches))
    actions = msgspec.msgpack.encode([match.actions for match in result.matches])
    deflate = zlib.compressobj(6, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL, zlib.Z_HUFFMAN_ONLY)
    packed = deflate.compress(actions) + deflate.flush()
    records = _pack_records([match.record for match in result.matches])
    return PackedBlock(
        result.index,
        address,
        outcome,
        packed,
        digest(outcome, packed),
        records=records,
        notes=_pack_notes([match.notes for match in result.matches]),
    )


def pack_outcome(matches: Sequence[MatchResult]) -> Outcome:
    """Return the counts of a block from its matches."""
    placings = bytes([placing for match in matches for placing in match.placings])
    payoffs = [payoff for match in matches for payoff in match.payoffs]
    return Outcome(placings, _pack_payoffs(payoffs), [match.faults for match in matches])


def _pack_records(records: Sequence[bytes]) -> bytes:
    return RECORDS_PACKER.compress(b"\n".join(records)) if records and all(records) else b""


def unpack_records(packed: bytes) -> list[bytes]:
    """Return the records of a block's matches, which workers of this run have packed."""
    return RECORDS_UNPACKER.decompress(packed).split(b"\n")


def _pack_payoffs(payoffs: list[int]) -> bytes:
    most = max(max(payoffs, default=0), -1 - min(payoffs, default=0))
    width = 1 if most < 1 << 7 else 2 if most < 1 << 15 else 4
    return struct.pack(f"<{len(payoffs)}{PAYOFF[width][1]}", *payoffs)


def pack_seats(block: Block, number: Mapping[str, int]) -> bytes:
    """Return the bots of a block by rotation and seat, as their numbers."""
    numbers = [number[bot] for seating in block.seatings for bot in seating]
    return struct.pack(f"<{len(numbers)}H", *numbers)


def payoff_width(outcome: Outcome) -> int:
    """Return the bytes of a payoff."""
    width, rest = divmod(len(outcome.payoffs), len(outcome.placings) or 1)
    if rest or width not in PAYOFF:
        raise ValueError(f"{len(outcome.payoffs)} bytes of payoffs for {len(outcome.placings)} placings")
    return width


def digest(outcome: bytes, actions: bytes) -> bytes:
    """Return the digest of a packed block."""
    return blake2b(outcome + actions, digest_size=DIGEST_BYTES).digest()


def unpack(block: PackedBlock) -> BlockResult:
    """Return the whole result."""
    try:
        actions = ACTIONS.decode(_inflate(block.actions))
        matches = unpack_matches(OUTCOME.decode(block.outcome), actions)
    except (zlib.error, struct.error, ValueError) as error:
        raise _damaged(block, error) from error
    return BlockResult(block.index, tuple(matches))


def _inflate(packed: bytes) -> bytes:
    """Decompress actions: Huffman codes leave an eighth at least, so what grows more was not packed here."""
    inflater = zlib.decompressobj(WINDOW_BITS)
    data = inflater.decompress(packed, MAX_INFLATION * len(packed) + 1)
    if not inflater.eof:
        raise ValueError("the actions are cut off, or larger than anything that was packed here")
    return data


def unpack_outcome(block: PackedBlock) -> BlockResult:
    """Return the result without actions, which is cheaper."""
    try:
        matches = unpack_matches(OUTCOME.decode(block.outcome))
    except (struct.error, ValueError) as error:
        raise _damaged(block, error) from error
    return BlockResult(block.index, tuple(matches), records=block.records)


def unpack_matches(outcome: Outcome, actions: Sequence[bytes] | None = None) -> list[MatchResult]:
    """Return the matches of a block, with their actions if given."""
    placings, number = outcome.placings, len(outcome.placings)
    payoffs = struct.unpack(f"<{number}{PAYOFF[payoff_width(outcome)][1]}", outcome.payoffs) if number else ()
    seats, rest = divmod(number, len(outcome.faults) or 1)
    if rest or bool(number) > bool(outcome.faults) or len(actions or outcome.faults) != len(outcome.faults):
        raise ValueError(f"{number} placings of {len(outcome.faults)} matches")
    starts = range(0, number, seats or 1)
    return [
        MatchResult(tuple(placings[start : start + seats]), payoffs[start : start + seats], faults, taken)
        for start, faults, taken in zip(starts, outcome.faults, actions or repeat(b""), strict=False)
    ]


def _damaged(block: PackedBlock, error: Exception) -> StoreError:
    return StoreError(f"block {block.index} ({block.address}) is damaged: {error}")
