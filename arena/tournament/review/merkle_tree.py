"""A Merkle tree over the blocks of a run, each of which is a Merkle tree over its matches.

SHA-256 everywhere, with another first byte for each kind of hash, so that none can stand for another kind:
0 for the record of a match, 1 for two nodes, 2 for a block.

Source: RFC 9162, section 2.1, for the trees and their paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

RECORD: Final = b"\x00"
NODE: Final = b"\x01"
BLOCK: Final = b"\x02"


def hash_record(record: bytes) -> bytes:
    """Return the hash of a match's record, a line of JSON without its end."""
    return sha256(RECORD + record).digest()


def hash_block(matches: Sequence[bytes]) -> bytes:
    """Return the hash of a block from those of its matches, in the order of their rotations."""
    return sha256(BLOCK + tree_root(matches)).digest()


def tree_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root of the tree over hashes; with none, the hash of nothing."""
    if len(hashes) <= 1:
        return hashes[0] if hashes else sha256().digest()
    split = _split(len(hashes))
    return _join(tree_root(hashes[:split]), tree_root(hashes[split:]))


def tree_path(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes that lead from one of `hashes` to their root, from the bottom to the top."""
    if len(hashes) <= 1:
        return []
    split = _split(len(hashes))
    left, right = hashes[:split], hashes[split:]
    if index < split:
        return [*tree_path(left, index), tree_root(right)]
    return [*tree_path(right, index - split), tree_root(left)]


def follow_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Return the root that a path leads to.

    Args:
        leaf: The hash that the path begins with.
        index: Its place among those of the tree.
        size: Number of hashes in the tree.
        path: As `tree_path` returns it.

    Raises:
        ValueError: For a path that belongs to no such place.
    """
    if not 0 <= index < size or (size == 1) != (not path):
        raise ValueError(f"a path of {len(path)} hashes does not lead from place {index} of {size}")
    if size == 1:
        return leaf
    split = _split(size)
    if index < split:
        return _join(follow_path(leaf, index, split, path[:-1]), path[-1])
    return _join(path[-1], follow_path(leaf, index - split, size - split, path[:-1]))


def _split(size: int) -> int:
    """Return the largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def _join(left: bytes, right: bytes) -> bytes:
    return sha256(NODE + left + right).digest()
