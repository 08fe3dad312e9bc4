"""Views of games with one card each, and samples of them. Sheet B10."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.families.cuckoo.view import CuckooView
from arena.games import Deal, View, variant
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

EVERY_OPTION = [
    {},
    {"horse_passes": True},
    {"expose_kings": True},
    {"stock_king_ok": True},
    {"dealer_three": True},
    {"ace_high": True, "direction": "right"},
    {"horse_passes": True, "expose_kings": True, "dealer_three": True, "pack": 32},
]


def facts(view: View) -> tuple[Any, ...]:
    """All that a view tells, and the events down to the slots of their actions."""
    assert isinstance(view, CuckooView)
    told = [(event.number, event.seat, event.action, event.cards) for event in view.past]
    public = (view.further, view.stock_left, view.holdings, view.order)
    return (view.hand, view.dealt, view.legal, view.events, view.known, told, public)


def known(table: ScriptedDeal, seat: int) -> str:
    """Return the others' cards that a seat knows, by seat."""
    return " ".join([str(hand[0]) if hand else "-" for hand in table.deal.view(seat).known])


def same_to(seat: int, table: ScriptedDeal, other: ScriptedDeal) -> bool:
    return facts(table.deal.view(seat)) == facts(other.deal.view(seat))


test_deals = scripted_cases("""
# what is told of each action
a card is known where it goes next
    cuccu | 9S / 4D / 2H / 7C
    1:swap, 2:swap -> knows 1: - / - / - / 4D; knows 2: - / 2H / - / 4D; knows 3: - / - / 7C / -
after the showdown all cards are known also that of a seat that kept last
    cuccu | 9S / 2H / 4D / 7C | 1:keep, 2:keep, 3:keep, 0:keep -> knows 1: 9S / - / 4D / 7C
a horse that passes is known to all and who swapped past it know each others
    cuccu horse_passes=True | 9S / 4D / QH / 7C
    1:swap -> knows 0: - / - / QH / -; knows 2: - / - / - / -; knows 1: - / - / QH / 4D;
        knows 3: - / 7C / QH / -
""")


# --- what is told of each action ---


def test_at_the_deal_and_by_keeping_nothing_is_known() -> None:
    told, other = (
        ScriptedDeal("cuccu", hands).play("1:keep")
        for hands in (["9S", "4D", "2H", "7C"], ["9S", "KD", "QH", "AC"])
    )
    assert known(told, 0) == "- - - -"
    assert same_to(0, told, other)


def test_only_the_two_seats_of_a_swap_know_each_others_card() -> None:
    told = ScriptedDeal("cuccu", ["9S", "4D", "2H", "7C"]).play("1:swap")
    assert known(told, 1) == "- - 4D -"
    assert known(told, 2) == "- 2H - -"
    assert known(told, 0) == known(told, 3) == "- - - -"
    other = ScriptedDeal("cuccu", ["9S", "2H", "5D", "7C"]).play("1:swap")
    assert same_to(0, told, other)
    assert told.deal.view(0).events == told.deal.view(3).events == ("1:swap",)
    assert told.deal.view(1).events == told.deal.view(2).events == ("1:swap 4D>2H",)


def test_a_refused_king_is_known_to_all() -> None:
    told = ScriptedDeal("cuccu", ["9S", "4D", "KH", "7C"]).play("1:swap")
    assert known(told, 0) == known(told, 1) == "- - KH -"
    assert same_to(0, told, ScriptedDeal("cuccu", ["9S", "5C", "KH", "QC"]).play("1:swap"))


def test_the_dealers_card_from_the_stock_is_his_alone_until_the_end() -> None:
    keeps = ("1:swap", "2:swap", "3:keep")
    deals = [
        ScriptedDeal("cuccu", ["9S", "4D", "2H", "7C"], stock=top).play(*keeps).deal.copy()
        for top in ("5D", "6H")
    ]
    for deal in deals:
        deal.apply(deal.legal_actions.actions[1])
    before = [[event.cards for event in deal.view(1).past][:4] for deal in deals]
    assert before[0] == before[1]
    assert [str(card) for card in deals[0].view(0).past[3].cards] == ["9S", "5D"]
    assert "show 0 5D" in deals[0].view(1).events


def test_a_dealer_who_is_dealt_three_is_the_only_one_to_know_the_other_two() -> None:
    told, other = (
        ScriptedDeal("cuccu", [mine, "4D", "2H"], further, dealer_three=True)
        for mine, further in (("9S", "JD AC"), ("QS", "TD 5C"))
    )
    for seat, seen in ((0, ["JD", "AC"]), (1, ["??", "??"])):
        view = told.deal.view(seat)
        assert isinstance(view, CuckooView)
        assert [str(card) for card in view.further] == seen
    assert same_to(1, told, other)


# --- imagined deals ---


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
@pytest.mark.parametrize("players", [2, 5, 20])
def test_a_sample_shows_the_same_and_can_be_played_on(options: dict[str, Any], players: int) -> None:
    rng = Random(f"{options} {players}")
    match = variant("cuccu", **options).match(players, "imagined")
    while not match.is_over:
        if rng.random() < 0.1:
            view = match.view(rng.randrange(players))
            imagined = view.sample(rng)
            assert facts(imagined.view(view.seat)) == facts(view)
            assert imagined.seat_to_act == match.seat_to_act
            while imagined.deal.to_act is not None:
                imagined.deal.apply(rng.choice(imagined.deal.legal_actions.actions))
        for hand, truth in zip(match.view(0).known, match.deal.hands, strict=True):
            assert hand in ((), truth)
        match.apply(rng.choice(match.deal.legal_actions.actions))


def share(view: View, of: Callable[[Deal], bool], times: int = 3000) -> float:
    """Return how often something is so in sampled deals."""
    rng = Random(7)
    return sum([of(view.sample(rng).deal) for _ in range(times)]) / times


def is_king(seat: int) -> Callable[[Deal], bool]:
    return lambda deal: deal.hands[seat][0].rank == "K"


def test_who_could_not_refuse_had_no_king() -> None:
    """Of 51 cards not seen four are kings: the asker had one as 4 in 50, now his partner has it."""
    view = ScriptedDeal("cuccu", ["9S", "4D", "2H", "7C"]).play("1:swap").deal.view(0)
    assert share(view, is_king(1)) == 0
    assert share(view, is_king(2)) == pytest.approx(4 / 50, abs=0.015)
    assert share(view, is_king(3)) == pytest.approx(4 / 50, abs=0.015)


def test_who_did_not_pass_it_on_had_no_horse_either() -> None:
    """Seat 1 took what seat 2 had, which was neither; what seat 2 has now can be either, as 8 in 50."""
    view = ScriptedDeal("cuccu", ["9S", "4D", "2H", "7C"], horse_passes=True).play("1:swap").deal.view(0)
    assert share(view, lambda deal: deal.hands[1][0].rank in "KQ") == 0
    assert share(view, lambda deal: deal.hands[2][0].rank in "KQ") == pytest.approx(8 / 50, abs=0.02)


def test_a_dealer_with_three_cards_is_sampled_with_the_best_of_three() -> None:
    view = ScriptedDeal("cuccu", ["9S", "4D", "2H"], "JD AC", dealer_three=True).deal.view(1)
    none = 47 * 46 * 45 / (51 * 50 * 49)
    assert share(view, is_king(0)) == pytest.approx(1 - none, abs=0.025)
