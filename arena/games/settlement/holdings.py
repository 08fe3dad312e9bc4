"""Holdings by seat, the changes of a deal, and the facts that a settlement is given."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games import seat_calculations
from arena.games.rankings.base import HandRank
from arena.games.seat_calculations import Counts, list_result


class Holdings(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The holdings by seat, in the units the variant settles in; None for what it does not."""

    tokens: Counts | None = None
    chips: Counts | None = None
    points: Counts | None = None
    pool: int | None = None
    went_out: tuple[int | None, ...]
    """Number of the deal in which each seat went out; None while it is in."""
    horse: bool = False
    """The right to buy a horse is still available."""
    other: dict[str, Counts] | None = None
    """Counts in units of the game's own, by the name of the unit."""

    def by_unit(self) -> dict[str, Counts]:
        """Return the counts by seat in each unit that the variant settles in."""
        return _list_units(self)


class Changes(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The changes of a deal by seat; `pool` is its new content."""

    tokens: Counts | None = None
    chips: Counts | None = None
    points: Counts | None = None
    pool: int | None = None
    horse_taken: bool = False
    """Somebody has come by the right to buy a horse."""
    other: dict[str, Counts] | None = None
    """Changes in units of the game's own, by the name of the unit."""

    def result(self) -> dict[str, int | list[int]]:
        """Return the changes as in a record: the keys the variant settles in, lists by seat."""
        return list_result(self)

    def by_unit(self) -> dict[str, Counts]:
        """Return the changes by seat in each unit that the variant settles in."""
        return _list_units(self)


def _list_units(held: Holdings | Changes) -> dict[str, Counts]:
    own = {"tokens": held.tokens, "chips": held.chips, "points": held.points}
    return {**{unit: counts for unit, counts in own.items() if counts is not None}, **(held.other or {})}


class Showdown(msgspec.Struct, frozen=True, gc=False):
    """The facts a deal is settled by; the holdings are those after antes and trades."""

    order: tuple[int, ...]
    """The seats in the deal, the eldest first, the dealer last."""
    ranks: Sequence[HandRank]
    """Rank of each seat's hand; NO_HAND for those not in the deal."""
    holdings: Holdings
    knocker: int | None = None

    def best(self) -> int:
        """Return the best seat; of equal hands the one nearest to the dealer's left. Source: ruling W21."""
        return seat_calculations.find_best(self.ranks, self.order)
