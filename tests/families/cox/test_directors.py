"""The start of a hand of Cox's game: pack, Directors' cards, bases and cards laid out at once."""

from collections import Counter

import pytest

from arena.errors import InvalidRules
from arena.families.cox.view import CoxView, supply_base_numbers
from arena.games import Match, variant
from arena.games.stock import Shuffler
from tests.games.support.cox_deals import COX, PACK, cox, played, rack, view
from tests.games.support.scripted_cases import scripted_cases

DEALS = """
# supply bases
rulings c3 c5 four bases of twenty less the hands
    cox | a1 a1 a2 a2 a3 a3 a4 a4 / s1 s1 s2 s2 s3 s3 s4 s4 / p1 p1 p2 p2 p3 p3 p4 p4
        / f1 f2 g1 g2 i1 i2 a5 a5
    -> view stock_left 0: 48; view bases 0: 0 8 20 20
    cox | a1 a1 a2 a2 a3 a3 a4 a4 / s1 s1 s2 s2 s3 s3 s4 s4 / p1 p1 p2 p2 p3 p3 p4 p4
    -> view stock_left 0: 56; view bases 0: 0 16 20 20
    cox | a1 a1 a2 a2 a3 a3 a4 a4 / s1 s1 s2 s2 s3 s3 s4 s4
    -> view stock_left 0: 64; view bases 0: 4 20 20 20
rulings c5 r14 the retailer begins and the turn goes to the right
    cox retailer=1 | a1 a1 a2 a2 a3 a3 a4 a4 / s1 s1 s2 s2 s3 s3 s4 s4 / p1 p1 p2 p2 p3 p3 p4 p4
        / f1 f2 g1 g2 i1 i2 a5 a5 | front p5 s5 a2 s2
    1:draw, 1:discard p5, 0:draw, 0:discard s5, 3:draw, 3:discard a2, 0:leave, 2:draw, 2:discard s2,
        1:leave -> asked 1
sheet b12 a greenback drawn at the first draw takes the bottom card of base 4
    cox | a1 a1 a2 a2 a3 a3 a4 a4 / s1 s1 s2 s2 s3 s3 s4 s4 / p1 p1 p2 p2 p3 p3 p4 p4
        / f1 f2 g1 g2 i1 i2 a5 a5 | front $2 | back i3 i4
    0:draw -> view stock_left 0: 46; view bases 0: 0 7 20 19; hand 0: a1 a1 a2 a2 a3 a3 a4 a4 i4
# what is laid out before the first draw
ruling c7 greenbacks dealt are replaced from the bottom the retailers first
    cox retailer=1 | a1 a1 a2 a2 a3 a3 a4 $2 / s1 s1 s2 s2 s3 s3 $4 s4 / p1 p1 p2 p2 p3 p3 p4 $1
        | back f1 f2 f3
    -> view greenbacks 0: $2 / $4 / $1; hand 1: s1 s1 s2 s2 s3 s3 s4 f3; view replaced 0: 3
rulings c7 c16 three alike dealt are laid out
    cox | a1 a1 a1 f1 f3 f4 s1 s2 / s1 s1 s2 s2 s3 s3 s4 s4 | -> laid 0: [a1 a1 a1] [f1 f3 f4]; hand 0: s1 s2
ruling c7 three alike may come of a replacement
    cox | a1 a1 s5 p1 f3 f4 $1 s2 / s1 s1 s2 s2 s3 s3 s4 s4 | back a1 | -> laid 0: [a1 a1 a1]
rulings r22 r24 of four honours dealt the lowest three are laid and the fourth waits
    cox | g4 g1 g3 g2 a1 a2 s1 s2 / s1 s1 s2 s2 s3 s3 s4 s4 | -> laid 0: [g1 g2 g3]; hand 0: a1 a2 s1 s2 g4
    0:draw -> legal lay g4, hold
"""
test_deals = scripted_cases(DEALS, cox=cox)


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
    ("players", "retailer", "numbers"),
    [(4, 0, (1, 4, 3, 2)), (4, 2, (3, 2, 1, 4)), (3, 1, (2, 1, 3)), (2, 0, (1, 3)), (2, 1, (3, 1))],
)
def test_ruling_c4_bases_are_numbered_from_the_retailer_to_his_right(
    players: int, retailer: int, numbers: tuple[int, ...]
) -> None:
    assert supply_base_numbers(players, retailer) == numbers
    assert view(cox(QUIET[:players], retailer=retailer)).numbers == numbers


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


# --- what is laid out before the first draw ---


def test_ruling_c7_a_replacement_that_is_money_is_replaced_at_once() -> None:
    table = cox(["a1 a1 a2 a2 a3 a3 $2 $3", QUIET[1]], back="i1 f1 g1 $4 a5")
    assert view(table).greenbacks[0] == PACK.parse("$2 $3 $4")
    assert rack(table) == "a1 a1 a2 a2 a3 a3 a5 g1"
    assert view(table).events == ("show 0 $2 $3", "replace 0 a5 $4", "show 0 $4", "replace 0 g1")
    assert view(table, 1).events == ("show 0 $2 $3", "replace 0 ?? ??", "show 0 $4", "replace 0 ??")
