"""The Merkle tree of a seal: roots of trees and of blocks."""

from hashlib import sha256

from arena.tournament.review.seal import hash_block, hash_record, tree_root

HASHES = [sha256(bytes([number])).digest() for number in range(9)]


def test_the_root_is_that_of_rfc_9162() -> None:
    def join(left: bytes, right: bytes) -> bytes:
        return sha256(b"\x01" + left + right).digest()

    a, b, c, d, e, f, g = HASHES[:7]
    assert tree_root([a, b, c]) == join(join(a, b), c)
    assert tree_root(HASHES[:7]) == join(join(join(a, b), join(c, d)), join(join(e, f), g))
    assert tree_root([]) == sha256(b"").digest()


def test_hashes_of_different_kinds_differ() -> None:
    data = HASHES[0] + HASHES[1]
    assert len({hash_record(data), tree_root(HASHES[:2]), hash_block([data]), sha256(data).digest()}) == 4
