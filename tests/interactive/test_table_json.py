"""The description of a table for a page: what the seat may know, and how each action is chosen."""

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from arena.games import VARIANTS, Deal, Match, Rules, View, variant
from arena.interactive.table import describe_decision, describe_result, describe_table
from arena.output.words.cards import list_examples
from arena.output.words.family_text import FamilyText, get_family_text
from arena.output.words.seat_names import SeatNames
from arena.play.heuristics import make_heuristic
from tests.games.support.scripted_deal import ScriptedDeal

every_game = pytest.mark.parametrize("rules", VARIANTS, ids=str)
DECISIONS = 25


def decisions(rules: Rules, players: int = 3) -> Iterator[Match]:
    """Yield a match at decisions of good and of random play."""
    rng, heuristic = Random(rules.name), make_heuristic(rules)
    match = rules.match(players, rules.name)
    for _ in range(DECISIONS):
        if match.is_over:
            return
        yield match
        assert match.seat_to_act is not None
        view = match.view(match.seat_to_act)
        match.apply(heuristic.act(view) if rng.random() < 0.5 else rng.choice(view.legal))


def describe(deal: Deal, seat: int) -> str:
    """Return all that the page of a seat gets, as text."""
    names = SeatNames.for_player(["a"] * deal.opening.players, seat)
    return json.dumps([describe_table(deal, seat, names), describe_decision(deal.view(seat), names)])


@every_game
def test_cards_that_a_seat_cannot_see_change_nothing(rules: Rules) -> None:
    compared, rng = 0, Random(rules.name)
    for match in decisions(rules):
        seat = match.seat_to_act
        assert seat is not None
        for sample in match.view(seat).samples(rng, 2):
            compared += sample.deal.hands != match.deal.hands
            assert describe(sample.deal, seat) == describe(match.deal, seat)
    assert compared >= 5


@every_game
def test_every_action_that_names_cards_is_chosen_on_the_table_by_its_places_alone(rules: Rules) -> None:
    for match in decisions(rules):
        seat = match.seat_to_act
        assert seat is not None
        names = SeatNames.for_player(["a"] * match.players, seat)
        table, view = describe_table(match.deal, seat, names), match.view(seat)
        there = places_on(table, seat)
        actions = [
            action for group in describe_decision(view, names)["groups"] for action in group["actions"]
        ]
        assert [action["text"] for action in actions] == [view.text(action) for action in view.legal]
        chosen = Counter([frozenset(action["places"]) for action in actions if action["places"]])
        assert all(places <= there for places in chosen), (chosen, there)
        assert [places for places, times in chosen.items() if times > 1] == []
        named = [action for action in view.legal if not get_family_text(rules).is_plain(action)]
        assert len(chosen) >= len(named)


def places_on(table: dict[str, list[dict[str, list[str]]]], seat: int) -> set[str]:
    """Return the places that the page has something to click on."""
    there = {"stock"} if table["stock"] is not None else set()
    for described in table["seats"]:
        owner = described["seat"]
        there.add(f"seat:{owner}")
        for slot in range(len(described["cards"])):
            there.add(f"hand:{slot}" if owner == seat else f"card:{owner}:{slot}")  # type: ignore[comparison-overlap]
    for pile in table["piles"]:
        there |= {*pile["places"], f"pile:{pile['name']}"}
    return there


def test_known_cards_of_others_are_shown_and_cards_in_front_of_them_are_not_counted_twice() -> None:
    deal = ScriptedDeal("lives", ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"], "JS 9D 3C", dealer=0).play("1:4D>9D")
    [_, taker, _] = describe_table(deal.deal, 0, SeatNames.for_player(["a", "b", "c"], 0))["seats"]
    assert sorted(taker["cards"]) == ["9D", "??", "??"]


def test_a_family_without_words_of_its_own_is_playable(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("lives")
    plain = FamilyText[View, Deal]
    monkeypatch.setattr("arena.interactive.table.get_family_text", lambda rules: plain())
    match = rules.match(3, "any text")
    seat = match.seat_to_act
    assert seat is not None
    names = SeatNames.for_player(["a", "b", "c"], seat)
    table, decision = describe_table(match.deal, seat, names), describe_decision(match.view(seat), names)
    [pile] = table["piles"]
    assert (pile["name"], pile["places"]) == ("table", ["table:0", "table:1", "table:2"])
    assert [action["text"] for group in decision["groups"] for action in group["actions"]][-2:] == [
        "pass",
        "knock",
    ]


def test_the_result_of_a_deal_has_the_hands_that_were_shown_best_first() -> None:
    match = variant("lives", tokens=1).match(3, "any text")
    heuristic = make_heuristic(match.rules)
    deal = match.playout([heuristic.act] * 3)
    names = SeatNames.for_player(["a", "b", "c"], 0)
    result = describe_result(deal, 0, names)
    ranks = [deal.rank_hand(row["seat"]) for row in result["rows"]]
    assert ranks == sorted(ranks, reverse=True)
    assert result["rows"][-1]["outcome"].startswith("loses 1 token")
    shown = {seat["seat"]: seat["cards"] for seat in describe_table(deal, 0, names)["seats"]}
    assert [shown[row["seat"]] for row in result["rows"]] == [row["hand"].split() for row in result["rows"]]


def test_equal_hands_have_the_same_place() -> None:
    rules, names = variant("cambio", deals=1), SeatNames.for_player(["a", "b", "c", "d"], 0)
    heuristic = make_heuristic(rules)
    ties = 0
    for number in range(20):
        deal = rules.match(4, f"deal {number}").playout([heuristic.act] * 4)
        rows = describe_result(deal, 0, names)["rows"]
        ranks = [deal.rank_hand(row["seat"]) for row in rows]
        ties += len(set(ranks)) < len(ranks)
        assert [row["place"] for row in rows] == [1 + sum(other > rank for other in ranks) for rank in ranks]
    assert ties


@pytest.mark.parametrize("name", ["cambio", "cox"])
def test_card_values_are_listed_where_hands_are_counted(name: str) -> None:
    rules = variant(name)
    values = dict(get_family_text(rules).card_values(rules))
    expected = {
        "cambio": {"KH KD": "-1", "R1 R2": "0", "A": "1", "10 J Q KS KC": "10"},
        "cox": {"a5 s5 p5": "3 alike 5, 4 alike 10", "BK": "doubles your points"},
    }
    assert expected[name].items() <= values.items()


def test_examples_show_what_hands_are_worth_where_cards_count_nothing() -> None:
    names = ("lives", "trade-and-barter", "stop-the-bus", "whisky-poker", "cuccu", "cox")
    examples = {name: list_examples(variant(name)) for name in names}
    assert examples["lives"][0] == ("KS KH KD", "three kings")
    assert [words.split()[0] for _, words in examples["lives"][1:]] == ["sequence", "flush,", "pair", "point"]
    assert ("TD JD AD", "point 31, 3 cards") in examples["trade-and-barter"]
    assert [len(examples[name]) for name in names[2:]] == [6, 9, 0, 0]


def test_house_rules_change_the_card_values() -> None:
    rules = variant("cambio", values="11-12-20")
    values = dict(get_family_text(rules).card_values(rules))
    assert (values["A R1 R2"], values["KS KC"]) == ("0", "20")


@every_game
def test_every_action_of_a_built_in_game_is_explained_in_a_first_deal(rules: Rules) -> None:
    text = get_family_text(rules)
    assert text.lesson
    kinds = {action.kind for match in decisions(rules) for action in match.view(match.seat_to_act or 0).legal}
    assert kinds <= text.action_lessons.keys()
