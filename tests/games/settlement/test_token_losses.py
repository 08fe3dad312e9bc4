"""The cost of hands in the younger games. Sheets B4-B8; rulings R10, R12, R29, W22."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from arena.errors import UnknownOption
from arena.games import variant
from arena.games.rankings.base import HandRank
from arena.games.rankings.suit_totals import Total
from arena.games.seat_calculations import Counts
from arena.games.settlement.holdings import Holdings, Showdown
from arena.games.settlement.token_losses import Penalties, TotalPenalties


def cost(
    rules: Penalties, totals: Sequence[float], tokens: Sequence[int], knocker: int | None = None
) -> Counts:
    """Return the changes of a deal for hands of these totals."""
    ranks: list[HandRank] = [Total(1, (int(2 * total),), "points", total) for total in totals]
    out = tuple([-1 if held < rules.min_tokens else None for held in tokens])
    order = tuple([seat for seat, gone in enumerate(out) if gone is None])
    changes = rules.settle(Showdown(order, ranks, Holdings(tokens=tuple(tokens), went_out=out), knocker))
    assert changes.tokens is not None
    return changes.tokens


def test_the_worst_hand_loses_one_and_of_several_each() -> None:
    assert cost(Penalties(), [20, 12, 30], [3, 3, 3]) == (0, -1, 0)
    assert cost(Penalties(), [12, 12, 30], [3, 3, 3]) == (-1, -1, 0)


def test_a_knocker_who_is_worst_alone_loses_two_where_that_is_played() -> None:
    rules = Penalties(knocker_double=True)
    assert cost(rules, [12, 20, 30], [3, 3, 3], knocker=0) == (-2, 0, 0)
    assert cost(rules, [12, 20, 30], [3, 3, 3], knocker=1) == (-1, 0, 0)
    assert cost(rules, [12, 12, 30], [3, 3, 3], knocker=0) == (-1, -1, 0)


def test_a_knocker_who_ties_for_worst_may_be_safe_or_lose_alone() -> None:
    assert cost(Penalties(knocker_safe=True), [12, 12, 30], [3, 3, 3], knocker=0) == (0, -1, 0)
    assert cost(Penalties(knocker_alone=True), [12, 12, 30], [3, 3, 3], knocker=0) == (-1, 0, 0)
    assert cost(Penalties(knocker_safe=True), [12, 12, 30], [3, 3, 3], knocker=2) == (-1, -1, 0)


def test_r29_nobody_loses_more_than_he_has() -> None:
    assert cost(Penalties(knocker_double=True), [12, 20], [1, 3], knocker=0) == (-1, 0)


@pytest.mark.parametrize(("held", "left"), [(3, 1), (2, 0), (1, -1), (0, -1)])
def test_r10_riding_free_one_is_out_at_minus_one_whatever_was_lost(held: int, left: int) -> None:
    rules = Penalties(knocker_double=True, free_ride=True)
    assert held + cost(rules, [12, 20], [held, 3], knocker=0)[0] == left


def test_w22_nobody_loses_if_nobody_would_be_left() -> None:
    for rules, tokens in ((Penalties(), [1, 1]), (Penalties(free_ride=True), [0, 0])):
        assert cost(rules, [12, 12], tokens) == (0, 0)
    assert cost(Penalties(), [12, 12], [1, 2]) == (-1, -1)


def test_b6_by_the_option_all_come_back_with_one_those_who_were_out_too() -> None:
    assert cost(Penalties(comeback=True), [12, 12, 0], [1, 1, 0]) == (0, 0, 1)
    assert cost(Penalties(comeback=True, free_ride=True), [12, 12, 0], [0, 0, -1]) == (1, 1, 2)


def test_b5_a_total_that_sweeps_costs_all_others_one() -> None:
    rules = TotalPenalties(sweep=31)
    assert cost(rules, [20, 31, 30, 31], [3, 3, 3, 3]) == (-1, 0, -1, 0)
    assert cost(TotalPenalties(sweep=33), [20, 31, 30, 31], [3, 3, 3, 3]) == (-1, 0, 0, 0)
    assert cost(TotalPenalties(sweep=0), [20, 33], [3, 3]) == (-1, 0)


@pytest.mark.parametrize(("knock31", "lost"), [("loses", -1), ("double", -2), ("exempt", 0)])
def test_b5_what_it_costs_the_knocker_is_an_option(knock31: str, lost: int) -> None:
    rules = TotalPenalties(sweep=31, knock31=knock31)
    assert cost(rules, [20, 31, 30], [3, 3, 3], knocker=0) == (lost, 0, -1)
    assert cost(rules, [20, 25, 30], [3, 3, 3], knocker=1) == (-1, 0, 0)


def test_a_rider_who_is_exempt_still_rides_alone() -> None:
    rules = TotalPenalties(sweep=31, knock31="exempt", free_ride=True, one_rider=True)
    assert cost(rules, [20, 31, 30], [0, 3, 1], knocker=0) == (0, 0, -2)


def test_whatever_is_played_somebody_stays_in_and_nobody_gains_without_a_comeback() -> None:
    flags = ("free_ride", "one_rider", "knocker_double", "knocker_alone", "ties_lose")
    for values in product((False, True), repeat=len(flags)):
        settings: dict[str, Any] = dict(zip(flags, values, strict=True))
        rules = TotalPenalties(sweep=31, **settings)
        for totals, tokens, knocker in product(
            ([12, 12, 12], [12, 12, 20], [31, 12, 12]), ([1, 1, 1], [2, 1, 3]), (None, 0, 2)
        ):
            changes = cost(rules, totals, tokens, knocker)
            assert max(changes) <= 0
            assert not all(
                held + change < rules.min_tokens for held, change in zip(tokens, changes, strict=True)
            )


def test_a_total_that_anybody_makes_cannot_be_swept_with() -> None:
    """With a total of 1 nobody would ever lose a token, and no match would end."""
    with pytest.raises(UnknownOption, match="sweep is one of 0, 31, 33, not 1"):
        variant("trentuno", sweep=1)
