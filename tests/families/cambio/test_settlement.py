"""Cambio: how a deal is counted and a match is won. Sheet B11, ruling R15."""

from typing import Any

import pytest

from arena.games import Match, variant
from arena.games.seat_calculations import Counts
from arena.games.settlement.holdings import Changes, Showdown


def counted(*hands: str, caller: int | None, **options: Any) -> Changes:
    """Return the changes when these hands are shown after that seat's call."""
    rules = variant("cambio", **options)
    holdings = rules.settlement.initial_holdings(len(hands))
    ranks = [rules.rank(hand) for hand in hands]
    order = (*range(1, len(hands)), 0)
    return rules.settlement.settle(Showdown(order, ranks, holdings, caller))


def played(players: int, **options: Any) -> Match:
    """A match in which everybody calls at once or draws and discards."""
    match = variant("cambio", **options).match(players=players, seed="forms")
    while not match.is_over:
        call = [action for action in match.deal.legal_actions.actions if action.kind == "cambio"]
        match.apply(call[0] if call else match.deal.legal_actions.default)
    return match


def totals(match: Match) -> Counts:
    changes = [deal.changes.points for deal in match.finished_deals if deal.changes and deal.changes.points]
    return tuple(map(sum, zip(*changes, strict=True)))


# --- by sum ---


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_r15_a_match_is_one_deal_for_each_player(players: int) -> None:
    match = played(players)
    assert [deal.opening.number for deal in match.finished_deals] == list(range(players))
    assert {deal.opening.dealer for deal in match.finished_deals} == set(range(players))


def test_r15_the_sums_are_added_up_and_the_payoff_is_their_negation() -> None:
    match = played(4)
    assert totals(match) == tuple([-payoff for payoff in match.payoffs])
    assert match.holdings.points == totals(match)
    best = min(totals(match))
    assert [placing == 1 for placing in match.placings] == [total == best for total in totals(match)]


def test_r15_a_tie_with_the_caller_changes_nothing_by_sum() -> None:
    hands = ("TS JS QS KS", "5H R1 R2 KD", "2C 3C KH AC", "3S 4S AS AH")
    assert counted(*hands, caller=1) == Changes(points=(40, 4, 5, 9))
    tied = ("TS JS QS KS", "2H 3H R1 R2", "2C 3C KH AC", "3S 4S AS AH")
    assert counted(*tied, caller=1) == counted(*tied, caller=2) == Changes(points=(40, 5, 5, 9))


def test_b11_a_caller_who_is_not_lowest_has_no_penalty() -> None:
    assert counted("2S 3S", "5H 6H", caller=1) == Changes(points=(5, 11))


def test_b11_option_a_caller_who_is_not_lowest_is_charged() -> None:
    assert counted("2S 3S", "5H 6H", caller=1, caller_penalty=10) == Changes(points=(5, 21))
    assert counted("2S 3S", "5H 6H", caller=0, caller_penalty=10) == Changes(points=(5, 11))
    assert counted("2S 3S", "5H 6H", caller=None, caller_penalty=10) == Changes(points=(5, 11))


def test_r15_a_caller_who_ties_for_lowest_is_not_charged() -> None:
    assert counted("2S 3S", "5H", caller=1, caller_penalty=10) == Changes(points=(5, 5))


def test_option_deals() -> None:
    assert len(played(3, deals=7).finished_deals) == 7


def test_b11_option_until_somebody_has_a_hundred() -> None:
    match = played(2, until=100)
    assert max(totals(match)) >= 100
    without_the_last = match.finished_deals[-1].opening.holdings.points
    assert without_the_last is not None
    assert max(without_the_last) < 100


def test_until_and_deals_end_a_match_whichever_comes_first() -> None:
    assert len(played(2, until=1000, deals=3).finished_deals) == 3


# --- by deals won ---


def test_b11_test_4_in_a_tie_with_the_caller_the_other_wins() -> None:
    hands = ("TS JS QS KS", "2H 3H R1 R2", "2C 3C KH AC", "3S 4S AS AH")
    assert counted(*hands, caller=1, scoring="won") == Changes(points=(0, 0, 1, 0))


def test_b11_other_ties_are_shared() -> None:
    hands = ("TS JS QS KS", "2H 3H R1 R2", "2C 3C KH AC", "3S 4S AS AH")
    assert counted(*hands, caller=3, scoring="won") == Changes(points=(0, 1, 1, 0))
    assert counted(*hands, caller=None, scoring="won") == Changes(points=(0, 1, 1, 0))


def test_b11_the_lowest_caller_wins() -> None:
    assert counted("2S 3S", "5H 6H", caller=0, scoring="won") == Changes(points=(1, 0))


def test_by_deals_won_many_points_are_good() -> None:
    match = played(3, scoring="won", deals=9)
    assert match.payoffs == totals(match)
    assert match.placings[match.payoffs.index(max(match.payoffs))] == 1
    assert sum(match.payoffs) >= 9


# --- by lives ---


def test_b11_by_lives_the_highest_loses_one() -> None:
    assert counted("2S 3S", "5H 6H", "9C", caller=0, scoring="lives") == Changes(tokens=(0, -1, 0))


def test_by_lives_all_the_highest_lose_one() -> None:
    assert counted("2S 3S", "5H 6H", "9C 2C", caller=0, scoring="lives") == Changes(tokens=(0, -1, -1))


def test_by_lives_the_callers_penalty_counts() -> None:
    changes = counted("2S 3S", "5H 6H", "9C", caller=2, scoring="lives", caller_penalty=10)
    assert changes == Changes(tokens=(0, 0, -1))


def test_by_lives_nobody_loses_when_nobody_would_be_left() -> None:
    assert counted("2S 3S", "5H", caller=0, scoring="lives", tokens=1) == Changes(tokens=(0, 0))


def test_by_lives_the_last_with_tokens_wins() -> None:
    match = played(4, scoring="lives", tokens=2)
    assert match.holdings.tokens is not None
    (winner,) = [seat for seat, left in enumerate(match.holdings.tokens) if left]
    assert match.placings[winner] == 1
    assert match.payoffs == tuple([left - 2 for left in match.holdings.tokens])
    assert any(hand == () for hand in match.finished_deals[-1].dealt)  # who is out is not dealt in


def test_by_lives_a_number_of_deals_may_end_it() -> None:
    assert len(played(4, scoring="lives", deals=2).finished_deals) == 2
