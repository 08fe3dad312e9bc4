"""A turn at Cox's game: draw, lay, discard, and selling out; and how the stock comes to its end."""

import pytest

from arena.games import variant
from tests.games.support.cox_deals import PACK, cox, laid, played, rack, view
from tests.games.support.scripted_deal import ScriptedDeal

OTHER = "a1 a2 s2 s4 p2 p3 i1 s5"
"""A hand of which nothing is laid out, and that can buy little."""


# --- laying ---


def test_rulings_c8_c16_three_alike_completed_by_a_draw_are_laid_out() -> None:
    table = cox(["s1 s1 s3 s4 p1 p2 p4 p5", OTHER], front="s1").play("0:draw")
    assert laid(table) == "[s1 s1 s1]"
    assert rack(table) == "s3 s4 p1 p2 p4 p5"
    assert table.kinds == {"discard"}


def test_ruling_c8_a_greenback_drawn_is_replaced_and_then_one_card_is_discarded() -> None:
    table = cox(["s1 s1 s3 s4 p1 p2 p4 p5", OTHER], front="$3", back="$1 s1").play("0:draw")
    assert view(table).greenbacks[0] == PACK.parse("$3")
    assert laid(table) == "[s1 s1 s1]", "the replacement may complete a set"
    assert len(rack(table).split()) == 6
    table.play("0:discard p5")
    assert len(rack(table).split()) == 5


def test_ruling_c8_money_for_money_goes_on_until_there_is_a_card() -> None:
    table = cox(["s1 s1 s3 s4 p1 p2 p4 p5", OTHER], front="$3", back="i2 $2 $1").play("0:draw")
    assert view(table).greenbacks[0] == PACK.parse("$3 $1 $2")
    assert rack(table).endswith("i2")


@pytest.mark.parametrize(
    ("held", "offered"),
    [
        ("s1 s1 s3 s4 sC p1 p2 p5", ["lay s1 s1 sC"]),
        ("s1 s1 s3 s4 pC p1 p2 p5", []),
        ("s1 s1 s3 s3 sC p1 p2 p5", ["lay s1 s1 sC", "lay s3 s3 sC"]),
        ("s1 s1 f2 f3 BK p1 p2 p5", ["lay s1 s1 BK", "lay f2 f3 BK"]),
        ("s1 s2 f2 g3 BK sC p2 p5", []),
        ("s1 s1 p2 p5 s5 p4 sC BK", ["lay s1 s1 sC", "lay s1 s1 BK"]),
    ],
)
def test_rulings_c13_c16_sets_with_a_wild_card_are_laid_or_held(held: str, offered: list[str]) -> None:
    table = cox([held, OTHER], front="a5").play("0:draw")
    if offered:
        assert table.legal == [*offered, "hold"]
    else:
        assert table.kinds == {"discard"}


def test_ruling_c13_a_captain_and_the_bank_are_never_in_one_set() -> None:
    table = cox(["p3 pC BK s1 s2 s3 s4 a2", OTHER], front="a5").play("0:draw")
    assert table.kinds == {"discard"}


def test_ruling_c14_a_fourth_may_join_a_captains_set() -> None:
    table = cox(["a3 a3 aC s1 s3 p1 p4 g2", OTHER], front="a3 p5 a3", back="i2")
    table.play("0:draw")
    assert laid(table) == "[a3 a3 a3]", "the third drawn is laid by itself, without the Captain"
    table = cox(["a3 a3 aC s1 s3 p1 p4 g2", OTHER], front="p5 i3 a3", back="i2")
    table.play("0:draw", "0:lay a3 a3 aC", "0:discard p5", "1:draw", "1:discard i3", "0:draw")
    assert table.legal == ["lay a3", "hold"]
    table.play("0:lay a3")
    assert laid(table) == "[a3 a3 a3 aC]"


def test_ruling_c14_no_fourth_joins_a_set_with_the_bank() -> None:
    table = cox(["a3 a3 BK s1 s3 p1 p4 g2", OTHER], front="p5 i3 a3")
    table.play("0:draw", "0:lay a3 a3 BK", "0:discard p5", "1:draw", "1:discard i3", "0:draw")
    assert table.kinds == {"discard"}


def test_ruling_c15_a_fourth_is_laid_and_replaced_from_the_bottom_honours_too() -> None:
    table = cox(["f1 f2 f4 s1 s3 p1 p4 g2", OTHER], front="f3", back="i2")
    table.play("0:draw", "0:lay f3")
    assert laid(table) == "[f1 f2 f3 f4]"
    assert rack(table) == "s1 s3 p1 p4 g2 i2"
    assert table.kinds == {"discard"}


def test_sheet_b12_a_fourth_that_is_drawn_may_be_laid_but_not_bought() -> None:
    table = cox(["p3 p3 p3 s1 s3 p1 p4 g2", OTHER], front="p5 s4", back="i2")
    table.play("0:draw", "0:discard p5", "1:draw", "1:discard p3")
    assert table.kinds == {"draw"}, "three exposed do not buy the fourth"
    table = cox(["p3 p3 p3 s1 s3 p1 p4 g2", OTHER.replace("p3", "p5")], front="p3", back="i2")
    table.play("0:draw", "0:lay p3")
    assert "i2" in rack(table)


def test_rulings_r20_r24_lays_are_offered_one_after_the_other_until_hold() -> None:
    table = cox(["a3 a3 aC s1 s1 sC p4 g2", OTHER], front="p5").play("0:draw")
    assert table.legal == ["lay a3 a3 aC", "lay s1 s1 sC", "hold"]
    table.play("0:lay a3 a3 aC")
    assert table.legal == ["lay s1 s1 sC", "hold"]
    table.play("0:hold")
    assert table.kinds == {"discard"}


def test_ruling_r20_nothing_is_laid_before_the_first_draw_and_a_held_fourth_may_be_laid_later() -> None:
    table = cox(["a3 a3 a3 a3 s1 s3 p4 g2", OTHER], front="p5 i3 p1")
    assert table.kinds == {"draw"}
    table.play("0:draw", "0:hold", "0:discard p5", "1:draw", "1:discard i3", "0:draw")
    assert table.legal == ["lay a3", "hold"]


def test_a_third_set_is_not_laid() -> None:
    """Two sets and a pair are the hand: what could be a third set keeps a card to discard. Ruling C18."""
    table = cox(["a3 a3 a3 s1 s1 s1 p4 p4", OTHER], front="p4").play("0:draw")
    assert laid(table) == "[a3 a3 a3] [s1 s1 s1]"
    assert rack(table) == "p4 p4 p4"
    table = cox(["a3 a3 a3 s1 s1 s1 p4 p4", OTHER], front="BK").play("0:draw")
    assert table.legal == ["discard p4", "discard BK"]


# --- selling out ---


def complete(held: str, drawn: str) -> ScriptedDeal:
    """Return a deal in which seat 0 holds these cards, and discards the card drawn."""
    return cox([held, OTHER], front=drawn).play("0:draw")


def test_rulings_c18_r21_a_hand_complete_as_it_lies_must_be_sold() -> None:
    table = complete("a3 a3 a3 s1 s1 s1 p4 p5", "p4").play("0:discard p5")
    assert table.legal == ["sell"]
    table.play("0:sell")
    assert table.asked is None


@pytest.mark.parametrize(
    ("held", "drawn"),
    [
        ("a3 a3 a3 s1 s1 s1 p4 pC", "p5"),
        ("a3 a3 a3 s1 s1 s1 p4 BK", "p5"),
        ("a3 a3 a3 s1 s1 s1 g4 BK", "p5"),
        ("a3 a3 a3 s1 s1 sC p4 p4", "p5"),
        ("a3 a3 a3 f1 f2 BK p4 p4", "p5"),
        ("a3 a3 aC s1 s1 BK p4 p4", "p5"),
        ("a3 a3 aC s1 s1 BK p4 pC", "p5"),
    ],
)
def test_rulings_c18_r21_one_that_needs_a_wild_card_of_the_rack_may_be_sold(held: str, drawn: str) -> None:
    table = complete(held, drawn)
    if "hold" in table.legal:
        table.play("0:hold")
    table.play(f"0:discard {drawn}")
    assert table.legal == ["sell", "hold"]
    assert cox([held, OTHER], front=drawn).play("0:draw").asked == 0
    table.play("0:hold")
    assert table.asked == 1


@pytest.mark.parametrize(
    "held",
    [
        "a3 a3 a3 s1 s1 s1 p4 p3",
        "a3 a3 a3 s1 s1 s1 p4 aC",
        "a3 a3 a3 s1 s1 s1 pC BK",
        "a3 a3 a3 s1 s1 s1 f4 g4",
        "a3 a3 a3 s1 s1 s1 f4 pC",
        "a3 a3 a3 s1 s1 sC p4 p3",
        "a3 a3 a3 s1 s1 aC p4 p4",
        "a3 a3 aC s1 s2 BK p4 p4",
        "a3 a3 a3 a3 s1 s1 s1 p4",
    ],
)
def test_ruling_c18_what_is_not_complete_is_not_sold(held: str) -> None:
    """Two colours of honours are no pair; nor are a Captain and the Bank; a Captain is one of his suit."""
    table = complete(held, "p5")
    if "hold" in table.legal:
        table.play("0:hold")
    table.play("0:discard p5")
    assert "sell" not in table.legal


def test_ruling_c18_the_closing_discard_cannot_be_bought() -> None:
    table = cox(["a3 a3 a3 s1 s1 s1 p4 p5", "p5 p5 a1 a2 s3 f1 g1 i1"], front="p4")
    table.play("0:draw", "0:discard p5")
    assert (table.asked, table.legal) == (0, ["sell"])
    table.play("0:sell")
    assert "1:buy" not in view(table, 1).events
    assert table.asked is None


def test_a_hand_that_could_be_sold_and_is_not_leaves_its_discard_to_the_others() -> None:
    table = cox(["a3 a3 a3 s1 s1 s1 p4 pC", "p5 p5 a1 a2 s3 f1 g1 i1"], front="p5")
    table.play("0:draw", "0:discard p5", "0:hold")
    assert (table.asked, table.legal) == (1, ["buy", "leave"])


def test_ruling_c27_a_hand_dealt_complete_must_still_take_its_turn() -> None:
    table = cox(["a3 a3 a3 s1 s1 s1 p4 p4", OTHER], front="p5 s5", retailer=1)
    assert table.asked == 1
    table.play("1:draw", "1:discard s5")
    assert (table.asked, table.kinds) == (0, {"draw"})
    table.play("0:draw", "0:discard s5")
    assert table.legal == ["sell"]


def test_ruling_c20_no_bonus_for_selling_out() -> None:
    table = complete("a3 a3 a3 s1 s1 s1 p4 p5", "p4").play("0:discard p5", "0:sell")
    assert table.result["points"][0] == 3 + 3 - 5


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


def test_ruling_c6_a_last_card_that_is_a_greenback_ends_the_hand_without_a_discard() -> None:
    table = near_the_end("$3")
    assert table.asked is None
    assert len(rack(table).split()) == 5
    assert view(table).greenbacks[0][-1:] == PACK.parse("$3")


def test_ruling_c6_a_fourth_card_that_cannot_be_replaced_ends_the_hand_without_a_discard() -> None:
    table = near_the_end("s2")
    assert table.legal == ["lay a3", "hold"]
    table.play("0:lay a3")
    assert table.asked is None
    assert laid(table) == "[a3 a3 a3 a3]"
    assert len(rack(table).split()) == 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_c6_base_4_is_never_dry_before_the_stock(players: int) -> None:
    most = 0
    for seed in range(12):
        for match in played(f"base 4 {seed}", players):
            seen = match.view(0)
            assert seen.stock_left == 0 or seen.bases[3] > 0  # type: ignore[attr-defined]
            most = max(most, seen.replaced)  # type: ignore[attr-defined]
    assert 4 <= most <= 12


def test_the_quiet_discard_is_the_card_that_was_drawn() -> None:
    table = cox(["s1 s1 s3 s4 p1 p2 p4 p5", OTHER], front="p3").play("0:draw")
    assert table.view.text(table.deal.legal_actions.default) == "discard p3"


def test_rulings_c3_c9_what_is_not_built_is_no_option() -> None:
    """Uneven piles and the first to speak: the one is the same game, the other needs a clock."""
    for name in ("cut_noise", "realtime", "pack"):
        with pytest.raises(ValueError, match="no option"):
            variant("cox", **{name: True})
