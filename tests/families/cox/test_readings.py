"""Other readings of S000: options of Cox's game, all off by default."""

from random import Random
from typing import Any

import pytest

from arena.errors import InvalidNotation
from arena.families.cox.rules import CoxRules
from arena.games import variant
from tests.games.support.cox_deals import cox
from tests.games.support.random_play import play_out
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

OTHER = "a1 a2 s2 s4 p2 p3 i1 s5"
"""A hand of which nothing is laid out, and that can buy little."""
TWO_SETS = "a3 a3 a3 s1 s1 s1"


def points(text: str, **options: Any) -> int:
    rules = variant("cox", **options)
    assert isinstance(rules, CoxRules)
    return rules.score_text(text).points


DEALS = """
# a Captain and the Bank as the closing pair: S000 "Special notes", ruling C13
c13 by option a captain and the bank are the pair that completes a hand
    # S000 bars them from one combination of three; the Bank "may be used for any other card".
    cox wild_pair=True | a3 a3 a3 s1 s1 s1 pC p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front BK
    0:draw, 0:discard p5 -> legal sell, hold
    0:sell -> points 7 -5
    cox | a3 a3 a3 s1 s1 s1 pC p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front BK | 0:draw, 0:discard p5 -> asked 1
c13 two captains are none and the bank buys no captain
    cox wild_pair=True | a3 a3 a3 s1 s1 s1 pC p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front sC
    0:draw, 0:discard p5 -> asked 1
    cox wild_pair=True | a3 a3 a3 s1 s1 s1 BK p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front g1 sC
    0:draw, 0:discard p5, 0:hold, 1:draw, 1:discard sC -> asked 0; kinds draw
# a Captain as the fourth: S000 "The special cards", "Drawing a fourth card", ruling C13
c13 by option a captain may be laid as the fourth of his suit and is replaced
    # S000: he "may be used as any other number in that suit", "if two cards of like number are held".
    cox captain_fourth=True | a3 a3 a3 s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front aC | back i2
    0:draw -> legal lay aC, hold
    0:lay aC -> laid 0: [a3 a3 a3 aC]; hand 0: s1 s3 p1 p4 g2 i2
    cox | a3 a3 a3 s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front aC | 0:draw -> kinds discard
c13 a captain of another suit and the bank are no fourth
    cox captain_fourth=True | a3 a3 a3 s4 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front sC
    0:draw -> kinds discard
    cox captain_fourth=True | a3 a3 a3 s4 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front BK
    0:draw -> kinds discard
c13 of two sets he joins the one of fives
    cox captain_fourth=True | a3 a3 a3 a5 a5 a5 g2 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front aC | back i2
    0:draw, 0:lay aC -> laid 0: [a3 a3 a3] [a5 a5 a5 aC]
    cox captain_fourth=True | a5 a5 a5 a3 a3 a3 g2 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front aC | back i2
    0:draw, 0:lay aC -> laid 0: [a3 a3 a3] [a5 a5 a5 aC]
c13 no set with the bank or of four takes him
    cox captain_fourth=True | a3 a3 BK s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 i3 aC
    0:draw, 0:lay a3 a3 BK, 0:discard p5, 1:draw, 1:discard i3, 0:draw -> kinds discard
# the Bank "doubles the score of the player drawing it": S000 "The Bank card", ruling C21
c21 who keeps it has drawn it and is doubled once
    cox bank_doubles=drawer | a3 a3 a3 s1 s1 s1 p4 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front BK
    0:draw, 0:discard p5, 0:sell -> points 7 -5
"""
test_deals = scripted_cases(DEALS, cox=cox)


# --- a Captain and the Bank as the closing pair: S000 "Special notes", ruling C13 ---


def closing(held: str, drawn: str, **options: Any) -> ScriptedDeal:
    return cox([held, OTHER], front=drawn, **options).play("0:draw")


# --- a Captain as the fourth: S000 "The special cards", "Drawing a fourth card", ruling C13 ---


@pytest.mark.parametrize(
    ("hand", "usual", "fourth"),
    [
        ("[a3 a3 a3] aC f1 g1", 3, 5),
        ("[a5 a5 a5] aC f1 g1", 5, 10),
        ("[a5 a5 a5] a5 aC f1 g1", 10, 10),
        ("[a3 a3 a3] aC a4 a4 g1", 3 + 3, 3 + 3),
        ("[a5 a5 a5] aC a4 a4 g1", 5 + 3, 10),
        ("[a5 a5 a5] sC f1 g1 i1", 5 - 5, 5 - 5),
        ("[f1 f2 f3] [g1 g2 g3] a3 a3 aC", 13, 13),
        ("[f1 f2 f3] [a3 a3 BK] aC s1", 2 * (5 + 3) - 5, 2 * (5 + 3) - 5),
        ("[a3 a3 a3] aC BK f1", 2 * (3 + 3), 2 * (5 + 3)),
    ],
)
def test_c28_at_the_end_he_counts_so_from_the_rack_too(hand: str, usual: int, fourth: int) -> None:
    assert points(hand) == usual
    assert points(hand, captain_fourth=True) == fourth


# --- the Bank "doubles the score of the player drawing it": S000 "The Bank card", ruling C21 ---


def discarded_bank(**options: Any) -> ScriptedDeal:
    table = cox([f"{TWO_SETS} p4 p5", OTHER], front="BK i2 p4", **options)
    return table.play("0:draw", "0:discard BK", "1:draw", "1:discard i2", "0:draw", "0:discard p5", "0:sell")


def test_c21_by_option_it_doubles_its_drawers_score_though_he_has_discarded_it() -> None:
    usual, drawer = discarded_bank(), discarded_bank(bank_doubles="drawer")
    assert usual.result["points"][0] == 6 - 5
    assert drawer.result["points"][0] == 2 * 6 - 5
    text = drawer.deal.format_hand(0)
    assert text == "[a3 a3 a3] [s1 s1 s1] p4 p4 {BK}"
    assert points(text, bank_doubles="drawer") == 7
    with pytest.raises(InvalidNotation, match="bank_doubles"):
        points(text)


# --- "four completed hands are played": S000 "The winner", ruling C24 ---


def test_c24_by_option_only_completed_hands_count_among_the_four() -> None:
    sold = closing(f"{TWO_SETS} p4 p5", "p4", completed=True).play("0:discard p5", "0:sell")
    assert sold.result == {"points": [1, -5], "sold": [1, 0]}
    settlement = sold.rules.settlement
    assert sold.after.other == {"sold": (1, 0)}
    assert not settlement.is_over(sold.after, 4)
    begin = settlement.initial_holdings(2)
    assert not settlement.is_over(begin, 19)
    assert settlement.is_over(begin, 20), "every match ends: decision 7"


def test_c24_a_match_lasts_until_four_are_completed_and_all_scores_count() -> None:
    rules = variant("cox", completed=True)
    match = rules.match(2, "completed")
    for _ in play_out(match, Random(1)):
        pass
    changes = [deal.changes for deal in match.finished_deals if deal.changes]
    sold = sum(sum(change.other["sold"]) for change in changes if change.other)
    assert sold == 4 or (sold < 4 and len(changes) == 20)
    scores = [change.points for change in changes if change.points]
    assert [sum(column) for column in zip(*scores, strict=True)] == list(match.payoffs)
