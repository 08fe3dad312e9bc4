"""The Merkle tree of a seal: roots, paths, and what does not lead to a root."""

from hashlib import sha256

import pytest

from arena.tournament.review.seal import follow_path, hash_block, hash_record, tree_path, tree_root

HASHES = [sha256(bytes([number])).digest() for number in range(9)]


def test_the_root_is_that_of_rfc_9162() -> None:
    def join(left: bytes, right: bytes) -> bytes:
        return sha256(b"\x01" + left + right).digest()

    a, b, c, d, e, f, g = HASHES[:7]
    assert tree_root([a, b, c]) == join(join(a, b), c)
    assert tree_root(HASHES[:7]) == join(join(join(a, b), join(c, d)), join(join(e, f), g))
    assert tree_root([]) == sha256(b"").digest()


@pytest.mark.parametrize("size", range(1, 10))
def test_every_path_leads_to_the_root_from_its_own_place_only(size: int) -> None:
    root = tree_root(HASHES[:size])
    for index in range(size):
        path = tree_path(HASHES[:size], index)
        assert follow_path(HASHES[index], index, size, path) == root
        for other in set(range(size)) - {index}:
            try:
                assert follow_path(HASHES[index], other, size, path) != root
            except (ValueError, IndexError):
                continue


@pytest.mark.parametrize(("index", "size", "path"), [(0, 1, HASHES[:1]), (0, 2, []), (2, 2, HASHES[:1])])
def test_a_path_of_no_place_is_refused(index: int, size: int, path: list[bytes]) -> None:
    with pytest.raises(ValueError, match="does not lead from place"):
        follow_path(HASHES[0], index, size, path)


def test_hashes_of_different_kinds_differ() -> None:
    data = HASHES[0] + HASHES[1]
    assert len({hash_record(data), tree_root(HASHES[:2]), hash_block([data]), sha256(data).digest()}) == 4
