"""Cambio: how a deal is counted and a match is won. Sheet B11, ruling R15."""

from typing import Any

import pytest

from arena.games import Match, variant
from arena.games.seat_calculations import Counts
from arena.games.settlement.holdings import Changes, Showdown
from tests.games.support.scripted_cases import Case, read_cases, read_options, show


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


COUNTS = """
r15 a tie with the caller changes nothing by sum
    cambio caller=1 | TS JS QS KS / 5H R1 R2 KD / 2C 3C KH AC / 3S 4S AS AH | -> points 40 4 5 9
    cambio caller=1 | TS JS QS KS / 2H 3H R1 R2 / 2C 3C KH AC / 3S 4S AS AH | -> points 40 5 5 9
    cambio caller=2 | TS JS QS KS / 2H 3H R1 R2 / 2C 3C KH AC / 3S 4S AS AH | -> points 40 5 5 9
b11 a caller who is not lowest has no penalty
    cambio caller=1 | 2S 3S / 5H 6H | -> points 5 11
b11 option a caller who is not lowest is charged
    cambio caller=1 caller_penalty=10 | 2S 3S / 5H 6H | -> points 5 21
    cambio caller=0 caller_penalty=10 | 2S 3S / 5H 6H | -> points 5 11
    cambio caller_penalty=10 | 2S 3S / 5H 6H | -> points 5 11
r15 a caller who ties for lowest is not charged
    cambio caller=1 caller_penalty=10 | 2S 3S / 5H | -> points 5 5
b11 test 4 in a tie with the caller the other wins
    cambio caller=1 scoring=won | TS JS QS KS / 2H 3H R1 R2 / 2C 3C KH AC / 3S 4S AS AH | -> points 0 0 1 0
b11 other ties are shared
    cambio caller=3 scoring=won | TS JS QS KS / 2H 3H R1 R2 / 2C 3C KH AC / 3S 4S AS AH | -> points 0 1 1 0
    cambio scoring=won | TS JS QS KS / 2H 3H R1 R2 / 2C 3C KH AC / 3S 4S AS AH | -> points 0 1 1 0
b11 the lowest caller wins
    cambio caller=0 scoring=won | 2S 3S / 5H 6H | -> points 1 0
b11 by lives the highest loses one
    cambio caller=0 scoring=lives | 2S 3S / 5H 6H / 9C | -> tokens 0 -1 0
by lives all the highest lose one
    cambio caller=0 scoring=lives | 2S 3S / 5H 6H / 9C 2C | -> tokens 0 -1 -1
by lives the callers penalty counts
    cambio caller=2 scoring=lives caller_penalty=10 | 2S 3S / 5H 6H / 9C | -> tokens 0 0 -1
by lives nobody loses when nobody would be left
    cambio caller=0 scoring=lives tokens=1 | 2S 3S / 5H | -> tokens 0 0
"""
"""The changes when these hands are shown after the call of a seat."""


@pytest.mark.parametrize("case", read_cases(COUNTS), ids=lambda case: case.name)
def test_counts(case: Case) -> None:
    for fields, (step,) in case.deals:
        _, (game,), options = read_options(fields, {})
        hands, caller = options.pop("hands"), options.pop("caller", None)
        rules = variant(game, **options)
        holdings = rules.settlement.initial_holdings(len(hands))
        ranks = [rules.rank(hand) for hand in hands]
        order = (*range(1, len(hands)), 0)
        ((name, counts),) = rules.settlement.settle(Showdown(order, ranks, holdings, caller)).result().items()
        assert f"-> {name} {show(counts)}" == step, fields


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


def test_by_deals_won_many_points_are_good() -> None:
    match = played(3, scoring="won", deals=9)
    assert match.payoffs == totals(match)
    assert match.placings[match.payoffs.index(max(match.payoffs))] == 1
    assert sum(match.payoffs) >= 9


# --- by lives ---


def test_by_lives_the_last_with_tokens_wins() -> None:
    match = played(4, scoring="lives", tokens=2)
    assert match.holdings.tokens is not None
    (winner,) = [seat for seat, left in enumerate(match.holdings.tokens) if left]
    assert match.placings[winner] == 1
    assert match.payoffs == tuple([left - 2 for left in match.holdings.tokens])
    assert any(hand == () for hand in match.finished_deals[-1].dealt)  # who is out is not dealt in


def test_by_lives_a_number_of_deals_may_end_it() -> None:
    assert len(played(4, scoring="lives", deals=2).finished_deals) == 2
