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
from arena.games.settlement.base import Penalties, TotalPenalties
from arena.games.settlement.holdings import Holdings, Showdown
from tests.games.support.scripted_cases import Case, read_cases, read_options, show


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


COSTS = """
the worst hand loses one and of several each
    penalties | 20 12 30 | -> 0 -1 0
    penalties | 12 12 30 | -> -1 -1 0
a knocker who is worst alone loses two where that is played
    penalties knocker=0 knocker_double=True | 12 20 30 | -> -2 0 0
    penalties knocker=1 knocker_double=True | 12 20 30 | -> -1 0 0
    penalties knocker=0 knocker_double=True | 12 12 30 | -> -1 -1 0
a knocker who ties for worst may be safe or lose alone
    penalties knocker=0 knocker_safe=True | 12 12 30 | -> 0 -1 0
    penalties knocker=0 knocker_alone=True | 12 12 30 | -> -1 0 0
    penalties knocker=2 knocker_safe=True | 12 12 30 | -> -1 -1 0
r29 nobody loses more than he has
    penalties tokens=1,3 knocker=0 knocker_double=True | 12 20 | -> -1 0
r10 riding free one is out at minus one whatever was lost
    penalties tokens=3,3 knocker=0 knocker_double=True free_ride=True | 12 20 | -> -2 0
    penalties tokens=2,3 knocker=0 knocker_double=True free_ride=True | 12 20 | -> -2 0
    penalties tokens=1,3 knocker=0 knocker_double=True free_ride=True | 12 20 | -> -2 0
    penalties tokens=0,3 knocker=0 knocker_double=True free_ride=True | 12 20 | -> -1 0
w22 nobody loses if nobody would be left
    penalties tokens=1,1 | 12 12 | -> 0 0
    penalties tokens=0,0 free_ride=True | 12 12 | -> 0 0
    penalties tokens=1,2 | 12 12 | -> -1 -1
b6 by the option all come back with one those who were out too
    penalties tokens=1,1,0 comeback=True | 12 12 0 | -> 0 0 1
    penalties tokens=0,0,-1 comeback=True free_ride=True | 12 12 0 | -> 1 1 2
b5 a total that sweeps costs all others one
    totals sweep=31 | 20 31 30 31 | -> -1 0 -1 0
    totals sweep=33 | 20 31 30 31 | -> -1 0 0 0
    totals sweep=0 | 20 33 | -> -1 0
b5 what it costs the knocker is an option
    totals sweep=31 knock31=loses knocker=0 | 20 31 30 | -> -1 0 -1
    totals sweep=31 knock31=double knocker=0 | 20 31 30 | -> -2 0 -1
    totals sweep=31 knock31=exempt knocker=0 | 20 31 30 | -> 0 0 -1
    totals sweep=31 knock31=exempt knocker=1 | 20 25 30 | -> -1 0 0
a rider who is exempt still rides alone
    totals sweep=31 knock31=exempt free_ride=True one_rider=True tokens=0,3,1 knocker=0 | 20 31 30 | -> 0 0 -2
"""
"""The changes in tokens for hands of these totals, of which each seat holds three before it."""


@pytest.mark.parametrize("case", read_cases(COSTS), ids=lambda case: case.name)
def test_costs(case: Case) -> None:
    for fields, (step,) in case.deals:
        _, (kind,), options = read_options(fields, {})
        totals = [float(total) for total in options.pop("hands")[0].split()]
        tokens, knocker = options.pop("tokens", (3,) * len(totals)), options.pop("knocker", None)
        rules = (TotalPenalties if kind == "totals" else Penalties)(**options)
        assert f"-> {show(cost(rules, totals, tokens, knocker))}" == step, fields


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
