"""Buying a discard at Cox's game: who may, who comes first, and the rest of the buyer's turn."""

from random import Random

import pytest

from arena.families.cox.cards import sort_rack
from arena.families.cox.sets import can_buy as can_buy_for
from arena.families.cox.sets import count_kinds, find_bought_sets, find_closing_discards, find_natural_set
from tests.games.support.cox_deals import COX, PACK, cox, is_wild, kind
from tests.games.support.scripted_cases import Case, read_cases, scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal


def thrown(card: str, *hands: str, bank_buys: bool = True) -> ScriptedDeal:
    """The Retailer, seat 0, throws this card before the others; the first who can buy it is asked next."""
    left = PACK.without(PACK.parse(" ".join([card, *hands])))
    apart = {kind(str(other)): str(other) for other in left if not is_wild(str(other)) and other.suit != "$"}
    table = cox([" ".join([*apart.values()][:8]), *hands], front=card, bank_buys=bank_buys)
    return table.play("0:draw", f"0:discard {card}")


def can_buy(card: str, hand: str, *, bank_buys: bool = True) -> bool:
    table = thrown(card, hand, bank_buys=bank_buys)
    assert table.asked == 1
    return table.legal == ["buy", "leave"]


DEALS = """
# what entitles to buy
ruling c12 a card bought with the bank is laid with it
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 BK a1 a2 s1 s2 f1 g1 | front p3
    0:draw, 0:discard p3, 1:buy -> legal lay p3 p3 BK
    1:lay p3 p3 BK -> laid 1: [p3 p3 BK]
ruling c13 a captain goes to one of the pairs of his suit
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 p3 p4 p4 s1 s2 f1 g1 | front pC
    0:draw, 0:discard pC, 1:buy -> legal lay p3 p3 pC, lay p4 p4 pC
ruling c16 three alike are laid with nothing else
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 p3 BK a2 s1 s2 f1 g1 | front p3
    0:draw, 0:discard p3, 1:buy -> legal lay p3 p3 p3
ruling c8 money is never thrown
    cox | a1 a2 s1 s3 p1 p2 $1 $2 / a1 s2 p4 a4 s5 f1 g1 i1 | front $3 | 0:draw -> legal lay i3 i4 BK, hold
# the last pair
ruling c19 after it the hand is sold
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / a2 a2 a2 s1 s1 s1 p3 g1 | front p3
    0:draw, 0:discard p3, 1:buy -> legal hold
    1:hold -> legal discard g1
    1:discard g1 -> legal sell
    1:sell -> over; hand 1: p3 p3
ruling c19 only discards that complete the hand are left
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / a2 a2 a2 s1 s1 s1 p3 BK | front p3
    0:draw, 0:discard p3, 1:buy, 1:hold -> legal discard p3, discard BK
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / a2 a2 a2 p3 g1 s1 s1 sC | front p3
    0:draw, 0:discard p3, 1:buy, 1:hold -> legal discard g1
ruling r24 further lays follow a buys own
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 p3 a2 a2 aC s2 f1 g1 | front p3
    0:draw, 0:discard p3, 1:buy, 1:lay p3 p3 p3 -> legal lay a2 a2 aC, hold
ruling c11 a card bought for the last pair is no fourth
    # It is drawn that a fourth must be: the pair counts nothing, the set stays a three.
    cox bank_buys=True | a1 a3 a4 a5 s1 s2 s3 s4 / a2 a2 a2 s1 s1 s1 aC g1 | front a2
    0:draw, 0:discard a2, 1:buy, 1:hold, 1:discard g1, 1:sell -> points -5 1
    cox bank_buys=True | a1 a3 a4 a5 s1 s2 s3 s4 / a2 a2 a2 s1 s1 s1 BK g1 | front a2
    0:draw, 0:discard a2, 1:buy, 1:hold, 1:discard g1, 1:sell -> points -5 7
ruling r22 the bank makes a last pair that counts
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / a2 a2 a2 s1 s1 s1 BK p1 | front g3
    0:draw, 0:discard g3, 1:buy, 1:hold, 1:discard p1, 1:sell -> points -5 13
# who comes first, and what follows
ruling c9 the nearest to the right is asked first and the next only if he lets it go by
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 p3 a1 a2 s2 s5 f1 g1 / p4 p4 a1 a4 s2 s4 f2 g2
        / p5 p5 a3 a4 s3 s4 f3 a5 | front pC
    0:draw, 0:discard pC -> asked 3; legal buy, leave
    3:leave -> asked 2
    2:buy -> legal lay p4 p4 pC
ruling c9 a waiting hand contends with a pair
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 p3 a1 a4 s2 s5 f2 g3 / a2 a2 a2 s1 s1 s1 p3 g2
        / a1 s2 p4 a4 s5 f1 g1 i1 | front p3
    0:draw, 0:discard p3 -> asked 2
    2:leave -> asked 1
ruling c9 nobody buys his own discard
    cox | p3 p3 a1 a2 s2 s5 f2 g2 / a1 s2 p4 a4 s5 f1 g1 i1 | front a5 p4 p3
    0:draw, 0:discard a5, 1:draw, 1:discard p4, 0:draw -> laid 0: [p3 p3 p3]
    cox | p3 p3 pC a2 s2 s5 f2 g2 / a1 s2 p4 a4 s5 f1 g1 i1 | front a5
    0:draw, 0:hold, 0:discard pC -> asked 1; legal draw
ruling c9 only the latest discard is for sale and until the next draw
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 p3 a1 a2 s1 s2 f1 g1 | front p3
    0:draw, 0:discard p3 -> view discard 0 1: p3
    1:leave -> legal draw
    1:draw -> view discard 0 1: -; may not buy
ruling c10 a buy is a turn without a draw and who sits between loses his
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / a1 s2 p4 a4 s5 f1 g1 i1 / p3 p3 a1 a2 s2 s4 f2 g2
        / a3 a4 s3 s4 p5 a5 s1 i2 | front p3
    0:draw, 0:discard p3 -> asked 2
    2:buy, 2:lay p3 p3 p3, 2:discard g2 -> view stock_left 0: 47; asked 1; legal draw; hand 2: a1 a2 s2 s4 f2
ruling c10 a buyers discard may be bought by who threw the first
    cox | g1 g3 a1 a2 s1 s3 p1 p2 / p3 p3 g2 a4 a5 s4 s5 f1 | front p3
    0:draw, 0:discard p3, 1:buy, 1:lay p3 p3 p3, 1:discard g2 -> asked 0; legal buy, leave
ruling c10 on ones own turn a buy stands in place of the draw
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / p3 p3 a1 a2 s1 s2 f1 g1 | front p3
    0:draw, 0:discard p3, 1:buy, 1:lay p3 p3 p3 -> kinds discard; count 6
ruling c18 a buy may complete the hand with a set
    cox bank_buys=True | a1 a2 a3 a4 a5 s1 s2 s3 / a2 a2 a2 p3 p3 g1 g2 s4 | front p3
    0:draw, 0:discard p3, 1:buy, 1:lay p3 p3 p3, 1:discard s4 -> legal sell
"""
test_deals = scripted_cases(DEALS, cox=cox)


# --- what entitles to buy ---


BUYS = """
sheet b12 what may be bought when the hand is not near its end
    yes | p3 by p3 p3 a1 a2 s1 s2 f1 g1; p3 by p3 BK a1 a2 s1 s2 f1 g1; pC by p3 p3 a1 a2 s1 s2 f1 g1
    yes | g3 by g1 g2 a1 a2 s1 s2 f1 s5
    no | p3 by p3 pC a1 a2 s1 s2 f1 g1; pC by p3 BK a1 a2 s1 s2 f1 g1; pC by p3 a4 a1 a2 s1 s2 f1 g1
    no | g3 by g1 a5 a1 a2 s1 s2 f1 s5
ruling c11 two like cards of the rack are needed
    no | p3 by p4 p4 a1 a2 s1 s2 f1 g1; p3 by s3 s3 a1 a2 s1 s2 f1 g1; g3 by f1 f2 a1 a2 s1 s2 g1 s5
    no | pC by s3 s3 a1 a2 s1 s2 f1 g1; BK by p3 p3 f1 f2 s1 s2 a1 g1; p3 by p3 p3 p3 a2 s1 s2 f1 g1
    yes | g3 by g1 BK a1 a2 s1 s2 f1 s5
ruling c12 the bank may help to buy by option
    # For the last pair it does without the option, too.
    yes | p3 by p3 BK a1 a2 s1 s2 f1 g1
    no bank_buys=False | p3 by p3 BK a1 a2 s1 s2 f1 g1
    yes bank_buys=False | p3 by p3 p3 BK a2 s1 s2 f1 g1; p3 by a2 a2 a2 s1 s1 s1 BK g1
rulings c19 r22 r24 one like card is enough for the last pair
    yes | p3 by a2 a2 a2 s1 s1 s1 p3 g1; g3 by a2 a2 a2 s1 s1 s1 p3 g1; pC by a2 a2 a2 s1 s1 s1 p3 g1
    yes | p3 by a2 a2 a2 s1 s1 s1 pC g1; p3 by a2 a2 a2 s1 s1 s1 BK g1; g3 by a2 a2 a2 s1 s1 s1 BK p1
    no | f3 by a2 a2 a2 s1 s1 s1 p3 g1; p4 by a2 a2 a2 s1 s1 s1 p3 g1; sC by a2 a2 a2 s1 s1 s1 p3 g1
    no | pC by a2 a2 a2 s1 s1 s1 g2 g1; s3 by a2 a2 a2 s1 s1 s1 pC g1; pC by a2 a2 a2 s1 s1 s1 BK g1
    no | BK by a2 a2 a2 s1 s1 s1 p3 g1
ruling c19 it must sell out at once
    # Five cards in the rack: the other set must be there too, made with a wild card.
    no | p3 by a2 a2 a2 p3 g1 s1 s1 f1; p3 by a2 a2 a2 p3 g1 f1 s1 sC
    yes | p3 by a2 a2 a2 p3 g1 s1 s1 sC; p3 by a2 a2 aC p3 g1 s1 s1 sC
"""
"""Whether a card may be bought by the holder of a hand."""


@pytest.mark.parametrize("case", read_cases(BUYS), ids=lambda case: case.name)
def test_buys(case: Case) -> None:
    for (words, purchases), _ in case.deals:
        for purchase in purchases.split("; "):
            card, _, hand = purchase.partition(" by ")
            may = can_buy(card, hand, bank_buys="bank_buys=False" not in words)
            assert may == words.startswith("yes"), purchase


# --- the last pair ---

WAITING = "a2 a2 a2 s1 s1 s1"


def test_ruling_r32_the_closing_pair_is_the_buyers_also_before_the_discard() -> None:
    table = thrown("p3", f"{WAITING} p3 g1").play("1:buy", "1:hold")
    assert "(p3 p3)" in table.deal.format_hand(1)
    assert "(" not in table.deal.format_hand(0)
    assert table.deal.rank_hand(0).category == "points"


def test_a_card_may_be_bought_for_a_set_or_for_the_last_pair() -> None:
    table = thrown("pC", "a2 a2 a2 p3 p3 s1 s1 sC").play("1:buy")
    assert table.legal == ["lay p3 p3 pC", "hold"]
    assert not can_buy("g4", "a2 a2 a2 p3 p3 s1 s1 sC")


def test_ruling_r32_the_text_of_a_hand_counts_a_bought_card_in_its_pair() -> None:
    table = thrown("f4", "a4 a4 a4 f1 f2 f3 BK p1").play("1:buy", "1:hold", "1:discard p1", "1:sell")
    text = table.deal.format_hand(1)
    assert text == "[a4 a4 a4] [f1 f2 f3] (f4 BK)"
    assert COX.score_text(text).points == table.result["points"][1] == 2 * (3 + 5 + 3)


# --- who comes first, and what follows ---


@pytest.mark.parametrize("bank_buys", [True, False])
@pytest.mark.parametrize("lacking", [0, 1, 2])
def test_a_seat_may_buy_if_there_is_a_set_to_lay_or_a_discard_that_completes_the_hand(
    lacking: int, bank_buys: bool
) -> None:
    """Racks with many wild cards and pairs, without three alike, against every set and discard there is."""
    cards = PACK.parse("aC sC pC BK a1 a1 a2 a2 s1 s1 s2 s2 p1 p1 f1 f2 g1 g2 i1")
    rng, results = Random(lacking), set()
    for _ in range(600):
        card, *held = rng.sample(cards, 3 + 3 * lacking)
        rack = sort_rack(held)
        if find_natural_set(rack) is None and str(card) != "BK":
            after = sort_rack([*rack, card])
            counts = count_kinds(after)
            sets = find_bought_sets(after, counts, card, bank_buys) if lacking else []
            expected = bool(sets) or bool(find_closing_discards(after, counts, lacking, card))
            assert can_buy_for(rack, count_kinds(rack), card, lacking, bank_buys) == expected
            results.add(expected)
    assert results == {True, False}
