"""Cards, packs and their notation, and pools of cards."""

from collections import Counter
from random import Random

import pytest

from arena.errors import InvalidNotation, InvalidRules
from arena.games import variant
from arena.games.action import format_cards
from arena.games.cards import HIDDEN, MAX_DRAW_BITS, PACKS, SPARE_BITS, Card, card, find_pack, plan_choices


def test_a_card_has_rank_suit_points_and_text() -> None:
    ten = PACKS[52].card("TD")
    assert (ten.rank, ten.suit, ten.points, str(ten), repr(ten), f"{ten}") == ("T", "D", 10, "TD", "TD", "TD")


def test_equal_cards_are_the_same_in_every_pack() -> None:
    assert PACKS[52].card("AS") is PACKS[40].card("AS") is PACKS[32].card("AS")
    assert card("A", "S", "AS", 11) is PACKS[52].card("AS")


def test_a_card_cannot_be_changed() -> None:
    for name, why in (
        ("rank", "not writable"),
        ("points", "not writable"),
        ("colour", "no attribute"),
    ):
        with pytest.raises(AttributeError, match=why):
            setattr(PACKS[52].card("AS"), name, "K")


@pytest.mark.parametrize(
    ("size", "ranks"),
    [(52, "AKQJT98765432"), (40, "AKQJ765432"), (36, "AKQJT9876"), (32, "AKQJT987"), (24, "AKQJT9")],
)
def test_a_pack_has_each_rank_in_each_suit_once(size: int, ranks: str) -> None:
    pack = find_pack(size)
    assert len(pack) == len(pack.cards) == len(set(pack.cards)) == size
    assert {str(each) for each in pack.cards} == {rank + suit for rank in ranks for suit in "SHDC"}
    assert sorted(ranks, key=lambda rank: -pack.rank_index[pack.card(rank + "H")]) == list(ranks)


@pytest.mark.parametrize("size", [10, 13, 14, 50])
def test_w2_a_size_that_four_suits_do_not_make_is_refused(size: int) -> None:
    with pytest.raises(InvalidRules, match=f"there is no pack of {size} cards"):
        variant("lives", pack=size)


def test_w2_any_multiple_of_four_is_a_pack() -> None:
    for size in range(16, 53, 4):
        rules = variant("schwimmen", pack=size)
        assert len(rules.whole_pack) == size
        assert rules.overrides == ({} if size == 32 else {"pack": size})
    with pytest.raises(InvalidRules, match="2 players need 10 cards"):
        variant("whisky-poker", pack=12)


def test_the_points_are_the_pips_with_ten_for_a_court_card_and_eleven_for_an_ace() -> None:
    points = [PACKS[52].card(rank + "C").points for rank in "23456789TJQKA"]
    assert points == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]
    assert HIDDEN.points == 0


def test_hands_are_written_and_read_with_spaces() -> None:
    hand = PACKS[52].parse("TD 6C  2H\n")
    assert [str(each) for each in hand] == ["TD", "6C", "2H"]
    assert format_cards(hand) == "TD 6C 2H"
    assert PACKS[52].parse("") == ()
    assert format_cards(()) == ""


@pytest.mark.parametrize("text", ["1S", "10S", "td", "TDX", "T D", "??", "R1", "AS,KS", "a1", "\0"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation, match="is no card of the 52-card pack"):
        PACKS[52].parse(text)


def test_what_is_taken_from_a_pack_is_taken_once() -> None:
    pack = PACKS[32]
    left = pack.without(pack.parse("AS KS"))
    assert len(left) == 30
    assert not {str(each) for each in left} & {"AS", "KS"}


def test_a_card_not_known_is_in_no_pack() -> None:
    assert str(HIDDEN) == "??"
    assert all(HIDDEN not in pack.cards for pack in PACKS.values())
    assert isinstance(HIDDEN, Card)


# --- random numbers that decide several choices at once ---

TIMES = 6000


def choose(counts: list[int], rng: Random) -> list[int]:
    """Return choices one after the other, each below its count."""
    chosen = []
    for draw in plan_choices(counts):
        number = draw.random_number(rng)
        for place in draw.slots:
            number, choice = divmod(number, counts[place])
            chosen.append(choice)
    return chosen


def test_all_choices_are_as_likely() -> None:
    rng = Random("choices")
    counts = Counter([tuple(choose([3, 1, 2], rng)) for _ in range(TIMES)])
    assert sorted(counts) == [(first, 0, other) for first in range(3) for other in range(2)]
    assert all(abs(count - TIMES / 6) < 5 * (TIMES / 6) ** 0.5 for count in counts.values())


def test_long_rows_of_choices_take_several_numbers_of_a_machine_word() -> None:
    counts = [9] * 40
    draws = plan_choices(counts)
    assert [place for draw in draws for place in draw.slots] == [*range(40)]
    assert 2 < len(draws) < 5
    assert all(draw.bits <= MAX_DRAW_BITS + SPARE_BITS for draw in draws)
    assert all(draw.limit % draw.ways == 0 for draw in draws)
    assert all(0 <= choice < 9 for choice in choose(counts, Random("long")))
