"""The player of trade and barter."""

from math import ceil

import pytest

from arena.families.barter import heuristic as thrifty
from arena.games import variant
from arena.play import Info, play_match
from bots.random_ import Random
from bots.thrifty import Thrifty
from tests.games.support.scripted_deal import ScriptedDeal

OTHERS = ["8S 7S 2D", "QC 9D 4D"]


def answer(table: ScriptedDeal) -> str:
    """Return its action at a table's decision."""
    view = table.view
    info = Info(variant=table.rules.name, options={}, seat=view.seat, players=view.players, key="")
    return view.text(Thrifty(info).act(view))


@pytest.mark.parametrize(
    ("name", "hand", "does"),
    [
        ("ready-money", "AH AD AC", "stand"),
        ("ready-money", "KH KD 3C", "stand"),
        ("ready-money", "KH QH 3C", "barter 3C"),
        ("trade-and-barter", "9H 5H 3C", "barter 3C"),
        ("trade-and-barter-tokens", "AH 4S 2C", "trade 2C"),
        ("trade-and-barter-consent", "AH KH QH", "knock"),
    ],
)
def test_it_stands_on_a_good_hand_and_else_gives_what_promises_least(name: str, hand: str, does: str) -> None:
    assert answer(ScriptedDeal(name, [OTHERS[0], hand, OTHERS[1]])) == does


def test_it_buys_for_nothing_as_the_dealer_and_never_for_a_chip_it_plays_for() -> None:
    hands = ["AH 4C 2S", "8S 7S 2D"]
    told = ScriptedDeal("trade-and-barter", hands, stock="2H").play("1:trade 2D")
    assert answer(told) == "trade 2S"
    alone = ScriptedDeal("ready-money-extended", hands[::-1]).play("1:barter 2S", "0:stand")
    assert answer(alone) == "stand"


def test_it_declines_only_with_a_hand_it_would_knock_on() -> None:
    told = ScriptedDeal("trade-and-barter-consent", ["8S 7S 2D", "QC 9D 4C", "AH KH QH"]).play("1:barter 4C")
    assert answer(told) == "decline"
    told = ScriptedDeal("trade-and-barter-consent", ["8S 7S 2D", "QC 9D 4C", "AH KD 3C"]).play("1:barter 4C")
    assert answer(told).startswith("give")


def test_after_an_exchange_that_was_no_use_it_goes_on() -> None:
    assert (
        answer(ScriptedDeal("ready-money", ["8S 7S 2D", "9H 7H 3C"], stock="4D").play("1:trade 3C"))
        == "continue"
    )


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    "name",
    [
        "ready-money",
        "ready-money-extended",
        "trade-and-barter",
        "trade-and-barter-tokens",
        "trade-and-barter-consent",
        "lives",
    ],
)
def test_it_plays_without_a_fault_and_wins_where_it_knows_the_game(name: str, players: int) -> None:
    wins, matches = 0, 60
    for number in range(matches):
        told = play_match(variant(name), [Thrifty, *[Random] * (players - 1)], seed=str(number))
        assert told["faults"] == []
        wins += told["placings"][0] == 1
    assert wins > 1.3 * matches / players or name == "lives"


def test_a_slot_is_worth_the_rank_reached_with_the_best_quarter_of_the_unseen_cards() -> None:
    view = ScriptedDeal("trade-and-barter", [OTHERS[0], "9H 5H 3C", OTHERS[1]]).view
    rules = view.opening.rules
    info = Info(variant=rules.name, options={}, seat=view.seat, players=view.players, key="")
    unseen = [card for card in rules.whole_pack.cards if card not in view.hand]
    reached = []
    for slot in range(3):
        hands = [(*view.hand[:slot], card, *view.hand[slot + 1 :]) for card in unseen]
        reached.append(sorted([rules.rank(hand) for hand in hands])[-len(unseen) // 4])
    values = Thrifty(info).evaluate(view)
    for slot in range(3):
        for other in range(3):
            assert (values[slot] < values[other]) == (reached[slot] < reached[other])


@pytest.mark.parametrize("name", ["ready-money", "trade-and-barter", "trade-and-barter-tokens"])
def test_it_values_a_slot_by_the_worst_of_the_best_quarter_of_the_unseen_cards(name: str) -> None:
    rules = variant(name)
    bot = thrifty.Thrifty(rules)
    match = rules.match(4, "values")
    decisions = 0
    while not match.is_over and decisions < 60:
        seat = match.seat_to_act
        assert seat is not None
        view = match.view(seat)
        seen = {*view.hand}.union(*view.known)
        unseen = [card for card in rules.whole_pack.cards if card not in seen]
        expected = []
        for slot in range(3):
            hands = [(*view.hand[:slot], card, *view.hand[slot + 1 :]) for card in unseen]
            made = sorted([rules.strengths[a.number][b.number][c.number] for a, b, c in hands])
            expected.append(made[-ceil(len(unseen) / 4)])
        assert bot.evaluate(view) == expected
        match.apply(view.legal[decisions % len(view.legal)])
        decisions += 1
    assert decisions > 10
