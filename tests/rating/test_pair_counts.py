"""Counting who came before whom."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena.rating.pair_counts import PairCounter, count_pairs
from tests.rating.block_scores import block_scores

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


def test_neither_order_nor_chunks_leave_a_trace(world: Callable[..., Any], rng: np.random.Generator) -> None:
    clusters, bots, placings = world(np.linspace(-1, 1, 9)).play(rng, 200)
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
    world: Callable[..., Any], rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rating.pair_counts.MATCHES_PER_CHUNK", 11)
    clusters, bots, placings = world(np.zeros(5)).play(rng, 20)
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
