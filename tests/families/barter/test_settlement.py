"""Trade and barter: ranks and settlement. Sheets B2, B3; rulings B8-B14, B18-B20, R16-R19."""

from typing import Any

import msgspec
import pytest

from arena.errors import InvalidNotation, UnknownOption
from arena.games import variant
from arena.games.settlement.holdings import Holdings
from tests.games.support.scripted_deal import ScriptedDeal

Told = dict[str, Any]
FOUR = ["AH AD 5S", "KH KD 3C", "8S 7S 2D", "QC JC 9C"]


def played(name: str, hands: list[str], *actions: str, stock: str = "", **options: Any) -> Told:
    """Return the changes of a deal; seat 0 deals, and if nothing is told seat 1 is content at once."""
    word = "1:stand" if name.startswith("ready") else "1:knock"
    start = options.pop("start", None)
    return ScriptedDeal(name, hands, stock=stock, start=start, **options).play(*actions or [word]).result


# --- what hands are worth ---


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9D 7D 5D", "AS KS 7H"),  # sheet B3 test 1: 21 with three cards, 21 with two
        ("2S 2H 2D", "AS KS QS"),
        ("4D 3D 2D", "AS KS JS"),
        ("AS KS QS", "KS QS JS"),
        ("AS KS 2S", "AH 9H 2H"),
        ("7H 6H 5S", "7C 5C AD"),
        ("2C 3C AD", "7C 7D KH"),
    ],
)
def test_b12_b13_trade_and_barter_ranks_tricon_sequence_and_the_point_of_one_suit(
    better: str, worse: str
) -> None:
    rules = variant("trade-and-barter")
    assert rules.rank(better) > rules.rank(worse)


@pytest.mark.parametrize(
    ("hand", "category"),
    [
        ("AS KS 2S", "point"),  # test 3: no sequence
        ("7C 7D KH", "nothing"),  # test 4: a pair is nothing
        ("7H 6H 5S", "point"),  # test 6
        ("KH KD KC", "tricon"),
        ("QH JH TH", "sequence"),
    ],
)
def test_b12_sheet_b3_what_a_hand_is(hand: str, category: str) -> None:
    assert variant("trade-and-barter").rank(hand).category == category


def test_b12_hands_that_are_nothing_are_all_alike() -> None:
    rules = variant("trade-and-barter")
    assert rules.rank("7C 7D KH") == rules.rank("2C 3D 4H")


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("ready-money", "sequence"),
        ("ready-money-extended", "sequence"),
        ("trade-and-barter", "sequence"),
        ("trade-and-barter-tokens", "point"),
        ("trade-and-barter-consent", "point"),
    ],
)
def test_w16_r18_sheet_b3_test_3_the_low_ace_follows_the_source(name: str, category: str) -> None:
    assert variant(name).rank("AH 3H 2H").category == category
    assert variant(name, alow=category == "point").rank("AH 3H 2H").category != category


def test_b21_king_ace_two_is_no_sequence() -> None:
    assert variant("ready-money").rank("KH AH 2H").category == "flush"


def test_w17_in_ready_money_the_point_decides_between_flushes() -> None:
    by_point, by_cards = variant("ready-money"), variant("ready-money", flush="cards")
    assert by_point.rank("KS QS 9S") > by_point.rank("AH 4H 2H")
    assert by_cards.rank("KS QS 9S") < by_cards.rank("AH 4H 2H")


def test_r9_r16_the_extended_form_does_not_recognise_pair_and_point() -> None:
    rules = variant("ready-money-extended")
    assert rules.rank("AH AD KC").category == "nothing"
    assert rules.rank("AH AD KC") > rules.rank("8S 7S 2D")


@pytest.mark.parametrize("name", ["ready-money", "trade-and-barter"])
@pytest.mark.parametrize("hand", ["AH AD", "AH AD AC AS", "AH AH AD"])
def test_a_hand_is_three_cards(name: str, hand: str) -> None:
    with pytest.raises(InvalidNotation):
        variant(name).rank(hand)


# --- during the deal ---


def test_b8_the_antes_are_paid_when_the_deal_begins_the_dealers_twice_in_ready_money() -> None:
    holdings = ScriptedDeal("ready-money", FOUR).view.holdings
    assert (holdings.chips, holdings.pool) == ((-2, -1, -1, -1), 5)
    holdings = ScriptedDeal("trade-and-barter", FOUR, dealer=2, stake=3).view.holdings
    assert (holdings.chips, holdings.pool) == ((-3, -3, -3, -3), 12)


def test_b4_a_trade_is_paid_to_the_dealer_at_once_and_his_own_is_free() -> None:
    told = ScriptedDeal("ready-money", FOUR, stock="7D 8D 9D TD").play("1:trade 3C")
    assert told.view.holdings.chips == (-1, -2, -1, -1)
    told.play("1:continue", "2:trade 2D", "2:continue", "3:trade 9C", "3:continue", "0:trade 5S")
    assert told.view.holdings.chips == (1, -2, -2, -2)


@pytest.mark.parametrize(
    ("options", "price"), [({}, 1), ({"trade_price": 2}, 2), ({"trade_price": 0}, 0), ({"stake": 3}, 3)]
)
def test_b4_a_trade_costs_so_many_stakes(options: Told, price: int) -> None:
    before = ScriptedDeal("ready-money", FOUR, **options).view.holdings.chips
    after = ScriptedDeal("ready-money", FOUR, stock="7D", **options).play("1:trade 3C").view.holdings.chips
    assert before is not None
    assert after == (before[0] + price, before[1] - price, *before[2:])


# --- ready money: the showdown ---


def test_b9_the_dealer_pays_the_winner_a_stake_unless_he_wins_himself() -> None:
    hands = ["8S 7S 2D", "AH AD 5S", "KH KD 3C", "QC JD 9C"]
    assert played("ready-money", hands)["chips"] == [-3, 5, -1, -1]
    assert played("ready-money", hands, dealer_stake=False)["chips"] == [-2, 4, -1, -1]


@pytest.mark.parametrize(
    ("penalty", "chips"), [("each", [-2, -4, 0, 6]), ("best", [-3, -2, -1, 6]), ("none", [-3, -1, -1, 5])]
)
def test_b10_a_beaten_stander_pays_each_better_hand_the_best_or_none(penalty: str, chips: list[int]) -> None:
    hands = ["AH AD 5S", "8S 7S 2D", "KH KD 3C", "QC JC 9C"]
    assert played("ready-money", hands, stand_penalty=penalty)["chips"] == chips


def test_b10_an_equal_hand_is_not_better() -> None:
    hands = ["8S 7S 2D", "KH QD 3C", "KS QC 3D", "9C 4H 2S"]
    assert played("ready-money", hands)["chips"] == [-3, 5, -1, -1]


def test_b22_the_partner_who_stands_when_asked_carries_the_risk() -> None:
    hands = ["8S 7S 2D", "AH AD 5S", "KH KD 3C", "9C 4H 2S"]
    told = played("ready-money", hands, "1:barter 5S", "2:stand")
    assert told["chips"] == [-3, 6, -2, -1]


def test_b16_after_the_last_round_nobody_pays_for_having_stood() -> None:
    hands = ["AH AD 5S", "8S 7S 2D"]
    told = played(
        "ready-money", hands, "1:trade 2D", "1:continue", "0:trade 5S", "0:continue", stock="3C 4C", rounds=1
    )
    assert told == {"chips": [2, -2], "pool": 0}


@pytest.mark.parametrize(("dealer", "winner"), [(0, 1), (1, 3), (2, 3), (3, 1)])
def test_b18_of_equal_hands_the_first_from_the_dealers_left_wins(dealer: int, winner: int) -> None:
    hands = ["9C 4H 2S", "KH QD 3C", "8S 7S 2D", "KS QC 3D"]
    first = (dealer + 1) % 4
    told = played("ready-money", hands, f"{first}:stand", dealer=dealer)
    assert told["chips"].index(max(told["chips"])) == winner


def test_b18_by_the_option_equal_hands_share_odd_chips_to_the_first() -> None:
    hands = ["9C 4H 2S", "KH QD 3C", "8S 7S 2D", "KS QC 3D"]
    told = played("ready-money", hands, split_pool=True)
    assert told == {"chips": [-3, 2, -1, 2], "pool": 0}
    odd = played("ready-money", hands, split_pool=True, dealer_stake=False)
    assert odd == {"chips": [-2, 2, -1, 1], "pool": 0}


def test_b18_a_dealer_who_shares_owes_no_stake() -> None:
    told = played("ready-money", ["KH QD 3C", "8S 7S 2D", "KS QC 3D"], "1:stand", split_pool=True)
    assert told == {"chips": [1, -3, 2], "pool": 0}


# --- the extended form ---

NOBODY = ["AH AD 5S", "KH QD 3C", "8S 7S 2D"]
ALL_STAND = ["1:stand", "2:stand", "0:stand"]


def test_r16_nobody_pays_for_having_stood() -> None:
    hands = ["AH 9H 5H", "KH QD 3C", "8S 7S 2S"]
    told = played("ready-money-extended", hands, *ALL_STAND)
    assert told == {"chips": [2, -1, -1], "pool": 0}


def test_r16_if_nobody_qualifies_the_pool_stays_for_the_next_deal_and_the_dealer_owes_nothing() -> None:
    told = played("ready-money-extended", NOBODY, *ALL_STAND)
    assert told == {"chips": [-2, -1, -1], "pool": 4}
    won = played("ready-money-extended", ["AH 9H 5H", *NOBODY[1:]], *ALL_STAND, start={"pool": 4})
    assert won == {"chips": [6, -1, -1], "pool": 0}


def test_r16_after_the_last_deal_the_pool_goes_back_odd_chips_to_the_eldest() -> None:
    told = played("ready-money-extended", NOBODY, *ALL_STAND, deals=1)
    assert told == {"chips": [-1, 1, 0], "pool": 0}


def test_r16_a_carried_pool_is_in_the_next_deals_from_its_beginning() -> None:
    match = variant("ready-money-extended").match(3, "carried")
    while match.deal.opening.number == 0 or not match.holdings.pool:
        match.apply(match.deal.legal_actions.default)
    assert match.view(0).holdings.pool == match.holdings.pool + 4


# --- trade and barter ---


def test_r17_a_beaten_knocker_pays_nothing_unless_the_option_says_so() -> None:
    hands = ["9C 4H 2S", "8S 7S 2D", "QC JC TC"]
    assert played("trade-and-barter", hands)["chips"] == [-2, -1, 3]
    assert played("trade-and-barter", hands, stand_penalty="each")["chips"] == [-2, -2, 4]


@pytest.mark.parametrize(("one", "other"), [("AH KH 2C", "AD KD 3C"), ("QH JH TH", "QD JD TD")])
def test_b13_b14_of_equal_hands_the_dealers_is_the_best(one: str, other: str) -> None:
    assert played("trade-and-barter", [one, other, "8S 7S 2D"])["chips"] == [2, -1, -1]
    assert played("trade-and-barter", ["8S 7S 2D", one, other])["chips"] == [-2, 3, -1]


def test_w25_r16_if_all_hands_are_nothing_the_pool_stays() -> None:
    hands = ["AH KD 5S", "KH QD 3C", "8S 7D 2C"]
    assert played("trade-and-barter", hands) == {"chips": [-1, -1, -1], "pool": 3}


# --- tokens ---


def test_b20_the_best_takes_a_token_from_the_worst_and_no_chips_are_needed() -> None:
    hands = ["AH KD 5S", "KH QH 3C", "8S 7S 2C"]
    assert played("trade-and-barter-tokens", hands, "1:trade 3C", "2:knock", stock="4D") == {
        "tokens": [-1, 1, 0]
    }


def test_b20_w23_each_of_several_worst_pays() -> None:
    hands = ["AH KD 5S", "KH QH 3C", "8S 7D 2C"]
    assert played("trade-and-barter-tokens", hands) == {"tokens": [-1, 2, -1]}


def test_b13_r5_the_dealer_is_first_among_equals_and_who_wins_does_not_lose() -> None:
    hands = ["AH KH 5S", "AD KD 3C"]
    assert played("trade-and-barter-tokens", hands) == {"tokens": [1, -1]}


def test_w25_where_all_are_nothing_no_token_moves() -> None:
    hands, trades = ["AH KD 5S", "KH QD 3C"], ["1:trade 3C", "0:trade 5S"]
    assert played("trade-and-barter-tokens", hands, *trades, rounds=1, stock="2S 4C") == {"tokens": [0, 0]}


def test_r17_trades_are_free_for_tokens_unless_they_are_given_a_price() -> None:
    hands = ["AH KD 5S", "KH QH 3C", "8S 7S 2C"]
    told = played("trade-and-barter-tokens", hands, "1:trade 3C", "2:knock", stock="4D", trade_price=2)
    assert told == {"tokens": [-1, 1, 0], "chips": [2, -2, 0]}


# --- consent ---


def test_r19_the_worst_loses_a_token_and_trades_are_paid_in_chips() -> None:
    hands = ["AH KD 5S", "KH QH 3C", "8S 7S 2C"]
    told = played("trade-and-barter-consent", hands, "1:trade 3C", "2:knock", stock="4D")
    assert told == {"tokens": [-1, 0, 0], "chips": [1, -1, 0]}


def test_w20_all_that_tie_for_worst_lose_by_the_option_in_their_sum() -> None:
    hands = ["9D 7D 5D", "AS KS 7H", "AH KH QH"]
    assert played("trade-and-barter-consent", hands) == {"tokens": [0, -1, 0], "chips": [0, 0, 0]}
    told = played("trade-and-barter-consent", hands, bottom_tie="sum")
    assert told == {"tokens": [-1, -1, 0], "chips": [0, 0, 0]}


def test_w20_by_option_of_hands_alike_the_dealers_loses_alone() -> None:
    hands = ["9D 7S 5H", "8S 6H 4D", "AH KH QH"]
    assert played("trade-and-barter-consent", hands)["tokens"] == [-1, -1, 0]
    assert played("trade-and-barter-consent", hands, bottom_tie="seat")["tokens"] == [-1, 0, 0]


def test_w22_nobody_loses_if_nobody_would_be_left() -> None:
    told = played("trade-and-barter-consent", ["AH KD 5S", "KH QD 3C"], start={"tokens": (1, 1)})
    assert told["tokens"] == [0, 0]


def test_r19_places_go_by_tokens_then_by_the_deal_one_went_out_in_then_by_chips() -> None:
    settlement = variant("trade-and-barter-consent").settlement
    holdings = Holdings(tokens=(2, 0, 0, 0), chips=(-9, 5, 1, 3), went_out=(None, 4, 7, 4))
    begin = settlement.initial_holdings(4)
    assert settlement.placings(holdings, begin) == (1, 3, 2, 4)
    level = msgspec.structs.replace(holdings, chips=(-9, 5, 1, 5))
    assert settlement.placings(level, begin) == (1, 3, 2, 3)


def test_r16_extended_has_no_option_for_a_stander_it_has_not() -> None:
    with pytest.raises(UnknownOption, match="no option 'stand_penalty'"):
        variant("ready-money-extended", stand_penalty="best")
    assert variant("ready-money", stand_penalty="best").overrides


def test_r33_w23_tokens_with_a_price_share_the_place_where_they_are_equal() -> None:
    settlement = variant("trade-and-barter-tokens", trade_price=1).settlement
    begin = settlement.initial_holdings(4)
    assert begin.chips == (0, 0, 0, 0)
    over = msgspec.structs.replace(begin, tokens=(5, 5, 2, 0), chips=(-9, 5, 1, 3))
    assert settlement.placings(over, begin) == (1, 1, 3, 4)


# --- the match ---


@pytest.mark.parametrize("name", ["ready-money", "ready-money-extended", "trade-and-barter"])
def test_b19_r17_a_match_for_money_is_one_deal_for_each_player_and_the_most_chips_win(name: str) -> None:
    match = variant(name).match(5, "ledger")
    while not match.is_over:
        match.apply(match.deal.legal_actions.actions[-1])
    assert [deal.opening.dealer for deal in match.finished_deals] == [
        (match.finished_deals[0].opening.dealer + number) % 5 for number in range(5)
    ]
    assert sum(match.payoffs) == 0
    ordered = sorted(match.payoffs, reverse=True)
    assert match.placings == tuple(ordered.index(won) + 1 for won in match.payoffs)


@pytest.mark.parametrize(("deals", "played"), [(1, 1), (7, 7)])
def test_b19_the_number_of_deals_is_an_option(deals: int, played: int) -> None:
    match = variant("ready-money", deals=deals).match(3, "ledger")
    while not match.is_over:
        match.apply(match.deal.legal_actions.actions[-1])
    assert len(match.finished_deals) == played


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ready-money", {"stake": 0}),
        ("ready-money", {"stand_penalty": "all"}),
        ("trade-and-barter", {"barter_dir": "across"}),
        ("trade-and-barter-tokens", {"stake": 2}),
        ("trade-and-barter-consent", {"split_pool": True}),
    ],
)
def test_options_that_are_not_of_the_game_are_refused(name: str, options: Told) -> None:
    with pytest.raises(UnknownOption):
        variant(name, **options)
