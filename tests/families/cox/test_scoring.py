"""Scores of Cox's hands: sheet B12's examples, the rulings, and every arrangement tried."""

import re
from random import Random

import pytest

from arena.errors import InvalidNotation
from arena.families.cox.rules import CoxRules
from arena.games import variant
from tests.games.support.cox_deals import COX, brute_count, brute_points, random_hand
from tests.games.support.scripted_cases import Case, read_cases, read_value


def score(text: str, number: int = 0, **options: bool) -> tuple[int, bool, bool, int]:
    """Count, doubled, clear and points of a hand."""
    rules = variant("cox", **options)
    assert isinstance(rules, CoxRules)
    scored = rules.score_text(text, number)
    return scored.count, scored.doubled, scored.clear, scored.points


SCORES = """
sheet b12 examples
    number=1 | [a4 a4 a4] [f1 f2 f3] s2 s2 $1 counts 14 scores 9
    number=3 | [s5 s5 s5 s5] [g1 g2 g3 g4] i1 i2 $3 $2 counts 32 clear scores 32
    number=0 | [a3 a3 a3] a1 a2 s5 f1 p4 counts 3 scores -2;
        a1 a2 a3 a4 a5 f1 g1 BK counts 3 doubled clear scores 6
    number=0 | [i1 i2 i3] i4 s1 s3 f2 f4 counts 13 clear scores 13
    number=1 | [p1 p1 p1] [p2 p2 BK] p5 pC $1 counts 12 doubled clear scores 24
    number=1 | [s5 s5 s5 s5] [a5 a5 a5 a5] f1 BK $1 $2 $3 $4 counts 38 doubled scores 71
ruling c20 what sets and pairs count
    number=0 | [a1 a1 a1] counts 3; [a2 a2 a2] counts 3; [a3 a3 a3] counts 3; [a4 a4 a4] counts 3
    number=0 | [a1 a1 a1 a1] counts 5; [a2 a2 a2 a2] counts 5; [a3 a3 a3 a3] counts 5; [a4 a4 a4 a4] counts 5
    number=0 | [a5 a5 a5] counts 5; [a5 a5 a5 a5] counts 10; a5 a5 counts 0; f1 g2 i3 counts 0
    number=0 | f1 f3 counts 3; [f1 f3 f4] counts 5; [f1 f2 f3 f4] counts 10; g1 g3 counts 3;
        [g1 g3 g4] counts 5
    number=0 | [g1 g2 g3 g4] counts 10; i1 i3 counts 3; [i1 i3 i4] counts 5; [i1 i2 i3 i4] counts 10
ruling c20 every pair of honours counts in a hand that is not complete
    number=0 | f1 f2 g1 g3 i2 i4 a1 s1 counts 9
ruling c20 a wild card counts as the card it replaces
    number=0 | a5 a5 BK counts 5; a4 a4 BK counts 3; a5 a5 aC counts 5; g1 g4 BK counts 5
ruling c12 the bank makes sets of suit cards and honours
    number=0 | [p3 p3 BK] counts 3; [f1 f2 BK] counts 5
ruling c13 a captain helps two of his own suit alone
    number=0 | a4 a4 aC counts 3; a4 a4 sC counts 0; a4 aC counts 0; f1 aC counts 0; f1 f2 aC counts 3
ruling c13 captain and bank do not help the same two
    # Of two pairs the Captain takes the threes, so that the Bank can take the fives.
    number=0 | p3 p3 pC BK counts 3; p3 p3 p5 p5 pC BK counts 8; p3 p3 s5 s5 pC BK counts 8
ruling c14 a fourth joins a captains set but not the banks
    number=0 | [a4 a4 aC a4] counts 5; [a4 a4 aC] a4 counts 5; [a4 a4 BK] a4 counts 3; [f1 f2 BK] f3 counts 5
    number=0 | [f1 f2 BK] f3 f4 counts 8
ruling c14 a captain does not come fourth himself
    number=0 | [a4 a4 a4] aC counts 3; a4 a4 a4 aC counts 3
ruling c15 a fourth honour counts ten
    number=0 | [g1 g2 g3 g4] counts 10
ruling c16 three alike are laid whatever else they could do
    # Apart, f1 f2 and f3 BK, they would count 6.
    number=0 | f1 f2 f3 BK counts 5
ruling c17 the best of all uses is found
    # Two pairs, where three fruits count 5; the Bank makes three fives: it adds 5.
    number=0 | f1 f2 g1 BK counts 6; f1 f2 a5 a5 BK counts 8; a1 a2 BK counts 0
ruling c17 the bank is no greenback
    number=0 | a1 s2 p3 BK $1 counts 3
ruling c21 the bank doubles whoever holds it laid or not
    number=0 | [f1 f2 BK] $2 counts 8 doubled clear scores 16;
        [f1 f2 f3] BK $2 counts 8 doubled clear scores 16
ruling c22 the charge comes after the doubling
    number=0 | a1 s1 f1 f2 BK scores 5; a1 s1 BK scores -5
ruling c22 the charge may come before the doubling
    penalty_before_double=True | a1 s1 f1 f2 BK scores 0; a1 s1 BK scores -10; a1 a2 f1 f2 scores 3
ruling c23 what makes a hand clear
    # No black card at all is clear; a Captain is of his suit; what is laid out counts too; it is a flat 5.
    number=0 | a1 a2 a3 f1 g2 i3 $1 scores 3; f1 f2 g1 g2 i1 i2 scores 9; a1 a2 sC scores -5
    number=0 | [a1 a1 a1] s2 scores -2; a1 s2 p3 scores -5; [a1 a1 a1] [s1 s1 s1] f1 f2 scores 4
ruling c26 the greenback of ones own base counts double
    number=0 | $1 $2 $3 $4 scores 12
    number=1 | $1 $2 $3 $4 scores 15; $2 scores 3
    number=2 | $1 $2 $3 $4 scores 15; $2 scores 6
    number=3 | $1 $2 $3 $4 scores 15
    number=4 | $1 $2 $3 $4 scores 15
ruling c28 a fourth card still in the rack joins its set
    # As a pair with the Bank f4 would add 3.
    number=0 | [a5 a5 a5] a5 counts 10; [a4 a4 a4] a4 BK counts 5; [f1 f2 f3] f4 BK counts 10
ruling r32 a card bought for the closing pair is counted in it
    # Drawn, it is a fourth.
    number=0 | [f1 f2 f3] [a4 a4 a4] (f4 BK) counts 11 doubled clear scores 22
    number=0 | [f1 f2 f3] [a4 a4 a4] f4 BK counts 13 doubled clear scores 26
    number=0 | [a4 a4 a4] s2 s2 sC (g1 g3) counts 9
    number=1 | [f1 f2 f3] [a4 a4 a4] (aC a1) $1 counts 14 clear scores 14
    number=1 | [f1 f2 f3] [a4 a4 a4] a1 aC $1 counts 14 clear scores 14
ruling c31 the most a hand can score
    number=2 | [s5 s5 s5 s5] [f1 f2 f3 f4] g1 BK $1 $2 $3 $4 counts 38 doubled clear scores 76
"""


@pytest.mark.parametrize("case", read_cases(SCORES), ids=lambda case: case.name)
def test_scores(case: Case) -> None:
    for (words, claims), _ in case.deals:
        options = {word.partition("=")[0]: read_value(word.partition("=")[2]) for word in words.split()}
        for claim in claims.split("; "):
            hand, *facts = re.split(" (?=counts|scores)", claim)
            count, doubled, clear, points = score(hand, **options)
            found = f"counts {count}{' doubled' * doubled}{' clear' * clear} scores {points}"
            assert f"{found} ".startswith(f"{' '.join(facts)} ") or found.endswith(f" {facts[0]}"), found


@pytest.mark.parametrize(
    "text", ["[pC BK p3]", "[pC BK]", "[p3 p3 p3 BK]", "[p3 p3]", "[f1 f2 fC]", "[]", "[$1 $2 $3]"]
)
@pytest.mark.parametrize("rest", ["", " a1 a2"])
def test_rulings_c12_to_c14_what_is_no_set(text: str, rest: str) -> None:
    """The triple of Captain, Bank and one card is the last of sheet B12's examples of what is not legal."""
    with pytest.raises(InvalidNotation, match=r"is no set|is no card"):
        score(text + rest)


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
