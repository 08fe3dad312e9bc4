"""A turn at Cox's game: draw, lay, discard, and selling out; and how the stock comes to its end."""

import pytest

from arena.games import variant
from tests.games.support.cox_deals import PACK, cox, laid, played, rack, view
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

OTHER = "a1 a2 s2 s4 p2 p3 i1 s5"
"""A hand of which nothing is laid out, and that can buy little."""


DEALS = """
# laying
rulings c8 c16 three alike completed by a draw are laid out
    cox | s1 s1 s3 s4 p1 p2 p4 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front s1
    0:draw -> laid 0: [s1 s1 s1]; hand 0: s3 s4 p1 p2 p4 p5; kinds discard
ruling c8 a greenback drawn is replaced and then one card is discarded
    # The replacement may complete a set.
    cox | s1 s1 s3 s4 p1 p2 p4 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front $3 | back $1 s1
    0:draw -> view greenbacks 0: $3 / -; laid 0: [s1 s1 s1]; hand 0: s3 s4 p1 p2 p4 p5
    0:discard p5 -> hand 0: s3 s4 p1 p2 p4
ruling c8 money for money goes on until there is a card
    cox | s1 s1 s3 s4 p1 p2 p4 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front $3 | back i2 $2 $1
    0:draw -> view greenbacks 0: $3 $1 $2 / -; hand 0: s1 s1 s3 s4 p1 p2 p4 p5 i2
rulings c13 c16 sets with a wild card are laid or held
    cox | s1 s1 s3 s4 sC p1 p2 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front a5 | 0:draw -> legal lay s1 s1 sC, hold
    cox | s1 s1 s3 s4 pC p1 p2 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front a5 | 0:draw -> kinds discard
    cox | s1 s1 s3 s3 sC p1 p2 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front a5
    0:draw -> legal lay s1 s1 sC, lay s3 s3 sC, hold
    cox | s1 s1 f2 f3 BK p1 p2 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front a5
    0:draw -> legal lay s1 s1 BK, lay f2 f3 BK, hold
    cox | s1 s2 f2 g3 BK sC p2 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front a5 | 0:draw -> kinds discard
    cox | s1 s1 p2 p5 s5 p4 sC BK / a1 a2 s2 s4 p2 p3 i1 s5 | front a5
    0:draw -> legal lay s1 s1 sC, lay s1 s1 BK, hold
ruling c13 a captain and the bank are never in one set
    cox | p3 pC BK s1 s2 s3 s4 a2 / a1 a2 s2 s4 p2 p3 i1 s5 | front a5 | 0:draw -> kinds discard
ruling c14 a fourth may join a captains set
    cox | a3 a3 aC s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front a3 p5 a3 | back i2
    0:draw -> laid 0: [a3 a3 a3]
    cox | a3 a3 aC s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 i3 a3 | back i2
    0:draw, 0:lay a3 a3 aC, 0:discard p5, 1:draw, 1:discard i3, 0:draw -> legal lay a3, hold
    0:lay a3 -> laid 0: [a3 a3 a3 aC]
ruling c14 no fourth joins a set with the bank
    cox | a3 a3 BK s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 i3 a3
    0:draw, 0:lay a3 a3 BK, 0:discard p5, 1:draw, 1:discard i3, 0:draw -> kinds discard
ruling c15 a fourth is laid and replaced from the bottom honours too
    cox | f1 f2 f4 s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front f3 | back i2
    0:draw, 0:lay f3 -> laid 0: [f1 f2 f3 f4]; hand 0: s1 s3 p1 p4 g2 i2; kinds discard
sheet b12 a fourth that is drawn may be laid but not bought
    cox | p3 p3 p3 s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 s4 | back i2
    0:draw, 0:discard p5, 1:draw, 1:discard p3 -> kinds draw
    cox | p3 p3 p3 s1 s3 p1 p4 g2 / a1 a2 s2 s4 p2 p5 i1 s5 | front p3 | back i2
    0:draw, 0:lay p3 -> hand 0: s1 s3 p1 p4 g2 i2
rulings r20 r24 lays are offered one after the other until hold
    cox | a3 a3 aC s1 s1 sC p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw -> legal lay a3 a3 aC, lay s1 s1 sC, hold
    0:lay a3 a3 aC -> legal lay s1 s1 sC, hold
    0:hold -> kinds discard
ruling r20 nothing is laid before the first draw and a held fourth may be laid later
    cox | a3 a3 a3 a3 s1 s3 p4 g2 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 i3 p1 | -> kinds draw
    0:draw, 0:hold, 0:discard p5, 1:draw, 1:discard i3, 0:draw -> legal lay a3, hold
a third set is not laid
    # Two sets and a pair are the hand: what could be a third set keeps a card to discard. Ruling C18.
    cox | a3 a3 a3 s1 s1 s1 p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p4
    0:draw -> laid 0: [a3 a3 a3] [s1 s1 s1]; hand 0: p4 p4 p4
    cox | a3 a3 a3 s1 s1 s1 p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front BK
    0:draw -> legal discard p4, discard BK
# selling out
rulings c18 r21 a hand complete as it lies must be sold
    cox | a3 a3 a3 s1 s1 s1 p4 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front p4 | 0:draw, 0:discard p5 -> legal sell
    0:sell -> over
ruling c18 what is not complete is not sold
    # Two colours of honours are no pair; nor are a Captain and the Bank; a Captain is one of his suit.
    cox | a3 a3 a3 s1 s1 s1 p4 p3 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 | 0:draw, 0:discard p5 -> may not sell
    cox | a3 a3 a3 s1 s1 s1 p4 aC / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 | 0:draw, 0:discard p5 -> may not sell
    cox | a3 a3 a3 s1 s1 s1 pC BK / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 | 0:draw, 0:discard p5 -> may not sell
    cox | a3 a3 a3 s1 s1 s1 f4 g4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 | 0:draw, 0:discard p5 -> may not sell
    cox | a3 a3 a3 s1 s1 s1 f4 pC / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 | 0:draw, 0:discard p5 -> may not sell
    cox | a3 a3 a3 s1 s1 sC p4 p3 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:hold, 0:discard p5 -> may not sell
    cox | a3 a3 a3 s1 s1 aC p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 | 0:draw, 0:discard p5 -> may not sell
    cox | a3 a3 aC s1 s2 BK p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:hold, 0:discard p5 -> may not sell
    cox | a3 a3 a3 a3 s1 s1 s1 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:hold, 0:discard p5 -> may not sell
ruling c18 the closing discard cannot be bought
    cox | a3 a3 a3 s1 s1 s1 p4 p5 / p5 p5 a1 a2 s3 f1 g1 i1 | front p4
    0:draw, 0:discard p5 -> asked 0; legal sell
    0:sell -> heard 1: show 0 a3 a3 a3, show 0 s1 s1 s1, 0:draw, 0:discard p5, 0:sell,
        show 1 a1 a2 s3 p5 p5 f1 g1 i1, show 0 p4 p4; over
rulings c18 r21 one that needs a wild card of the rack may be sold
    cox | a3 a3 a3 s1 s1 s1 p4 pC / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:discard p5 -> legal sell, hold
    0:hold -> asked 1
    cox | a3 a3 a3 s1 s1 s1 p4 BK / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:discard p5 -> legal sell, hold
    0:hold -> asked 1
    cox | a3 a3 a3 s1 s1 s1 g4 BK / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:discard p5 -> legal sell, hold
    0:hold -> asked 1
    cox | a3 a3 a3 s1 s1 sC p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:hold, 0:discard p5 -> legal sell, hold
    0:hold -> asked 1
    cox | a3 a3 a3 f1 f2 BK p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:hold, 0:discard p5 -> legal sell, hold
    0:hold -> asked 1
    cox | a3 a3 aC s1 s1 BK p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:hold, 0:discard p5 -> legal sell, hold
    0:hold -> asked 1
    cox | a3 a3 aC s1 s1 BK p4 pC / a1 a2 s2 s4 p2 p3 i1 s5 | front p5
    0:draw, 0:hold, 0:discard p5 -> legal sell, hold
    0:hold -> asked 1
a hand that could be sold and is not leaves its discard to the others
    cox | a3 a3 a3 s1 s1 s1 p4 pC / p5 p5 a1 a2 s3 f1 g1 i1 | front p5
    0:draw, 0:discard p5, 0:hold -> asked 1; legal buy, leave
ruling c27 a hand dealt complete must still take its turn
    cox retailer=1 | a3 a3 a3 s1 s1 s1 p4 p4 / a1 a2 s2 s4 p2 p3 i1 s5 | front p5 s5 | -> asked 1
    1:draw, 1:discard s5 -> asked 0; kinds draw
    0:draw, 0:discard s5 -> legal sell
ruling c20 no bonus for selling out
    cox | a3 a3 a3 s1 s1 s1 p4 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front p4
    0:draw, 0:discard p5, 0:sell -> points 1 -5
# the end of the stock
the quiet discard is the card that was drawn
    cox | s1 s1 s3 s4 p1 p2 p4 p5 / a1 a2 s2 s4 p2 p3 i1 s5 | front p3 | 0:draw -> default discard p3
"""
test_deals = scripted_cases(DEALS, cox=cox)


# --- selling out ---


def complete(held: str, drawn: str) -> ScriptedDeal:
    """Return a deal in which seat 0 holds these cards, and discards the card drawn."""
    return cox([held, OTHER], front=drawn).play("0:draw")


# --- the end of the stock ---


def near_the_end(last: str, held: str = "a3 a3 a3 a3 s1 s3 p4 g2", other: str = OTHER) -> ScriptedDeal:
    """Two have drawn all but the last card and thrown it again; the last is for seat 0 to draw.

    Money that is not the last card was dealt to seat 1, so that nothing more comes from the bottom.
    """
    money = [greenback for greenback in ("$1", "$2", "$3", "$4") if greenback != last]
    cards = other.split()
    hands = [held, " ".join([*money, *cards[len(money) :]])]
    table = cox(hands, back=" ".join([last, *cards[: len(money)]]), retailer=len(money) % 2 == 0)
    assert sorted(rack(table, 1).split()) == sorted(cards)
    while table.deal.stock.left > 1 or table.kinds != {"draw"}:
        table.deal.apply(table.deal.legal_actions.default)
    return table.play("0:draw")


def test_ruling_c24_without_a_stock_the_hand_ends_after_the_last_window() -> None:
    table = near_the_end("s2").play("0:hold")
    assert view(table).bases == (0, 0, 0, 0)
    table.play("0:discard s2")
    assert table.asked is None
    assert not any(event.endswith("sell") for event in view(table).events)
    assert table.result["points"][0] == 5 - 5, "four threes; not clear"


def test_ruling_c29_after_a_buy_the_hand_ends_with_the_buyers_discard() -> None:
    table = near_the_end("s2", "a3 a3 a3 p5 p5 s2 p4 g2", "a1 a2 s2 s2 p3 p5 p5 i1")
    table.play("0:discard s2", "1:buy", "1:lay s2 s2 s2", "1:discard p5")
    assert (table.asked, table.legal) == (0, ["buy", "leave"]), "there is a window again"
    table.play("0:leave")
    assert table.asked is None


def test_ruling_c6_a_fourth_card_that_cannot_be_replaced_ends_the_hand_without_a_discard() -> None:
    table = near_the_end("s2")
    assert table.legal == ["lay a3", "hold"]
    table.play("0:lay a3")
    assert table.asked is None
    assert laid(table) == "[a3 a3 a3 a3]"
    assert len(rack(table).split()) == 5


def test_ruling_c6_a_last_card_that_is_a_greenback_ends_the_hand_without_a_discard() -> None:
    table = near_the_end("$3")
    assert table.asked is None
    assert len(rack(table).split()) == 5
    assert view(table).greenbacks[0][-1:] == PACK.parse("$3")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_c6_base_4_is_never_dry_before_the_stock(players: int) -> None:
    most = 0
    for seed in range(12):
        for match in played(f"base 4 {seed}", players):
            seen = match.view(0)
            assert seen.stock_left == 0 or seen.bases[3] > 0  # type: ignore[attr-defined]
            most = max(most, seen.replaced)  # type: ignore[attr-defined]
    assert 4 <= most <= 12


def test_rulings_c3_c9_what_is_not_built_is_no_option() -> None:
    """Uneven piles and the first to speak: the one is the same game, the other needs a clock."""
    for name in ("cut_noise", "realtime", "pack"):
        with pytest.raises(ValueError, match="no option"):
            variant("cox", **{name: True})
