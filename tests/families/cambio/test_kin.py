"""Kin of Cambio as data: Golf with four cards, Cabo, Rat-a-Tat Cat. Sheets B14 to B16."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from arena import play_match, variant
from arena.errors import IllegalAction
from arena.games import Rules
from arena.games.settlement.holdings import Showdown
from arena.play.records.record_check import check_record
from tests.games.support.scripted_deal import ScriptedDeal

KIN = ("golf-four", "cabo", "rat-a-tat")
GOLF = ["2S 3S 4S 5S", "2H 3H 2D KD", "9S 9H 8S 8H"]
CABO = ["1a 2a 3a 4a", "5a 6a 5b 8a", "1b 2b 3b 4b"]
RAT = ["0a 1a 2a 3a", "4a 5a 6a 7a", "8a 9a Pa 0b"]


def golf(hands: list[str] = GOLF, upcard: str = "QS", **more: Any) -> ScriptedDeal:
    return ScriptedDeal("golf-four", hands, upcard, **more)


def cabo(hands: list[str] = CABO, upcard: str = "12a", **more: Any) -> ScriptedDeal:
    return ScriptedDeal("cabo", hands, upcard, **more)


def rat(hands: list[str] = RAT, upcard: str = "9i", **more: Any) -> ScriptedDeal:
    return ScriptedDeal("rat-a-tat", hands, upcard, **more)


def points(table: ScriptedDeal) -> list[int]:
    counted: list[int] = table.result["points"]
    return counted


# --- Golf with four cards: sheet B14 ---


def test_b14_there_are_52_cards_and_the_near_two_are_looked_at() -> None:
    table = golf()
    assert len(table.rules.whole_pack) == 52
    assert [str(card) for card in table.view.hand] == ["2H", "3H", "??", "??"]


def test_b14_a_turn_is_a_draw_or_a_knock() -> None:
    assert golf().legal == ["draw stock", "draw discard", "cambio"]


@pytest.mark.parametrize("card", ["7S", "TS", "JD", "KC"])
def test_b14_no_card_has_a_power(card: str) -> None:
    table = golf(stock=card).play("1:draw stock", "1:discard")
    assert table.asked == 2


def test_b14_a_card_from_the_discard_must_replace_one() -> None:
    assert golf().play("1:draw discard").legal == ["place 1", "place 2", "place 3", "place 4"]


def test_b14_after_a_knock_the_others_have_one_more_turn() -> None:
    table = golf(stock="TS TH").play("1:cambio")
    assert (table.asked, table.legal) == (2, ["draw stock", "draw discard"])
    table.play("2:draw stock", "2:discard", "0:draw stock", "0:discard")
    assert table.asked is None


@pytest.mark.parametrize(
    ("hand", "value"),
    [
        ("KS KH KD KC", 0),
        ("AS 2S 3S TS", 16),
        ("JS QS 9S 8S", 37),
        ("9S 5S 9H 4S", 9),  # a column
        ("9S 5S 9H 5H", 0),  # both
        ("9S 9H 5S 4S", 27),  # beside each other
        ("9S 5S 4S 9H", 27),  # across
        ("9S 9H 9D 5S", 14),  # of three two are in a column
    ],
)
def test_b14_values_and_what_cancels_in_a_column(hand: str, value: int) -> None:
    assert variant("golf-four").rank(hand).value == value


def test_b14_the_sums_are_added_up_over_nine_deals() -> None:
    table = golf(stock="TS TH").play("1:cambio", "2:draw stock", "2:discard", "0:draw stock", "0:discard")
    assert points(table) == [14, 3, 34]
    record = play_match(variant("golf-four"), ["rememberer", "simple"], seed="nine")
    assert len(record["deals"]) == 9
    assert len(play_match(variant("golf-four", deals=2), ["rememberer", "simple"], seed="nine")["deals"]) == 2


@pytest.mark.parametrize(
    ("options", "version"),
    [({}, 1), ({"deals": 9}, 1), ({"scoring": "won"}, 1), ({"scoring": "lives"}, 2), ({"until": 300}, 2)],
)
def test_b14_by_lives_and_with_until_the_match_has_no_usual_end(
    options: dict[str, Any], version: int
) -> None:
    rules = variant("golf-four", **options)
    holdings = rules.settlement.initial_holdings(3)
    assert rules.settlement.is_over(holdings, 9) is (version == 1)
    assert rules.version == version


def test_b14_by_lives_the_last_one_in_wins() -> None:
    rules = variant("golf-four", scoring="lives", tokens=6)
    record = play_match(rules, ["rememberer", "simple", "simple"], seed="lives")
    assert len(record["deals"]) > 9
    assert sorted(record["payoffs"])[:2] == [-6, -6]


# --- Cabo: sheet B15 ---


def test_b15_the_pack_has_the_numbers_0_to_13() -> None:
    cards = variant("cabo").whole_pack.cards
    assert len(cards) == 52
    counts = {rank: sum(card.rank == rank for card in cards) for rank in map(str, range(14))}
    assert counts == {str(number): 2 if number in (0, 13) else 4 for number in range(14)}


def test_b15_several_equal_cards_are_replaced_at_once() -> None:
    table = cabo(stock="0a").play("1:draw stock")
    assert {"place 1,3", "place 2,4", "place 1,2,3,4"} <= set(table.legal)
    table.play("1:place 1,3")
    assert table.hands[1] == "0a 6a 8a"
    assert [str(card) for card in table.view.discard] == ["12a", "5a", "5b"]  # type: ignore[attr-defined]
    assert table.asked == 2


def test_b15_from_the_discard_too() -> None:
    table = cabo(upcard="1c").play("1:draw discard", "1:place 1,3")
    assert table.hands[1] == "1c 6a 8a"
    assert [str(card) for card in table.view.known[1]] == ["1c", "??", "??"]


def test_b15_cards_that_are_not_equal_are_seen_and_stay_with_the_card_drawn() -> None:
    table = cabo(stock="0a").play("1:draw stock", "1:place 1,2")
    assert table.hands[1] == "5a 6a 5b 8a 0a"
    assert table.asked == 2
    assert table.view.events[-4:] == ("1:place 1,2", "seen 1:1 5a", "seen 1:2 6a", "added 1:5")
    assert [str(card) for card in table.view.known[1]] == ["5a", "6a", "??", "??", "??"]
    owner = table.deal.view(1)
    assert [str(card) for card in owner.hand] == ["5a", "6a", "??", "??", "0a"]


@pytest.mark.parametrize(
    ("slots", "hand", "penalties"),
    [
        ("1,2", "5a 6a 5b 8a 0a", ()),
        ("1,2,3", "5a 6a 5b 8a 0a", ()),  # of three that are not all different the third costs nothing
        ("1,2,4", "5a 6a 5b 8a 0a 13a", ("penalty 1:6",)),
        ("1,2,3,4", "5a 6a 5b 8a 0a 13a", ("penalty 1:6",)),
    ],
)
def test_b15_by_option_more_that_differ_cost_more_cards(slots: str, hand: str, penalties: tuple[str]) -> None:
    table = cabo(stock="0a 13a", penalty_cards=True).play("1:draw stock", f"1:place {slots}")
    assert table.hands[1] == hand
    assert tuple(event for event in table.view.events if event.startswith("penalty")) == penalties
    assert str(table.deal.view(1).hand[-1]) == ("??" if penalties else "0a")


def test_b15_by_option_four_different_cards_cost_two_more() -> None:
    hands = ["1a 2a 3a 4a", "5a 6a 7a 8a", "1b 2b 3b 4b"]
    table = cabo(hands, stock="0a 13a 13b", penalty_cards=True).play("1:draw stock", "1:place 1,2,3,4")
    assert table.hands[1] == "5a 6a 7a 8a 0a 13a 13b"


def test_b15_an_empty_stock_is_renewed_or_by_option_ends_the_deal() -> None:
    rng = Random("empty stock")
    renewed = variant("cabo", rounds=100)
    for rules, ends in ((renewed, False), (variant("cabo", rounds=100, renewed=False), True)):
        match = rules.match(players=4, seed="empty stock")
        while match.deal.stock.left and not match.finished_deals:
            legal = match.deal.legal_actions.actions
            calm = [action for action in legal if action.kind not in ("cambio", "place")]
            match.apply(rng.choice(calm or legal))
        while match.deal.drawn and not match.finished_deals:  # type: ignore[attr-defined]
            match.apply(match.parse("discard"))
        while not match.finished_deals and match.deal.legal_actions.default.kind == "skip":
            match.apply(match.parse("skip"))
        assert bool(match.finished_deals) is ends


def test_b15_with_more_than_five_cards_one_at_a_time() -> None:
    hands = ["1a 2a 3a 4a", "5a 6a 5b 8a", "1b 2b 3b 4b"]
    stock = "0a 11a 11b 0b 11c 11d 1c"
    turns = ["2:draw stock", "2:discard", "2:skip", "0:draw stock", "0:discard", "0:skip"]
    table = cabo(hands, stock=stock).play("1:draw stock", "1:place 1,2", *turns)
    table.play("1:draw stock", "1:place 1,2", *turns, "1:draw stock")
    assert len(table.hands[1].split()) == 6
    assert table.legal == [*[f"place {slot}" for slot in range(1, 7)], "discard"]


def test_b15_the_discard_may_be_empty_after_a_penalty() -> None:
    table = cabo().play("1:draw discard", "1:place 1,2")
    assert (table.asked, table.legal) == (2, ["draw stock", "cambio"])


@pytest.mark.parametrize(
    ("card", "kind"),
    [
        ("7a", "peek 1:"),
        ("8b", "peek 1:"),
        ("9a", "peek 0:"),
        ("10a", "peek 0:"),
        ("11a", "swap"),
        ("12b", "swap"),
    ],
)
def test_b15_powers(card: str, kind: str) -> None:
    table = cabo(stock=card).play("1:draw stock", "1:discard")
    assert table.asked == 1
    assert any(text.startswith(kind) for text in table.legal)
    table.play("1:skip")
    assert table.asked == 2


@pytest.mark.parametrize("card", ["0a", "6b", "13a"])
def test_b15_other_cards_have_no_power(card: str) -> None:
    assert cabo(stock=card).play("1:draw stock", "1:discard").asked == 2


LAST = ("2:draw stock", "2:discard", "0:draw stock", "0:discard")


def test_b15_a_caller_with_the_lowest_sum_scores_nothing() -> None:
    hands = ["1a 2a 3a 4a", "0a 0b 1b 1c", "5a 5b 5c 5d"]
    assert points(cabo(hands, stock="6a 6b").play("1:cambio", *LAST)) == [10, 0, 20]
    tied = ["0a 0b 1a 1d", "2a 2b 1b 2c", "5a 5b 5c 5d"]
    tied[0] = "2d 3a 1a 1d"
    assert points(cabo(tied, stock="6a 6b").play("1:cambio", *LAST)) == [7, 0, 20]


def test_b15_a_caller_who_is_not_lowest_pays_ten() -> None:
    hands = ["1a 2a 3a 4a", "6c 6d 1b 1c", "5a 5b 5c 5d"]
    assert points(cabo(hands, stock="6a 6b").play("1:cambio", *LAST)) == [10, 24, 20]
    table = cabo(hands, stock="6a 6b", caller_penalty=3).play("1:cambio", *LAST)
    assert points(table) == [10, 17, 20]


def test_b15_exactly_100_points_fall_to_50() -> None:
    hands = ["1a 2a 3a 4a", "0a 0b 1b 1c", "5a 5b 5c 5d"]
    start = {"points": (90, 70, 79)}
    table = cabo(hands, stock="6a 6b", start=start).play("1:cambio", *LAST)
    assert points(table) == [-40, 0, 20]
    kept = cabo(hands, stock="6a 6b", start=start, halved=False).play("1:cambio", *LAST)
    assert points(kept) == [10, 0, 20]
    less = cabo(hands, stock="6a 6b", start={"points": (10, 0, 0)}, until=20).play("1:cambio", *LAST)
    assert points(less) == [0, 0, 10]


@pytest.mark.parametrize(("fallen", "gained"), [((0, 0, 0), -40), ((0, 1, 1), -40), ((1, 0, 0), 10)])
def test_b15_by_option_points_fall_once_in_a_match(fallen: tuple[int, ...], gained: int) -> None:
    settlement = variant("cabo", halved_once=True).settlement
    usual = settlement.initial_holdings(3)
    assert usual.other == {"halvings": (0, 0, 0)}
    holdings = msgspec.structs.replace(usual, points=(90, 70, 79), other={"halvings": fallen})
    ranks = [variant("cabo").rank(hand) for hand in ("1a 2a 3a 4a", "0a 0b 1b 1c", "5a 5b 5c 5d")]
    changes = settlement.settle(Showdown((1, 2, 0), ranks, holdings, 1))
    assert changes.points == (gained, 0, 20)
    assert changes.other == {"halvings": (int(gained < 0), 0, 0)}


def test_b15_the_match_ends_above_100_points() -> None:
    settlement = variant("cabo").settlement
    usual = settlement.initial_holdings(3)
    for held, ends in (((100, 50, 0), False), ((101, 50, 0), True)):
        holdings = type(usual)(points=held, went_out=usual.went_out)
        assert settlement.is_over(holdings, 4) is ends
    record = play_match(variant("cabo"), ["simple", "random"], seed="end")
    totals = [-points for points in record["payoffs"]]
    assert max(totals) > 100
    assert len(play_match(variant("cabo", deals=2), ["simple", "random"], seed="end")["deals"]) == 2


# --- Rat-a-Tat Cat: sheet B16 ---


def test_b16_the_pack_has_54_cards() -> None:
    cards = variant("rat-a-tat").whole_pack.cards
    counts = {rank: sum(card.rank == rank for card in cards) for rank in {card.rank for card in cards}}
    assert counts == {**{str(number): 4 for number in range(9)}, "9": 9, "P": 3, "S": 3, "D": 3}
    assert len(cards) == 54


def test_b16_the_outer_two_are_looked_at() -> None:
    assert [str(card) for card in rat().view.hand] == ["4a", "??", "??", "7a"]


def test_b16_a_power_card_on_the_discard_cannot_be_taken() -> None:
    table = rat(upcard="Sa")
    assert table.legal == ["draw stock"]
    with pytest.raises(IllegalAction):
        table.play("1:draw discard")


def test_b16_by_option_a_power_card_turned_up_is_shuffled_into_the_stock() -> None:
    table = rat(upcard="Sa", stock="Pb 0d Sa", put_back=True)
    opened = ("returned Sa", "discard Pb", "returned Pb", "discard 0d")
    assert table.view.events == opened
    assert table.legal == ["draw stock", "draw discard"]
    assert rat(put_back=True).view.events == ()
    table.play("1:draw stock", "1:discard")
    assert table.view.events[-2:] == ("1:discard", "discard Sa")


def test_b16_a_power_card_put_back_is_nobodys_and_may_lie_anywhere_in_the_stock() -> None:
    table = rat(upcard="Sa", stock="0d 9c", put_back=True).play("1:draw stock", "1:place 2", "1:continue")
    view, rng = table.deal.view(0), Random("put back")
    drawn: Counter[str] = Counter()
    for _ in range(600):
        deal: Any = view.sample(rng).deal
        dealt = {str(card) for hand in deal.dealt for card in hand}
        assert not dealt & {"Sa", "0d"}
        assert (deal.view(0).events, deal.view(0).known) == (view.events, view.known)
        drawn["next"] += str(deal.stock.copy().draw()) == "Sa"
        drawn["placed"] += str(deal.hands[1][1]) == "Sa"
    assert 5 <= drawn["next"] <= 30  # of 42 places 1: expected is 14
    assert 5 <= drawn["placed"] <= 30


def test_b16_a_power_card_may_be_placed_and_has_no_power_there() -> None:
    table = rat(stock="Sa").play("1:draw stock", "1:place 2", "1:continue")
    assert (table.asked, table.hands[1]) == (2, "4a Sa 6a 7a")


def test_b16_peek_and_swap() -> None:
    table = rat(stock="Pb").play("1:draw stock", "1:discard")
    assert table.legal == ["peek 1:1", "peek 1:2", "peek 1:3", "peek 1:4", "skip"]
    table = rat(stock="Sa").play("1:draw stock", "1:discard", "1:swap 1:1 0:1")
    assert (table.hands[0], table.hands[1]) == ("4a 1a 2a 3a", "0a 5a 6a 7a")


def test_b16_draw_two_gives_a_second_draw_after_a_discard() -> None:
    table = rat(stock="Da 9c 9b").play("1:draw stock", "1:discard")
    assert table.legal == ["draw stock", "skip"]
    table.play("1:draw stock")
    assert table.legal == ["place 1", "place 2", "place 3", "place 4", "discard"]
    table.play("1:discard")
    assert table.legal == ["draw stock", "skip"]
    table.play("1:draw stock", "1:discard")
    assert table.legal == ["cambio", "continue"]


def test_b16_a_card_that_is_placed_ends_the_draws() -> None:
    table = rat(stock="Da 0c").play("1:draw stock", "1:discard", "1:draw stock", "1:place 1")
    assert table.legal == ["cambio", "continue"]


@pytest.mark.parametrize("use", ["1:skip", "1:peek 1:2"])
def test_b16_a_card_with_a_power_ends_the_draws_used_or_not(use: str) -> None:
    table = rat(stock="Da Pb").play("1:draw stock", "1:discard", "1:draw stock", "1:discard", use)
    assert table.legal == ["cambio", "continue"]


def test_b16_the_second_draw_may_be_skipped() -> None:
    table = rat(stock="Da").play("1:draw stock", "1:discard", "1:skip")
    assert table.legal == ["cambio", "continue"]


def test_b16_the_call_follows_a_move() -> None:
    table = rat(stock="9c")
    assert "cambio" not in table.legal
    table.play("1:draw stock", "1:discard", "1:cambio")
    assert table.asked == 2
    assert "cambio" in rat(call_after=False).legal


def test_b16_power_cards_are_exchanged_before_the_count() -> None:
    hands = ["0a Sa 0c Pb", "4a 5a 6a 7a", "8a 9a Pa 0b"]
    table = rat(hands, stock="9c 9d 9e Da 1b 2b 3b")
    table.play("1:draw stock", "1:discard", "1:cambio", "2:draw stock", "2:discard")
    table.play("0:draw stock", "0:discard")
    assert table.asked is None
    assert table.hands == ["0a 2b 0c 3b", "4a 5a 6a 7a", "8a 9a 1b 0b"]
    assert points(table) == [5, 22, 18]
    exchanged = [event for event in table.deal.view(0).events if event.startswith("exchanged")]
    assert exchanged == [
        "exchanged 2:3 Pa>Da",
        "exchanged 2:3 Da>1b",
        "exchanged 0:2 Sa>2b",
        "exchanged 0:4 Pb>3b",
    ]


# --- all of them ---


@pytest.mark.parametrize(
    "rules",
    [
        *map(variant, KIN),
        variant("cabo", penalty_cards=True, renewed=False, halved_once=True),
        variant("rat-a-tat", put_back=True),
    ],
    ids=str,
)
def test_samples_keep_what_a_seat_has_seen(rules: Rules) -> None:
    rng = Random(rules.name)
    for number in range(4):
        match = rules.match(players=3, seed=f"{rules.name}/{number}")
        while (seat := match.seat_to_act) is not None and len(match.finished_deals) < 2:
            view = match.view((seat + 1) % 3)
            again = view.sample(rng).view((seat + 1) % 3)
            assert (again.known, again.events, again.hand) == (view.known, view.events, view.hand)
            match.apply(rng.choice(match.view(seat).legal))


@pytest.mark.parametrize("name", KIN)
def test_bots_play_them_without_a_fault(name: str) -> None:
    record = play_match(variant(name), ["rememberer", "expert", "retuned", "simple"], seed="kin")
    assert record["faults"] == []
    assert check_record(record).matches == 1


@pytest.mark.parametrize("name", KIN)
def test_the_heuristic_is_better_than_the_plain_rule(name: str) -> None:
    ahead = 0
    for number in range(12):
        bots = ["rememberer", "simple"] if number % 2 else ["simple", "rememberer"]
        placings = play_match(variant(name), bots, seed=f"better/{number}")["placings"]
        ahead += placings[bots.index("rememberer")] < placings[bots.index("simple")]
    assert ahead >= 8
