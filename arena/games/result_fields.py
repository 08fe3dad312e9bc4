"""The changes of a deal as a record has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import astuple

from arena.games.seat_calculations import Counts

Units = dict[str, Counts]
LIST_CHANGES: Final[
    Callable[[Any], tuple[Counts | None, Counts | None, Counts | None, int | None, bool, Units | None]]
] = astuple
"""Returns the fields of `Changes`; to read them one by one takes compiled code longer."""


def list_result(changes: Any) -> dict[str, int | list[int]]:
    """Return `Changes` by the keys the variant settles in, lists by seat."""
    tokens, chips, points, pool, _, other = LIST_CHANGES(changes)
    fields: dict[str, int | list[int]] = {}
    if tokens is not None:
        fields["tokens"] = list(tokens)
    if chips is not None:
        fields["chips"] = list(chips)
    if points is not None:
        fields["points"] = list(points)
    if pool is not None:
        fields["pool"] = pool
    if other is not None:
        for unit, counts in other.items():
            fields[unit] = list(counts)
    return fields
