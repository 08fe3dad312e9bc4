"""Holdings after a deal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import astuple

from arena.games.result_fields import LIST_CHANGES, Units
from arena.games.seat_calculations import Counts, add, add_units, eliminate
from arena.games.settlement.holdings import Changes, Holdings

MAKE_HOLDINGS: Final[Any] = Holdings
"""The class, as a constant: compiled code would look its name up each time."""
LIST_HOLDINGS: Final[
    Callable[
        [Holdings],
        tuple[
            Counts | None,
            Counts | None,
            Counts | None,
            int | None,
            tuple[int | None, ...],
            bool,
            Units | None,
        ],
    ]
] = astuple
"""Returns the fields of `Holdings`; to read them one by one takes compiled code longer."""


def apply_changes(holdings: Holdings, changes: Changes, number: int, min_tokens: int) -> Holdings:
    """Return what everybody holds after a deal.

    Args:
        holdings: What everybody held before it.
        changes: What it changed.
        number: The number of the deal, in which seats go out that have too few tokens.
        min_tokens: The tokens a seat needs to stay in.
    """
    tokens, chips, points, pool, went_out, horse, other = LIST_HOLDINGS(holdings)
    more_tokens, more_chips, more_points, new_pool, horse_taken, more = LIST_CHANGES(changes)
    left = add(tokens, more_tokens) or ()
    for seat, count in enumerate(left):
        if count < min_tokens or went_out[seat] is not None:
            went_out = eliminate(went_out, left, min_tokens, number)
            break
    after: Holdings = MAKE_HOLDINGS(
        tokens=None if tokens is None else left,
        chips=None if chips is None else add(chips, more_chips),
        points=None if points is None else add(points, more_points),
        pool=pool if new_pool is None else new_pool,
        went_out=went_out,
        horse=horse and not horse_taken,
        other=None if other is None else add_units(other, more),
    )
    return after
