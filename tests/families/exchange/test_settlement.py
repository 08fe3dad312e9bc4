"""Commerce with a widow: who pays whom. Rulings W3-W6, W20-W23, W25, W32, R4, R5, R9, R23, R29."""

from typing import Any

import msgspec
import pytest

from arena.errors import RecordError
from arena.games import variant
from arena.play import play_match
from arena.play.records.record_check import check_record
from tests.games.support.scripted_deal import ScriptedDeal
from tests.play.simple_bots import Anything

WIDOW = "JS 9D 3C"
PAIR_KINGS, PAIR_NINES, HIGH, LOW = "KS KD 5H", "9H 9C 4D", "TD 6C 2H", "5S 4C 2D"
SAME_AS_LOW, SAME_SUM_AS_LOW = "5D 4H 2C", "6S 3H 2C"  # 5 4 2 again, and 11 otherwise


def shown(name: str, *hands: str | None, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    """A deal that is shown down as it was dealt: nobody exchanges."""
    table = ScriptedDeal(name, hands, widow, **more)
    while table.asked is not None and "pass" in table.legal:
        table.play(f"{table.asked}:{'knock' if 'knock' in table.legal else 'pass'}")
    return table


def tokens(*held: int) -> dict[str, Any]:
    return {"tokens": held}


# --- three economies: W3 ---


def test_w3_in_lives_the_worst_loses_a_token_and_the_best_gets_nothing() -> None:
    assert shown("lives", HIGH, PAIR_NINES, PAIR_KINGS).result == {"tokens": [-1, 0, 0]}


def test_w3_r23_the_plain_game_is_lives() -> None:
    assert variant("commerce") is variant("lives")


def test_w3_in_tokens_the_best_takes_a_token_from_the_worst() -> None:
    assert shown("tokens", HIGH, PAIR_NINES, PAIR_KINGS).result == {"tokens": [-1, 0, 1]}


def test_w3_in_pool_the_best_draws_a_prize_and_the_worst_goes_up_one() -> None:
    result = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS).result
    assert result == {"tokens": [-1, 0, 0], "chips": [0, 0, 3], "pool": 36 - 3}


# --- the pool: W4, W5, R4 ---


def test_w4_r4_the_pool_is_formed_once_of_twelve_chips_from_each() -> None:
    begin = variant("pool").settlement.initial_holdings(4)
    assert (begin.tokens, begin.chips, begin.pool) == ((3,) * 4, (-12,) * 4, 48)
    begin = variant("pool", stake=20).settlement.initial_holdings(4)
    assert (begin.chips, begin.pool) == ((-20,) * 4, 80)


def test_w4_the_prize_can_be_agreed_and_is_never_more_than_the_pool_holds() -> None:
    three = (HIGH, PAIR_NINES, PAIR_KINGS)
    assert shown("pool", *three, prize=5).result["chips"] == [0, 0, 5]
    assert shown("pool", *three, start={"pool": 2}).result == {
        "tokens": [-1, 0, 0],
        "chips": [0, 0, 2],
        "pool": 0,
    }


def test_w4_with_an_empty_pool_it_is_played_on_for_lives() -> None:
    result = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, start={"pool": 0}).result
    assert result == {"tokens": [-1, 0, 0], "chips": [0, 0, 0], "pool": 0}


def test_r4_the_prize_is_one_for_each_player_at_the_start_of_the_match() -> None:
    result = shown("pool", HIGH, None, PAIR_KINGS, PAIR_NINES, None).result
    assert result["chips"] == [0, 0, 5, 0, 0]


def test_w5_a_counter_gone_up_adds_nothing_to_the_pool() -> None:
    result = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS).result
    assert result["pool"] == 36 - sum(result["chips"])


# --- buying a horse: W6 ---

RIGHT = {"horse": True}


def test_w6_the_first_to_lose_all_counters_may_buy_one_more_for_a_third_of_the_stake() -> None:
    table = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, start=tokens(1, 3, 3) | RIGHT)
    assert (table.asked, table.legal) == (0, ["horse", "no-horse"])
    table.play("0:horse")
    assert table.result == {"tokens": [0, 0, 0], "chips": [-4, 0, 3], "pool": 36 - 3 + 4}


def test_w6_the_third_is_rounded_up() -> None:
    table = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, stake=10, start=tokens(1, 3, 3) | RIGHT)
    assert table.play("0:horse").result["chips"] == [-4, 0, 3]


def test_w6_the_price_of_a_horse_may_be_agreed() -> None:
    right = tokens(1, 3, 3) | RIGHT
    table = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, horse_price=7, start=right).play("0:horse")
    assert table.result == {"tokens": [0, 0, 0], "chips": [-7, 0, 3], "pool": 36 - 3 + 7}


def test_w6_by_the_option_there_is_no_horse() -> None:
    assert not variant("pool", horse=False).settlement.initial_holdings(3).horse
    match = variant("pool", horse=False, tokens=1).match(3, "x")
    while not match.is_over:
        assert "horse" not in [match.text(action) for action in match.view(match.seat_to_act or 0).legal]
        match.apply(match.deal.legal_actions.default)


def test_w4_by_the_option_each_player_in_a_deal_pays_an_ante() -> None:
    table = ScriptedDeal("pool", [HIGH, PAIR_NINES, PAIR_KINGS, None], WIDOW, ante=2)
    holdings = table.view.holdings
    assert (holdings.chips, holdings.pool) == ((-14, -14, -14, -12), 48 + 6)
    table = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, None, ante=2)
    assert table.result == {"tokens": [-1, 0, 0, 0], "chips": [-2, -2, 2, 0], "pool": 48 + 6 - 4}


def test_w4_antes_can_take_the_place_of_the_stake_and_the_winner_of_the_prize_draws_all() -> None:
    table = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, stake=0, ante=2, prize=1000)
    assert table.result == {"tokens": [-1, 0, 0], "chips": [-2, -2, 4], "pool": 0}


@pytest.mark.parametrize(
    "options", [{}, {"ante": 1}, {"ante": 3, "stake": 0, "horse_price": 2}, {"horse": False}]
)
def test_decision_8_chips_with_an_ante_come_to_the_same_and_all_are_paid_out(options: dict[str, Any]) -> None:
    for seed in range(5):
        record = play_match(variant("pool", tokens=2, **options), [Anything] * 4, str(seed))
        assert sum(record["payoffs"]) == 0
        assert check_record(record).matches == 1


def test_w6_who_declines_is_out() -> None:
    table = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, start=tokens(1, 3, 3) | RIGHT).play("0:no-horse")
    assert table.result == {"tokens": [-1, 0, 0], "chips": [0, 0, 3], "pool": 33}


def test_w6_who_has_counters_left_is_not_asked() -> None:
    assert shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, start=tokens(2, 1, 1) | RIGHT).asked is None


def test_w6_the_right_is_the_first_players_alone() -> None:
    gone = tokens(1, 3, 3) | {"horse": False}
    table = shown("pool", HIGH, PAIR_NINES, PAIR_KINGS, start=gone)
    assert table.result["tokens"] == [-1, 0, 0]


def test_w6_several_who_reach_nought_in_one_deal_are_asked_from_the_dealers_left() -> None:
    table = shown("pool", LOW, PAIR_KINGS, SAME_AS_LOW, dealer=1, start=tokens(1, 3, 1) | RIGHT)
    assert table.asked == 2
    table.play("2:horse")
    assert table.asked == 0
    table.play("0:no-horse")
    assert table.result == {"tokens": [-1, 0, 0], "chips": [0, 3, -4], "pool": 37}


def pool_record(*answers: str) -> dict[str, Any]:
    """Two players; the first loses his last counter, and nobody exchanges."""
    bought = answers[0] == "0:horse"
    first = {
        "dealer": 1,
        "hands": [HIGH, PAIR_KINGS],
        "table": WIDOW,
        "stock": "",
        "actions": ["1:pass", "0:knock", "1:knock", *answers],
        "result": {"tokens": [-1 + bought, 0], "chips": [-4, 2] if bought else [0, 24], "pool": 26 * bought},
    }
    return {
        "v": 1,
        "variant": "pool",
        "options": {},
        "players": 2,
        "start": {"tokens": [1, 2]},
        "deals": [first],
    }


def test_w6_whether_one_is_left_is_looked_at_after_the_offer() -> None:
    record = pool_record("0:horse") | {"payoffs": [-16, -10], "placings": [2, 1]}
    record["deals"].append(
        record["deals"][0]
        | {
            "dealer": 0,
            "actions": ["0:pass", "1:knock", "0:knock"],
            "result": {"tokens": [-1, 0], "chips": [0, 26], "pool": 0},
        }
    )
    record |= {"payoffs": [-16, 16]}
    assert check_record(record).deals == 2  # the horse went too: nobody is asked again, the pool is swept


def test_w6_s002_the_last_one_in_sweeps_the_pool() -> None:
    record = pool_record("0:no-horse")
    assert check_record(record | {"payoffs": [-12, 12], "placings": [2, 1]}).deals == 1


def test_r4_places_go_by_payoff_not_by_counters() -> None:
    rules = variant("pool")
    match = rules.match(players=3, seed="r4")
    while not match.is_over:
        match.apply(match.deal.legal_actions.default)
    by_payoff = sorted(range(3), key=lambda seat: -match.payoffs[seat])
    assert [match.placings[seat] for seat in by_payoff] == sorted(match.placings)
    assert sum(match.payoffs) == 0


# --- ties: W20, W21, W22, W32 ---


def test_w20_hands_alike_in_every_card_lose_together() -> None:
    assert shown("lives", LOW, PAIR_KINGS, SAME_AS_LOW).tokens == [-1, 0, -1]


def test_w20_points_of_one_sum_are_settled_by_their_cards() -> None:
    assert shown("lives", LOW, PAIR_KINGS, SAME_SUM_AS_LOW).tokens == [-1, 0, 0]


def test_w20_by_option_points_of_one_sum_lose_together() -> None:
    assert shown("lives", LOW, PAIR_KINGS, SAME_SUM_AS_LOW, bottom_tie="sum").tokens == [-1, 0, -1]
    pairs = ("9H 9C 4D", "KS KD 5H", "9S 9D 5C")
    assert shown("lives", *pairs, widow="JS 8D 3C", bottom_tie="sum").tokens == [-1, 0, 0]


@pytest.mark.parametrize(("dealer", "loser"), [(0, 0), (1, 0), (2, 2)])
def test_w20_by_option_of_hands_alike_the_last_in_turn_loses_alone(dealer: int, loser: int) -> None:
    """S004: "if still tied, the player to the left of the dealer wins"."""
    told = shown("lives", LOW, PAIR_KINGS, SAME_AS_LOW, dealer=dealer, bottom_tie="seat").tokens
    assert [seat for seat in range(3) if told[seat]] == [loser]
    assert shown("lives", LOW, PAIR_KINGS, SAME_SUM_AS_LOW, bottom_tie="seat").tokens == [-1, 0, 0]


def test_w20_seat_order_never_saves_anybody_from_the_loss() -> None:
    for dealer in range(3):
        assert shown("lives", LOW, PAIR_KINGS, SAME_AS_LOW, dealer=dealer).tokens == [-1, 0, -1]


@pytest.mark.parametrize(("dealer", "winner"), [(0, 1), (1, 2), (2, 1)])
def test_w21_of_equal_best_hands_the_nearest_to_the_dealers_left_wins(dealer: int, winner: int) -> None:
    hands = (HIGH, "KS 9H 8C", "KH 9C 8S")
    assert shown("pool", *hands, dealer=dealer, widow="JS 9D 3C").result["chips"][winner] == 3


def test_w22_if_nobody_would_be_left_nobody_loses() -> None:
    assert shown("lives", LOW, None, SAME_AS_LOW, start=tokens(1, 0, 1)).tokens == [0, 0, 0]
    assert shown("lives", LOW, None, SAME_AS_LOW, start=tokens(1, 0, 2)).tokens == [-1, 0, -1]
    assert shown("lives", LOW, PAIR_KINGS, SAME_AS_LOW, start=tokens(1, 1, 1)).tokens == [-1, 0, -1]


def test_r29_nobody_loses_more_than_he_has() -> None:
    after = shown("lives", LOW, PAIR_KINGS, SAME_AS_LOW, start=tokens(1, 1, 1)).after
    assert after.tokens == (0, 1, 0)
    assert after.went_out == (0, None, 0)


def test_w32_the_widow_is_no_hand_of_its_own() -> None:
    strong, weak = "AS AH AD", "2S 3H 4D"
    three = (HIGH, "9H 9C 4C", PAIR_KINGS)
    for widow in (strong, weak):
        assert shown("lives", *three, widow=widow).result == {"tokens": [-1, 0, 0]}
        assert shown("pool", *three, widow=widow).result["chips"] == [0, 0, 3]


# --- tokens: W23, R5 ---


def test_w23_each_of_several_worst_pays_the_winner() -> None:
    assert shown("tokens", LOW, PAIR_KINGS, SAME_AS_LOW).tokens == [-1, 2, -1]


def test_w23_it_lasts_until_one_owns_all() -> None:
    settlement = variant("tokens").settlement
    after = shown("tokens", LOW, PAIR_KINGS, start=tokens(1, 5)).after
    assert after.tokens == (0, 6)
    assert settlement.is_over(after, 1)


def test_w23_or_fifteen_deals_and_then_most_tokens_win_and_equal_share() -> None:
    settlement = variant("tokens").settlement
    begin = settlement.initial_holdings(3)
    assert not settlement.is_over(begin, 14)
    assert settlement.is_over(begin, 15)
    assert settlement.placings(begin, begin) == (1, 1, 1)
    assert variant("tokens", deals=2).settlement.is_over(begin, 2)
    assert not variant("tokens", deals=0).settlement.is_over(begin, 999)


@pytest.mark.parametrize("name", ["tokens", "pool"])
def test_r5_the_single_winner_is_never_among_the_losers(name: str) -> None:
    result = shown(name, LOW, SAME_AS_LOW).result
    assert result["tokens"] == ([-1, 1] if name == "tokens" else [-1, 0])


# --- no pair or point: W25, R9 ---


def test_w25_r9_pair_and_point_are_nothing_and_rank_below_every_flush_by_their_point() -> None:
    for name in ("no-pair-or-point", "extended"):
        rules = variant(name)
        assert rules.rank("2S 3S 5S").category == "flush"
        assert {rules.rank(hand).category for hand in ("AS AH KD", "AS KH JD", LOW)} == {"nothing"}
        assert rules.rank("2S 3S 5S") > rules.rank("AS KH JD") > rules.rank("9H 9C 4D") > rules.rank(LOW)
        assert rules.rank("AS KH JD") == rules.rank("AH KD JS")


def test_w25_a_hand_that_does_not_qualify_never_wins() -> None:
    assert shown("no-pair-or-point", "2S 3S 6S", PAIR_KINGS, LOW).tokens == [1, 0, -1]
    assert shown("no-pair-or-point", HIGH, PAIR_KINGS, PAIR_NINES).tokens == [0, 0, 0]


def test_w25_in_pool_the_pool_stays_if_nobody_qualifies() -> None:
    result = shown("pool", HIGH, PAIR_KINGS, PAIR_NINES, no_pair_point=True).result
    assert result == {"tokens": [-1, 0, 0], "chips": [0, 0, 0], "pool": 36}


def test_w25_in_extended_the_least_point_loses_whatever_pairs_there_are() -> None:
    """A pair of fours (10) is less than 5 4 2 (11): pairs are not looked at."""
    assert shown("extended", "4S 4H 2C", "5S 6C 2D", PAIR_KINGS).tokens == [-1, 0, 0]


# --- the match ---


def test_s004_places_go_by_tokens_and_then_by_who_went_out_later() -> None:
    settlement = variant("lives").settlement
    holdings = variant("lives").settlement.initial_holdings(4)
    over = msgspec.structs.replace(holdings, tokens=(0, 2, 0, 0), went_out=(3, None, 9, 9))
    assert settlement.is_over(over, 10)
    assert settlement.placings(over, holdings) == (4, 1, 2, 2)
    assert settlement.payoffs(over, holdings) == (-3, -1, -3, -3)


def test_a_record_that_goes_on_after_the_last_one_is_left_is_refused() -> None:
    record = pool_record("0:no-horse")
    record["deals"].append(record["deals"][0])
    with pytest.raises(RecordError, match="deal 2: the match was over before it"):
        check_record(record)
