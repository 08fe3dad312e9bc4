"""Notes of bots on their decisions, kept beside the blocks: no result, digest or exported file has them."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from arena.play.players import Note
from arena.tournament.storage import database as db

MAX_NOTED_BLOCKS: Final = 2000
"""Blocks whose notes are kept."""
MAX_UNPACKED_BYTES: Final = 1 << 22
MAX_PACKED_BYTES: Final = 1 << 16
"""Maximum size of the notes of a block, compressed; of a block with more none are kept."""
DECODE: Final = msgspec.msgpack.Decoder(list[list[Note]]).decode


def pack_notes(by_rotation: Sequence[Sequence[Note]]) -> bytes:
    """Return the notes of a block's matches, compressed; empty if there are none, or too many."""
    if not any(by_rotation):
        return b""
    packed = zlib.compress(msgspec.msgpack.encode(by_rotation))
    return packed if len(packed) <= MAX_PACKED_BYTES else b""


def unpack_notes(packed: bytes) -> list[list[Note]]:
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


def read_notes(connection: sqlite3.Connection, address: str, rotation: int) -> list[Note]:
    """Return the notes of a match, by the address of its block; none if none were kept."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'note'").fetchone():
        return []
    query = "SELECT notes FROM note WHERE address = ? AND length(notes) <= ?"
    for [packed] in connection.execute(query, [address, MAX_PACKED_BYTES]):
        by_rotation = unpack_notes(packed) if isinstance(packed, bytes) else []
        return by_rotation[rotation] if rotation < len(by_rotation) else []
    return []
