"""Holdings after a deal."""

from __future__ import annotations

from typing import Any, Final

from arena.games.seat_calculations import add, add_units, eliminate
from arena.games.settlement.holdings import Changes, Holdings

MAKE_HOLDINGS: Final[Any] = Holdings
"""The class, as a constant: compiled code would look its name up each time."""


def apply_changes(holdings: Holdings, changes: Changes, number: int, min_tokens: int) -> Holdings:
    """Return what everybody holds after a deal.

    Args:
        holdings: What everybody held before it.
        changes: What it changed.
        number: The number of the deal, in which seats go out that have too few tokens.
        min_tokens: The tokens a seat needs to stay in.
    """
    tokens = add(holdings.tokens, changes.tokens)
    chips, points, other = holdings.chips, holdings.points, holdings.other
    went_out = holdings.went_out
    for seat, count in enumerate(tokens or ()):
        if count < min_tokens or went_out[seat] is not None:
            went_out = eliminate(went_out, tokens or (), min_tokens, number)
            break
    pool = changes.pool
    after: Holdings = MAKE_HOLDINGS(
        tokens=tokens,
        chips=None if chips is None else add(chips, changes.chips),
        points=None if points is None else add(points, changes.points),
        pool=holdings.pool if pool is None else pool,
        went_out=went_out,
        horse=holdings.horse and not changes.horse_taken,
        other=None if other is None else add_units(other, changes.other),
    )
    return after
