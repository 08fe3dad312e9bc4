"""The start of a hand of Cox's game: pack, Directors' cards, bases and cards laid out at once."""

from collections import Counter

import pytest

from arena.errors import InvalidRules
from arena.families.cox.view import CoxView, supply_base_numbers
from arena.games import Match, variant
from arena.games.stock import Shuffler
from tests.games.support.cox_deals import COX, PACK, cox, laid, played, rack, view


def test_s000_the_pack_has_80_cards_64_of_them_of_the_suits() -> None:
    copies = Counter(str(card) for card in PACK.cards)
    assert copies.total() == 80
    assert all(copies[suit + number] == 4 for suit in "asp" for number in "12345")
    assert all(copies[suit + number] == 1 for suit in "fgi$" for number in "1234")
    assert [copies[name] for name in ("aC", "sC", "pC", "BK")] == [1, 1, 1, 1]


def test_s000_two_three_or_four_play() -> None:
    assert list(COX.players) == [2, 3, 4]
    with pytest.raises(InvalidRules, match="it is for 2 to 4 players"):
        COX.match(5, "x")


# --- Directors' cards ---


def roles(players: int, hands: int) -> list[tuple[int, ...]]:
    shuffler = Shuffler("directors")
    return [COX.draw_roles(shuffler, number, players) for number in range(hands)]


@pytest.mark.parametrize(("players", "one_in"), [(4, 7), (3, 5), (2, 3)])
def test_ruling_c1_one_player_has_both_roles_once_in_seven_five_or_three(players: int, one_in: int) -> None:
    hands = 20_000
    both = sum(retailer == wholesaler for retailer, wholesaler in roles(players, hands))
    assert both / hands == pytest.approx(1 / one_in, abs=0.012)  # four standard errors


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_c1_everybody_is_as_likely_to_have_a_role(players: int) -> None:
    drawn = roles(players, 20_000)
    for role in (0, 1):
        for seat in range(players):
            share = sum(seats[role] == seat for seats in drawn) / len(drawn)
            assert share == pytest.approx(1 / players, abs=0.014)


def test_ruling_c2_the_roles_are_drawn_anew_before_each_of_the_four_hands() -> None:
    retailers = set()
    for seed in "abcdefgh":
        match = COX.match(4, seed)
        while not match.is_over:
            match.apply(match.deal.legal_actions.default)
        assert [deal.opening.number for deal in match.finished_deals] == [0, 1, 2, 3]
        assert all(deal.opening.dealer == deal.opening.roles[0] for deal in match.finished_deals)
        retailers.add(tuple([deal.opening.dealer for deal in match.finished_deals]))
    in_turn = {tuple([(first - place) % 4 for place in range(4)]) for first in range(4)}
    assert len(retailers) > 4
    assert not retailers <= in_turn


def test_ruling_c2_a_match_may_have_another_number_of_hands() -> None:
    match = variant("cox", deals=2).match(2, "two")
    while not match.is_over:
        match.apply(match.deal.legal_actions.default)
    assert len(match.finished_deals) == 2


def test_the_roles_of_a_hand_do_not_hang_on_how_the_last_one_went() -> None:
    quiet, last = COX.match(3, "same"), COX.match(3, "same")
    while not quiet.is_over:
        quiet.apply(quiet.deal.legal_actions.default)
    while not last.is_over:
        last.apply(last.deal.legal_actions.actions[-1])
    assert [deal.opening.roles for deal in quiet.finished_deals] == [
        deal.opening.roles for deal in last.finished_deals
    ]


def test_ruling_c30_everybody_knows_the_roles() -> None:
    match = COX.match(4, "open")
    retailer, wholesaler = match.deal.opening.roles
    for seat in range(4):
        seen = match.view(seat)
        assert isinstance(seen, CoxView)
        assert (seen.retailer, seen.wholesaler, seen.dealer) == (retailer, wholesaler, retailer)
    assert match.deal.recorded_roles == {"roles": {"retailer": retailer, "wholesaler": wholesaler}}


# --- supply bases ---


def bases(match: Match) -> tuple[int, ...]:
    seen = match.view(0)
    assert isinstance(seen, CoxView)
    return seen.bases


QUIET = (
    "a1 a1 a2 a2 a3 a3 a4 a4",
    "s1 s1 s2 s2 s3 s3 s4 s4",
    "p1 p1 p2 p2 p3 p3 p4 p4",
    "f1 f2 g1 g2 i1 i2 a5 a5",
)
"""Hands of which nothing is laid out."""


@pytest.mark.parametrize(
    ("players", "left", "expected"),
    [(4, 48, (0, 8, 20, 20)), (3, 56, (0, 16, 20, 20)), (2, 64, (4, 20, 20, 20))],
)
def test_rulings_c3_c5_four_bases_of_twenty_less_the_hands(
    players: int, left: int, expected: tuple[int, ...]
) -> None:
    seen = view(cox(QUIET[:players]))
    assert (seen.stock_left, seen.bases) == (left, expected)


@pytest.mark.parametrize(
    ("players", "retailer", "numbers"),
    [(4, 0, (1, 4, 3, 2)), (4, 2, (3, 2, 1, 4)), (3, 1, (2, 1, 3)), (2, 0, (1, 3)), (2, 1, (3, 1))],
)
def test_ruling_c4_bases_are_numbered_from_the_retailer_to_his_right(
    players: int, retailer: int, numbers: tuple[int, ...]
) -> None:
    assert supply_base_numbers(players, retailer) == numbers
    assert view(cox(QUIET[:players], retailer=retailer)).numbers == numbers


def test_rulings_c5_r14_the_retailer_begins_and_the_turn_goes_to_the_right() -> None:
    table = cox(QUIET, front="p5 s5 a2 s2", retailer=1)
    table.play("1:draw", "1:discard p5", "0:draw", "0:discard s5", "3:draw", "3:discard a2")
    table.play("0:leave", "2:draw", "2:discard s2")
    while table.kinds != {"draw"}:
        table.deal.apply(table.deal.legal_actions.default)
    assert table.asked == 1


def test_sheet_b12_the_first_draw_is_from_base_2_and_then_comes_base_3_and_4() -> None:
    drawn = set()
    for match in played("bases", 4):
        if not match.finished_deals:
            seen = match.view(0)
            draws = sum(event.endswith("draw") for event in seen.events)
            drawn.add(draws)
            assert isinstance(seen, CoxView)
            assert seen.bases[:3] == (0, max(8 - draws, 0), min(max(28 - draws, 0), 20))
    assert {0, 8, 9, 28, 29} <= drawn


def test_sheet_b12_a_greenback_drawn_at_the_first_draw_takes_the_bottom_card_of_base_4() -> None:
    table = cox(QUIET, front="$2", back="i3 i4").play("0:draw")
    seen = view(table)
    assert seen.stock_left == 46
    assert seen.bases == (0, 7, 20, 19)
    assert "i4" in rack(table).split()
    assert "i3" not in rack(table).split()


# --- what is laid out before the first draw ---


def test_ruling_c7_greenbacks_dealt_are_replaced_from_the_bottom_the_retailers_first() -> None:
    hands = ["a1 a1 a2 a2 a3 a3 a4 $2", "s1 s1 s2 s2 s3 s3 $4 s4", "p1 p1 p2 p2 p3 p3 p4 $1"]
    table = cox(hands, back="f1 f2 f3", retailer=1)
    assert view(table).greenbacks == (PACK.parse("$2"), PACK.parse("$4"), PACK.parse("$1"))
    assert [rack(table, seat).split()[-1] for seat in (1, 0, 2)] == ["f3", "f2", "f1"]
    assert view(table).replaced == 3


def test_ruling_c7_a_replacement_that_is_money_is_replaced_at_once() -> None:
    table = cox(["a1 a1 a2 a2 a3 a3 $2 $3", QUIET[1]], back="i1 f1 g1 $4 a5")
    assert view(table).greenbacks[0] == PACK.parse("$2 $3 $4")
    assert rack(table) == "a1 a1 a2 a2 a3 a3 a5 g1"
    assert view(table).events == ("show 0 $2 $3", "replace 0 a5 $4", "show 0 $4", "replace 0 g1")
    assert view(table, 1).events == ("show 0 $2 $3", "replace 0 ?? ??", "show 0 $4", "replace 0 ??")


def test_rulings_c7_c16_three_alike_dealt_are_laid_out() -> None:
    table = cox(["a1 a1 a1 f1 f3 f4 s1 s2", QUIET[1]])
    assert laid(table) == "[a1 a1 a1] [f1 f3 f4]"
    assert rack(table) == "s1 s2"


def test_ruling_c7_three_alike_may_come_of_a_replacement() -> None:
    table = cox(["a1 a1 s5 p1 f3 f4 $1 s2", QUIET[1]], back="a1")
    assert laid(table) == "[a1 a1 a1]"


def test_rulings_r22_r24_of_four_honours_dealt_the_lowest_three_are_laid_and_the_fourth_waits() -> None:
    table = cox(["g4 g1 g3 g2 a1 a2 s1 s2", QUIET[1]])
    assert laid(table) == "[g1 g2 g3]"
    assert rack(table) == "a1 a2 s1 s2 g4"
    table.play("0:draw")
    assert table.legal == ["lay g4", "hold"]
