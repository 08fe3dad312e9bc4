"""Seatings of two bots that are compared, and the result of a block."""

from collections import Counter
from collections.abc import Sequence

import pytest

from arena.tournament.formats.paired_design import draw_pairs, measure_pairs, measure_substitutes, substitute
from arena.tournament.paired_blocks import Seating, compare_bots, rotate, share_seats
from arena.tournament.store.codec import MatchResult


def seats_of(seatings: Sequence[Seating], bot: str) -> Counter[int]:
    return Counter(seat for seating in seatings for seat, name in enumerate(seating) if name == bot)


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("adjacent", [False, True])
def test_both_bots_have_every_seat_equally_often(players: int, adjacent: bool) -> None:
    seatings = list(share_seats("A", "B", players, adjacent))
    own, other = seats_of(seatings, "A"), seats_of(seatings, "B")
    assert own == other
    assert set(own) == set(range(players))
    assert len(set(own.values())) == 1
    assert {seating.count("A") for seating in seatings} == {players // 2, (players + 1) // 2}


def test_even_tables_are_abab_and_aabb_and_their_complements() -> None:
    assert list(share_seats("A", "B", 4, adjacent=False)) == [tuple("BABA"), tuple("ABAB")]
    assert list(share_seats("A", "B", 4, adjacent=True)) == [tuple("AABB"), tuple("BBAA")]


def test_odd_tables_are_rotated() -> None:
    three = ["BAB", "ABA", "ABB", "BAA", "BBA", "AAB"]
    assert ["".join(seating) for seating in share_seats("A", "B", 3, adjacent=False)] == three


def test_substitutes_have_the_same_seats_and_opponents() -> None:
    seatings = list(substitute("AB", ["x", "y"]))
    assert ["".join(seating) for seating in seatings] == ["Axy", "Bxy", "xyA", "xyB", "yAx", "yBx"]


Played = tuple[list[tuple[str, ...]], list[MatchResult]]


def block(*matches: tuple[str, Sequence[int], Sequence[int]]) -> Played:
    """The seatings of a block, and matches with these placings and payoffs."""
    seatings = [tuple(seating) for seating, _, _ in matches]
    return seatings, [MatchResult(tuple(places), tuple(paid), (), b"") for _, places, paid in matches]


def test_score_of_two_bots_at_one_table() -> None:
    played = block(("ABAB", (1, 2, 3, 4), (3, 0, -1, -2)), ("BABA", (1, 1, 3, 3), (1, 1, -1, -1)))
    compared = compare_bots(*played, "A", "B", in_field=False)
    assert compared.score == (0.75 + 0.5) / 2  # A leaves behind B and B, then B; then all ends level
    assert compared.payoffs == (0.5, -0.5)
    mirrored = compare_bots(*played, "B", "A", in_field=False)
    assert mirrored.score == 1 - compared.score
    assert mirrored.payoffs == compared.payoffs[::-1]


def test_score_of_one_bot_against_copies() -> None:
    compared = compare_bots(
        *block(("ABB", (2, 1, 3), (0, 4, -2)), ("BBA", (1, 1, 3), (0, 0, -3))), "A", "B", in_field=False
    )
    assert (compared.score, compared.payoffs) == (0.25, (-1.5, 0.5))


def test_score_in_a_field_is_the_difference_of_both() -> None:
    played = block(("Axy", (1, 2, 3), (2, 0, -2)), ("Bxy", (2, 1, 3), (0, 1, -1)))
    compared = compare_bots(*played, "A", "B", in_field=True)
    assert (compared.score, compared.payoffs) == (0.5 + (1 - 0.5), (2, 0))


def test_faults_are_counted_for_the_bot_in_the_seat() -> None:
    made, _ = block(("ABx", (1, 2, 3), (0, 0, 0)), ("xAB", (1, 2, 3), (0, 0, 0)))
    faulty = MatchResult((1, 2, 3), (0, 0, 0), ((0, "illegal", 1), (1, "crash", 1), (2, "crash", 1)), b"")
    compared = compare_bots(made, [faulty, faulty], "A", "B", in_field=True)
    assert compared.faults == (2, 2)


def test_random_pairs_have_everybody_once_and_if_they_are_odd_one_of_them_twice() -> None:
    for bots in ("ab", "abc", "abcde", "abcdef"):
        drawn = [draw_pairs(bots, index, "seed") for index in range(60)]
        assert drawn == [draw_pairs(bots[::-1], index, "seed") for index in range(60)]
        for pairs in drawn:
            seats = [bot for pair in pairs for bot in pair]
            assert set(seats) == set(bots)
            assert len(seats) == len(bots) + len(bots) % 2
            assert all(first != second for first, second in pairs)
        met = {frozenset(pair) for pairs in drawn for pair in pairs}
        assert len(met) == len(bots) * (len(bots) - 1) // 2


def test_result_of_a_bot_in_two_pairs_is_the_mean_of_both() -> None:
    made = block(
        *(("AB", (1, 2), (2, 0)), ("BA", (2, 1), (-1, 1))),
        *(("CA", (1, 2), (4, -3)), ("AC", (1, 1), (0, 0))),
    )
    measured = measure_pairs([("A", "B"), ("C", "A")], *made)
    assert measured["A"] == ((1 + 0.25) / 2, (1.5 - 1.5) / 2, 0, ("B", "C"))
    assert measured["B"] == (0, -0.5, 0, ("A",))
    assert measured["C"] == (0.75, 2, 0, ("A",))


def test_substitute_is_measured_in_its_seat_even_beside_itself() -> None:
    matches = [(1, 2, 3), (2, 1, 3), (3, 1, 1), (2, 1, 2), (1, 2, 3), (3, 2, 1)]
    results = [MatchResult(match, match, ((0, "crash", 1),), b"") for match in matches]
    measured = measure_substitutes("AB", 3, results)
    assert measured["A"] == ((1 + 0.75 + 0.5) / 3, (1 + 1 + 2) / 3, 1, ())
    assert measured["B"] == ((0.5 + 0.25 + 0.5) / 3, (2 + 2 + 2) / 3, 1, ())


def test_rotations() -> None:
    assert ["".join(turn) for turn in rotate("abc")] == ["abc", "bca", "cab"]
