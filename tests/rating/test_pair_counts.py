"""Counts of who came before whom, and the groups of bots that compare."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from arena.rating.pair_counts import (
    FloatArray,
    PairCounter,
    count_pairs,
    find_comparable_groups,
    find_connected_groups,
    is_reachable,
)
from tests.rating.conftest import World, block_scores

Matches = list[tuple[int, tuple[int, ...], tuple[int, ...]]]

THREE = ("ann", "bob", "cid")


def test_every_pair_of_seats_is_a_point_to_share() -> None:
    points = count_pairs(THREE, 3, [(0, (2, 0, 1), (1, 2, 2))]).points()
    assert points.tolist() == [[0, 0.5, 0], [0.5, 0, 0], [1, 1, 0]]


def test_a_bots_pairs_weigh_one_match_together() -> None:
    for seats in (2, 3, 6):
        sums = count_pairs([str(bot) for bot in range(6)], seats, [(0, range(seats), range(1, seats + 1))])
        points = sums.points()
        assert ((points + points.T)[0].sum() * sums.weight) == pytest.approx(1)


def test_a_bot_does_not_meet_itself() -> None:
    sums = count_pairs(THREE, 4, [(0, (0, 1, 0, 1), (1, 2, 3, 4)), (0, (0, 0, 0, 0), (1, 2, 3, 4))])
    assert sums.points()[:2, :2].tolist() == [[0, 3], [1, 0]]
    assert sums.matches == (2, 1, 0)


def test_scores_are_by_cluster_and_seen_from_either_side() -> None:
    matches: Matches = [(7, (0, 1), (1, 2)), (3, (1, 0), (1, 1)), (7, (1, 0), (1, 2)), (5, (1, 2), (1, 2))]
    sums = count_pairs(THREE, 2, matches)
    assert block_scores(sums, 0, 1).tolist() == [0.5, 0.5]
    assert block_scores(sums, 1, 2).tolist() == [1]
    assert block_scores(sums, 2, 1).tolist() == [0]
    assert block_scores(sums, 0, 2).tolist() == []


def test_rows_come_in_whole_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.rating.pair_counts.ROWS_PER_CHUNK", 4)
    sums = count_pairs(THREE, 3, [(cluster, (0, 1, 2), (1, 2, 3)) for cluster in (4, 1, 9, 6)])
    parts = [part.cluster.tolist() for part in sums.chunks()]
    assert parts == [[1, 1, 1, 4, 4, 4], [6, 6, 6, 9, 9, 9]]


def test_neither_order_nor_chunks_leave_a_trace(rng: np.random.Generator) -> None:
    clusters, bots, placings = World(np.linspace(-1, 1, 9)).play(rng, 200)
    names = [str(bot) for bot in range(9)]
    whole, pieces = PairCounter(names, 4), PairCounter(names, 4)
    whole.add(clusters, bots, placings)
    for part in np.array_split(rng.permutation(len(clusters)), 7):
        pieces.add(clusters[part], bots[part], placings[part])
        pieces.counts()  # looking in between changes nothing either
    for first, other in zip(whole.counts().chunks(), pieces.counts().chunks(), strict=True):
        assert all(np.array_equal(left, right) for left, right in zip(first, other, strict=True))
    assert whole.counts().matches == pieces.counts().matches


def test_a_stream_of_matches_is_counted_like_arrays(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rating.pair_counts.MATCHES_PER_CHUNK", 11)
    clusters, bots, placings = World(np.zeros(5)).play(rng, 20)
    stream = ((int(c), tuple(b), tuple(p)) for c, b, p in zip(clusters, bots, placings, strict=True))
    counter = PairCounter("abcde", 4)
    counter.add(clusters, bots, placings)
    assert np.array_equal(count_pairs("abcde", 4, stream).points(), counter.counts().points())


def test_no_match_is_no_point() -> None:
    sums = count_pairs(THREE, 4, [])
    assert not sums.points().any()
    assert sums.matches == (0, 0, 0)


@pytest.mark.parametrize(
    ("cluster", "bots", "placings", "what"),
    [
        ([0], [[0, 3]], [[1, 2]], "bots are numbered from 0 to 2"),
        ([0], [[-1, 1]], [[1, 2]], "bots are numbered"),
        ([-1], [[0, 1]], [[1, 2]], "clusters are numbered from 0"),
        ([2**62], [[0, 1]], [[1, 2]], "clusters are numbered from 0"),
        ([0], [[0, 1, 2]], [[1, 2, 3]], r"must both be \(1, 2\)"),
        ([0, 1], [[0, 1]], [[1, 2]], r"must both be \(2, 2\)"),
    ],
)
def test_what_does_not_fit_is_refused(cluster: Any, bots: Any, placings: Any, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        PairCounter(THREE, 2).add(cluster, bots, placings)


def test_a_field_needs_bots_of_different_names_and_a_table_two_seats() -> None:
    with pytest.raises(ValueError, match="different names: ann, ann"):
        PairCounter(("ann", "ann"), 2)
    with pytest.raises(ValueError, match="at least two seats, not 1"):
        PairCounter(THREE, 1)
    with pytest.raises(ValueError, match="at least one bot"):
        PairCounter((), 2)


def test_a_row_takes_five_bytes_and_pieces_are_not_joined_unless_they_share_clusters() -> None:
    counter = PairCounter([str(bot) for bot in range(5)], 4)
    for start in (2000, 0, 1000):
        clusters = np.arange(start, start + 1000).repeat(4)
        counter.add(clusters, np.tile([0, 1, 2, 4], (4000, 1)), np.tile([1, 2, 3, 4], (4000, 1)))
    pieces = counter.counts()._pieces
    assert [piece.start for piece in pieces] == [0, 1000, 2000]
    columns = [column for piece in pieces for column in piece[2:]]
    assert (
        sum(column.nbytes for column in columns)
        == 5 * sum(len(piece.clusters) for piece in pieces)
        == 5 * 18_000
    )
    counter.add([1999], [[0, 1, 2, 3]], [[1, 2, 3, 4]])
    assert [(piece.start, piece.stop) for piece in counter.counts()._pieces] == [
        (0, 1000),
        (1000, 2000),
        (2000, 3000),
    ]
    assert counter.counts().matches == (12_001, 12_001, 12_001, 1, 12_000)


def taken(size: int, *pairs: tuple[int, int]) -> FloatArray:
    """Points where each first bot of a pair took one from the second."""
    points = np.zeros((size, size))
    for winner, loser in pairs:
        points[winner, loser] = 1
    return points


def test_a_cycle_of_wins_is_one_group() -> None:
    assert find_comparable_groups(taken(4, (0, 1), (1, 2), (2, 3), (3, 0))) == ((0, 1, 2, 3),)


def test_an_unbeaten_bot_is_its_own_group() -> None:
    points = taken(3, (0, 1), (1, 0), (2, 0), (2, 1))
    assert find_comparable_groups(points) == ((0, 1), (2,))
    assert find_connected_groups(points) == ((0, 1, 2),)


def test_a_tie_connects_a_field() -> None:
    points = taken(3, (0, 1), (1, 2))
    points[0, 2] = points[2, 0] = 0.5
    assert find_comparable_groups(points) == ((0, 1, 2),)


def test_bots_that_never_met_are_groups_the_largest_first() -> None:
    points = taken(6, (0, 4), (1, 2), (2, 5))
    assert find_connected_groups(points) == ((1, 2, 5), (0, 4), (3,))


@pytest.mark.parametrize("seed", range(20))
def test_groups_equal_the_transitive_closure(seed: int) -> None:
    points = np.random.default_rng(seed).random((9, 9)) < 0.14
    reach = points | np.eye(9, dtype=np.bool_)
    for _ in range(4):
        reach = reach @ reach
    mutual = {tuple(np.flatnonzero(row).tolist()) for row in reach & reach.T}
    assert set(find_comparable_groups(points.astype(np.float64))) == mutual


def test_a_long_chain_and_a_large_field_are_no_deeper_than_they_are_wide() -> None:
    chain = np.eye(2000, k=1)
    assert len(find_comparable_groups(chain)) == 2000
    assert find_connected_groups(chain) == (tuple(range(2000)),)
    assert is_reachable(chain > 0, 3, 1999)
    assert not is_reachable(chain > 0, 1999, 3)


def test_rating_a_field_imports_none_of_scipys_graphs() -> None:
    code = (
        "import sys; from arena.rating.pair_counts import count_pairs; "
        "from arena.rating.elo_fit import fit_elo; "
        "fit_elo(count_pairs('ab', 2, [(block, (0, 1), (1, 2 - block % 2)) for block in range(9)])); "
        "print(*(name for name in sys.modules if name.startswith('scipy.sparse')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b""
