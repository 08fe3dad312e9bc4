"""The changes of a deal as a record has them."""

from __future__ import annotations

from typing import Any

from arena.games.seat_calculations import Counts


def list_result(changes: Any) -> dict[str, int | list[int]]:
    """Return `Changes` by the keys the variant settles in, lists by seat."""
    tokens: Counts | None = changes.tokens
    chips: Counts | None = changes.chips
    points: Counts | None = changes.points
    pool: int | None = changes.pool
    other: dict[str, Counts] | None = changes.other
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
