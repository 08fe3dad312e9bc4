"""Commerce with a widow: players, packs and how hands rank. Rulings W1, W2, W16-W19, W29, W30; sheet B1."""

from collections import Counter

import pytest

from arena.errors import InvalidNotation, InvalidRules
from arena.games import Rules, variant
from tests.games.support.scripted_deal import ScriptedDeal

BY_POINT = {"alow": True, "flush": "point"}


def is_better(rules: Rules, *hands: str) -> bool:
    """True if the hands stand in order, the best first, with no ties."""
    ranks = [rules.rank(hand) for hand in hands]
    return ranks == sorted(ranks, reverse=True) and len(set(ranks)) == len(ranks)


def category(rules: Rules, hand: str) -> str:
    return rules.rank(hand).category


# --- players and packs ---


@pytest.mark.parametrize("name", ["lives", "pool", "tokens", "pounce", "no-pair-or-point", "extended"])
def test_w1_two_to_sixteen_can_play(name: str) -> None:
    assert variant(name).players == range(2, 17)


def test_w1_twelve_play_twelve_rounds_and_leave_two_cards_in_the_stock() -> None:
    match = variant("pool").match(players=12, seed="w1")
    while not match.finished_deals:
        match.apply(match.deal.legal_actions.default)
    deal = match.finished_deals[0]
    eldest = deal.opening.order[0]
    assert [event.seat for event in deal.log].count(eldest) == 12
    assert len(deal.recorded_stock) == 11
    assert deal.stock.left == 2


def test_w1_an_empty_stock_adds_nothing_to_the_widow() -> None:
    match = variant("pool").match(players=16, seed="w1")
    sizes = Counter[int]()
    while not match.finished_deals:
        assert match.seat_to_act is not None
        sizes[len(match.view(match.seat_to_act).table)] += 1
        match.apply(match.deal.legal_actions.default)
    assert sizes == {3: 1 + 16, 4: 15 * 16}  # the dealer's question, a round, and fifteen more


def test_w2_the_pack_is_of_52_cards_40_or_32() -> None:
    assert len(variant("lives").whole_pack) == 52
    assert set(variant("lives", pack=40).whole_pack.ranks) == set("234567JQKA")
    assert set(variant("lives", pack=32).whole_pack.ranks) == set("789TJQKA")
    with pytest.raises(InvalidNotation, match="'9S' is no card of the 40-card pack"):
        variant("lives", pack=40).rank("9S 9H 9D")


def test_w2_with_40_cards_the_knave_follows_the_seven() -> None:
    forty = variant("lives", pack=40)
    assert is_better(forty, "AS KS QS", "QS JS 7S", "JS 7S 6S", "7S 6S 5S")
    assert category(forty, "JS 7S 6S") == "sequence"
    assert category(variant("lives"), "JS 7S 6S") == "flush"
    assert category(variant("lives", pack=40, alow=True), "AS 2S 3S") == "sequence"


def test_w2_with_32_cards_the_ace_is_never_low() -> None:
    short = variant("lives", pack=32, alow=True)
    assert category(short, "AS 7S 8S") == "flush"
    assert category(short, "9S 7S 8S") == "sequence"


def test_w30_as_many_play_as_leave_the_widow_and_a_card_of_stock() -> None:
    assert variant("lives", pack=32).players == range(2, 10)
    assert variant("lives", pack=40).players == range(2, 13)
    with pytest.raises(InvalidRules, match=r"10 players need 30 cards, the table 3 .* the pack has 32"):
        variant("lives", pack=32).match(players=10, seed="")


# --- the first dealer, and the next ---


def test_w29_the_first_dealer_is_left_to_chance_and_eldest_is_on_his_left() -> None:
    rules = variant("lives")
    matches = [rules.match(players=4, seed=str(seed)) for seed in range(200)]
    dealers = Counter(match.deal.opening.dealer for match in matches)
    assert sorted(dealers) == [0, 1, 2, 3]
    assert min(dealers.values()) > 25  # of 50, standard deviation 6
    assert all(match.seat_to_act == (match.deal.opening.dealer + 1) % 4 for match in matches)


def test_w29_the_deal_goes_to_the_left_and_passes_over_who_is_out() -> None:
    match = variant("lives").match(players=4, seed="w29")
    while not match.is_over:
        match.apply(match.deal.legal_actions.default)
    for before, after in zip(match.finished_deals, match.finished_deals[1:], strict=False):
        order = before.opening.order
        left_in = [seat for seat in order if after.opening.holdings.went_out[seat] is None]
        assert after.opening.dealer == left_in[0]
        assert set(after.opening.order) == set(left_in)
    assert any(len(deal.opening.order) == 3 for deal in match.finished_deals)


def test_r14_the_next_seat_is_the_next_number() -> None:
    table = ScriptedDeal("lives", ["TD 6C 2H", "9H 9C 4D", "KS QS 5H", "AS AH 7C"], "JS 9D 3C", dealer=2)
    asked = []
    for _ in range(8):
        asked.append(table.asked)
        table.play(f"{table.asked}:pass")
    assert asked == [3, 0, 1, 2, 3, 0, 1, 2]


# --- how hands rank ---


def test_the_five_categories_stand_in_order() -> None:
    """Source: S002, S003, S004. Four is there by Pounce alone."""
    hands = ["2S 2H 2D", "4S 3S 2S", "5S 3S 2S", "2S 2H 3D", "AS KH JD"]
    assert [category(variant("lives"), hand) for hand in hands] == [
        "tricon",
        "sequence",
        "flush",
        "pair",
        "point",
    ]
    assert is_better(variant("lives"), *hands)


@pytest.mark.parametrize("name", ["pool"])
def test_w16_the_ace_is_low_in_the_games_of_s002(name: str) -> None:
    rules = variant(name)
    assert category(rules, "AS 2S 3S") == "sequence"
    assert is_better(rules, "AS KS QS", "4S 3S 2S", "3S 2S AS")
    assert category(rules, "KS AS 2S") == "flush"


@pytest.mark.parametrize("name", ["lives", "tokens", "pounce", "no-pair-or-point", "extended"])
def test_w16_r18_the_ace_is_high_alone_in_the_games_of_s003_and_s004(name: str) -> None:
    assert category(variant(name), "AS 2S 3S") == "flush"
    assert category(variant(name, alow=True), "AS 2S 3S") == "sequence"


def test_w17_flushes_compare_by_point_in_s002_and_card_by_card_in_s003_and_s004() -> None:
    ace_high, king_high = "AH 4H 2H", "KS QS 9S"  # 17 and 29
    assert is_better(variant("pool"), king_high, ace_high)
    for name in ("lives", "tokens", "no-pair-or-point", "extended"):
        assert is_better(variant(name), ace_high, king_high)
    assert is_better(variant("lives", flush="point"), king_high, ace_high)


def test_w17_equal_points_of_flushes_are_settled_card_by_card() -> None:
    assert is_better(variant("pool"), "AH 7H 2H", "KS 8S 2S")  # both 20
    assert variant("pool").rank("KS 8S 2S") == variant("pool").rank("KD 8D 2D")


def test_w18_equal_pairs_are_settled_by_the_third_card_and_then_tie() -> None:
    rules = variant("lives")
    assert is_better(rules, "7C 7D AS", "7H 7S KD", "6H 6S AD", "6C 6D KC")
    assert rules.rank("7C 7D AS") == rules.rank("7H 7S AD")


@pytest.mark.parametrize("name", ["lives", "pool", "tokens"])
def test_w19_points_are_all_three_cards_whatever_their_suits_then_card_by_card(name: str) -> None:
    rules = variant(name)
    assert is_better(rules, "AS KH JD", "AS 9H 8D", "KS 9H 8D")  # 31, 28, 27
    assert is_better(rules, "KS 9H 8D", "QS 9H 8D", "JS 9H 8D", "TS 9H 8D")  # 27 all
    assert rules.rank("KS 9H 8D") == rules.rank("KH 9D 8S")


def test_b1_examples_one_to_six() -> None:
    rules = variant("pounce", **BY_POINT)
    assert is_better(rules, "2S 2H 2D", "AS KS QS")
    assert is_better(rules, "4D 3D 2D", "3C 2C AC")
    off = variant("lives")
    assert category(off, "3C 2C AC") == "flush"
    assert is_better(off, "AC 4C 2C", "3C 2C AC", "KS QS 9S")
    assert is_better(rules, "KS QS 9S", "AH 4H 2H")
    assert is_better(rules, "7C 7D AS", "7H 7S KD")
    assert is_better(rules, "2C 2D AS", "AS KH JD")
    assert is_better(rules, "9H 9C 9D 9S", "AS AH AD")
    assert category(rules, "9H 9C 9D 9S") == "four"


def test_a_hand_of_another_size_or_with_a_card_twice_is_none() -> None:
    for hand in ("AS KS", "AS KS QS JS", "9H 9C 9D 8S", "AS KS QS JS TS", "AS AS KD", "AS KS XX", ""):
        with pytest.raises(InvalidNotation):
            variant("lives").rank(hand)
