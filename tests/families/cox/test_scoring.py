"""Scores of Cox's hands: sheet B12's examples, the rulings, and every arrangement tried."""

from random import Random

import pytest

from arena.errors import InvalidNotation
from arena.families.cox.rules import CoxRules
from arena.games import variant
from tests.games.support.cox_deals import COX, brute_count, brute_points, random_hand


def score(text: str, number: int = 0, **options: bool) -> tuple[int, bool, bool, int]:
    """Count, doubled, clear and points of a hand."""
    rules = variant("cox", **options)
    assert isinstance(rules, CoxRules)
    scored = rules.score_text(text, number)
    return scored.count, scored.doubled, scored.clear, scored.points


def count(text: str) -> int:
    return score(text)[0]


def points(text: str, number: int = 0, **options: bool) -> int:
    return score(text, number, **options)[3]


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("[a4 a4 a4] [f1 f2 f3] s2 s2 $1", 1, (14, False, False, 9)),
        ("[s5 s5 s5 s5] [g1 g2 g3 g4] i1 i2 $3 $2", 3, (32, False, True, 32)),
        ("[a3 a3 a3] a1 a2 s5 f1 p4", 0, (3, False, False, -2)),
        ("a1 a2 a3 a4 a5 f1 g1 BK", 0, (3, True, True, 6)),
        ("[i1 i2 i3] i4 s1 s3 f2 f4", 0, (13, False, True, 13)),
        ("[p1 p1 p1] [p2 p2 BK] p5 pC $1", 1, (12, True, True, 24)),
        ("[s5 s5 s5 s5] [a5 a5 a5 a5] f1 BK $1 $2 $3 $4", 1, (38, True, False, 71)),
    ],
)
def test_the_examples_of_sheet_b12(text: str, number: int, expected: tuple[int, bool, bool, int]) -> None:
    assert score(text, number) == expected


def test_ruling_c20_what_sets_and_pairs_count() -> None:
    for number in "1234":
        assert count(f"[{' '.join([f'a{number}'] * 3)}]") == 3
        assert count(f"[{' '.join([f'a{number}'] * 4)}]") == 5
    assert count("[a5 a5 a5]") == 5
    assert count("[a5 a5 a5 a5]") == 10
    assert count("a5 a5") == 0
    for suit in "fgi":
        assert count(f"{suit}1 {suit}3") == 3
        assert count(f"[{suit}1 {suit}3 {suit}4]") == 5
        assert count(f"[{suit}1 {suit}2 {suit}3 {suit}4]") == 10
    assert count("f1 g2 i3") == 0


def test_ruling_c20_every_pair_of_honours_counts_in_a_hand_that_is_not_complete() -> None:
    assert count("f1 f2 g1 g3 i2 i4 a1 s1") == 9


def test_ruling_c20_a_wild_card_counts_as_the_card_it_replaces() -> None:
    assert count("a5 a5 BK") == 5
    assert count("a4 a4 BK") == 3
    assert count("a5 a5 aC") == 5
    assert count("g1 g4 BK") == 5


def test_ruling_c12_the_bank_makes_sets_of_suit_cards_and_honours() -> None:
    assert count("[p3 p3 BK]") == 3
    assert count("[f1 f2 BK]") == 5


def test_ruling_c13_a_captain_helps_two_of_his_own_suit_alone() -> None:
    assert count("a4 a4 aC") == 3
    assert count("a4 a4 sC") == 0
    assert count("a4 aC") == 0
    assert count("f1 aC") == 0
    assert count("f1 f2 aC") == 3


@pytest.mark.parametrize(
    "text", ["[pC BK p3]", "[pC BK]", "[p3 p3 p3 BK]", "[p3 p3]", "[f1 f2 fC]", "[]", "[$1 $2 $3]"]
)
@pytest.mark.parametrize("rest", ["", " a1 a2"])
def test_rulings_c12_to_c14_what_is_no_set(text: str, rest: str) -> None:
    """The triple of Captain, Bank and one card is the last of sheet B12's examples of what is not legal."""
    with pytest.raises(InvalidNotation, match=r"is no set|is no card"):
        score(text + rest)


def test_ruling_c13_captain_and_bank_do_not_help_the_same_two() -> None:
    assert count("p3 p3 pC BK") == 3
    assert count("p3 p3 p5 p5 pC BK") == 8
    assert count("p3 p3 s5 s5 pC BK") == 8, (
        "the Captain takes the threes, so that the Bank can take the fives"
    )


def test_ruling_c14_a_fourth_joins_a_captains_set_but_not_the_banks() -> None:
    assert count("[a4 a4 aC a4]") == 5
    assert count("[a4 a4 aC] a4") == 5
    assert count("[a4 a4 BK] a4") == 3
    assert count("[f1 f2 BK] f3") == 5
    assert count("[f1 f2 BK] f3 f4") == 8


def test_ruling_c14_a_captain_does_not_come_fourth_himself() -> None:
    assert count("[a4 a4 a4] aC") == 3
    assert count("a4 a4 a4 aC") == 3


def test_ruling_c15_a_fourth_honour_counts_ten() -> None:
    assert count("[g1 g2 g3 g4]") == 10


def test_ruling_c16_three_alike_are_laid_whatever_else_they_could_do() -> None:
    """Apart, f1 f2 and f3 BK, they would count 6."""
    assert count("f1 f2 f3 BK") == 5


def test_ruling_c17_the_best_of_all_uses_is_found() -> None:
    assert count("f1 f2 g1 BK") == 6, "two pairs; three fruits count 5"
    assert count("f1 f2 a5 a5 BK") == 8, "the Bank makes three fives: it adds 5"
    assert count("a1 a2 BK") == 0


def test_ruling_c17_the_bank_is_no_greenback() -> None:
    assert count("a1 s2 p3 BK $1") == 3


def test_ruling_c21_the_bank_doubles_whoever_holds_it_laid_or_not() -> None:
    assert score("[f1 f2 BK] $2") == (8, True, True, 16)
    assert score("[f1 f2 f3] BK $2") == (8, True, True, 16)


def test_ruling_c22_the_charge_comes_after_the_doubling() -> None:
    assert points("a1 s1 f1 f2 BK") == 2 * 5 - 5
    assert points("a1 s1 BK") == -5, "never -10"


def test_ruling_c22_the_charge_may_come_before_the_doubling() -> None:
    assert points("a1 s1 f1 f2 BK", penalty_before_double=True) == 2 * (5 - 5)
    assert points("a1 s1 BK", penalty_before_double=True) == -10
    assert points("a1 a2 f1 f2", penalty_before_double=True) == 3


def test_ruling_c23_what_makes_a_hand_clear() -> None:
    assert points("a1 a2 a3 f1 g2 i3 $1") == 3
    assert points("f1 f2 g1 g2 i1 i2") == 9, "no black card at all"
    assert points("a1 a2 sC") == -5, "a Captain is of his suit"
    assert points("[a1 a1 a1] s2") == -2, "what is laid out counts too"
    assert points("a1 s2 p3") == -5, "a flat 5"
    assert points("[a1 a1 a1] [s1 s1 s1] f1 f2") == 9 - 5, "a complete hand pays as well"


def test_ruling_c26_the_greenback_of_ones_own_base_counts_double() -> None:
    assert [points("$1 $2 $3 $4", number) for number in (0, 1, 2, 3, 4)] == [12, 15, 15, 15, 15]
    assert points("$2", 1) == 3
    assert points("$2", 2) == 6


def test_ruling_c28_a_fourth_card_still_in_the_rack_joins_its_set() -> None:
    assert count("[a5 a5 a5] a5") == 10
    assert count("[a4 a4 a4] a4 BK") == 5
    assert count("[f1 f2 f3] f4 BK") == 10, "as a pair with the Bank it would add 3"


def test_ruling_r32_a_card_bought_for_the_closing_pair_is_counted_in_it() -> None:
    assert score("[f1 f2 f3] [a4 a4 a4] (f4 BK)") == (11, True, True, 22)
    assert score("[f1 f2 f3] [a4 a4 a4] f4 BK") == (13, True, True, 26), "drawn, it is a fourth"
    assert count("[a4 a4 a4] s2 s2 sC (g1 g3)") == 9
    assert score("[f1 f2 f3] [a4 a4 a4] (aC a1) $1", 1) == score("[f1 f2 f3] [a4 a4 a4] a1 aC $1", 1)


def test_ruling_c31_the_most_a_hand_can_score() -> None:
    assert score("[s5 s5 s5 s5] [f1 f2 f3 f4] g1 BK $1 $2 $3 $4", 2) == (38, True, True, 76)


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        ("a4 a9", 0, "'a9' is no card"),
        ("[a4 a4 a4] a4 a4", 0, "a4 is there more often"),
        ("f1 f1", 0, "f1 is there more often"),
        ("[a4 a4 s4]", 0, "[a4 a4 s4] is no set"),
        ("[a4 a4 a4", 0, "is no card"),
        ("a1 a2 a3 a4 a5 s1 s2 s3 s4 s5", 0, "a hand of cox has 8, not 10"),
        ("", 0, "a hand of cox has 8, not 0"),
        ("(f1 g1) a1", 0, "(f1 g1) is no pair"),
        ("(f1 f2 f3)", 0, "(f1 f2 f3) is no pair"),
        ("(aC BK)", 0, "(aC BK) is no pair"),
        ("() a1", 0, "() is no pair"),
        ("(f1 f2) (g1 g2)", 0, "there is one closing pair, not 2"),
        ("(f1 f2) f2", 0, "f2 is there more often"),
        ("a1 a2 a3 a4 a5 s1 s2 s3 (f1 f2)", 0, "a hand of cox has 8, not 10"),
        ("a1", 5, "from 1 to 4, not 5"),
    ],
)
def test_what_is_no_hand_is_refused(text: str, number: int, message: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        score(text, number)
    assert message in str(caught.value)


def test_a_hand_of_cards_alone_has_a_rank() -> None:
    assert COX.rank("f1 f2 g1 g2 i1 i2 a1 a2") > COX.rank("a1 a1 a2 a3 a4 a5 f1 g1")
    assert COX.rank("f1 f2 a1 s1 $1").value == 1
    with pytest.raises(InvalidNotation):
        COX.rank("f1 f1")


def compare(seed: str, hands: int) -> None:
    rng = Random(seed)
    for _ in range(hands):
        told = random_hand(rng)
        expected = brute_count(told)
        scored = COX.score_text(str(told), told.number)
        assert (scored.count, scored.points) == (expected, brute_points(told, expected)), str(told)


def test_every_way_to_arrange_a_hand_tried_finds_nothing_better() -> None:
    compare("short", 800)


@pytest.mark.full
def test_every_way_to_arrange_a_hand_tried_finds_nothing_better_in_100_000_hands() -> None:
    compare("full", 100_000)


def test_the_hands_drawn_for_it_have_all_there_is() -> None:
    """Wild cards in the rack and laid out, fourth cards held, none of all that."""
    rng = Random("kinds")
    told = [random_hand(rng) for _ in range(500)]
    held = ["BK" in hand.rack for hand in told]
    assert 50 < sum(held) < 450
    assert any("BK" in laid_set for hand in told for laid_set in hand.sets)
    assert any(card[1] == "C" for hand in told for laid_set in hand.sets for card in laid_set)
    assert any(len(laid_set) == 4 for hand in told for laid_set in hand.sets)
    assert any(sum(card[1] == "C" for card in hand.rack) > 1 for hand in told)
