"""Rulings that bind several games, or part one from another: W31, R7, R14, R18, R31."""

import pytest

from arena.games import VARIANTS, variant
from tests.games.support.scripted_deal import ScriptedDeal

ORDINARY = ["TD 7C 2H", "9H 8C 4D", "KS QS 5H"]


def test_w31_barter_is_with_the_next_player_who_may_decline_where_s004_says_so() -> None:
    table = ScriptedDeal("trade-and-barter-consent", ORDINARY, stock="3C").play("1:barter 9H")
    assert table.asked == 2
    assert "decline" in table.legal
    table.play("2:decline")
    assert (table.asked, table.hands[1]) == (1, "9H 8C 4D")
    table.play("1:trade 9H")
    assert (table.asked, table.hands[1]) == (2, "3C 8C 4D")


def test_w31_elsewhere_the_next_player_may_not_decline() -> None:
    for name in ("trade-and-barter", "trade-and-barter-tokens"):
        table = ScriptedDeal(name, ORDINARY).play("1:barter 9H")
        assert (table.asked, table.legal) == (2, ["give KS", "give QS", "give 5H"])


def test_r7_in_trentuno_31_ends_nothing_by_itself() -> None:
    table = ScriptedDeal("trentuno", ["JD 7C 2H", "AH KH JH", "KS QS 5H"], "AS 7D 3C")
    assert table.asked == 1
    assert {"exchange", "pass", "knock"} == table.kinds
    assert table.play("1:knock", "2:pass", "0:pass").tokens == [-1, 0, 0]


def test_r7_in_schwimmen_the_dealer_chooses_before_31_is_shown() -> None:
    table = ScriptedDeal("schwimmen", ["TD 7C 8H", "AH KH JH", "KS QS 7H"], "AS 9D 8C")
    assert (table.asked, table.legal) == (0, ["keep", "take"])
    table.play("0:keep")
    assert table.asked is None
    assert table.result == {"tokens": [-1, 0, 0]}


def test_r7_they_are_shown_from_the_dealers_left() -> None:
    table = ScriptedDeal("schwimmen", ["TD 7C 8H", "AH KH JH", "AS KS QS"], "9C 9D 8C", dealer=1).play(
        "1:take"
    )
    shown = [event for event in table.deal.view(0).events if event.startswith("show")]
    assert shown[0] == "show 2 AS KS QS"
    assert table.tokens == [-1, 0, 0]  # 10 against 17: he has turned 31 up himself


def test_r14_the_next_seat_is_the_next_number_but_in_cox() -> None:
    step = {rules.name: rules.step for rules in VARIANTS}
    assert step.pop("cox") == -1
    assert set(step.values()) == {1}


def test_r30_the_direction_is_an_option_where_it_differs_from_country_to_country() -> None:
    for name in ("cuccu", "trentuno", "trentuno-draw"):
        assert variant(name, direction="right").step == -1
        match = variant(name, direction="right").match(4, "r30")
        assert match.deal.opening.order[0] == (match.deal.opening.dealer - 1) % 4


S001_S002 = ("pool", "ready-money", "ready-money-extended", "trade-and-barter")
S003_S004 = ("lives", "tokens", "extended", "trade-and-barter-tokens", "trade-and-barter-consent")


def test_r18_the_ace_is_low_in_the_games_of_s001_and_s002_alone() -> None:
    assert {variant(name).rank("AS 2S 3S").category for name in S001_S002} == {"sequence"}
    assert "sequence" not in {variant(name).rank("AS 2S 3S").category for name in S003_S004}


FOR_EVER = [
    "lives",
    "extended",
    "trentuno",
    "schwimmen",
    "trade-and-barter",
    "ready-money",
    "thirty-one",
    "cambio",
]


@pytest.mark.parametrize("name", FOR_EVER)
def test_r31_no_deal_goes_on_for_more_than_twenty_rounds(name: str) -> None:
    match = variant(name).match(3, "r31")
    dealer_asked = 1  # Schwimmen's dealer chooses before the first round
    while not match.finished_deals:
        match.apply(match.deal.legal_actions.actions[0])
    turns = [
        event
        for event in match.finished_deals[0].log
        if event.action.kind in ("exchange", "trade", "draw", "pass")
    ]
    assert 0 < len(turns) <= 20 * 3 + dealer_asked
