"""Arithmetic on counts by seat: who has the best or the worst hand, and what everybody holds after a deal."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from msgspec.structs import astuple

from arena.games.rankings.base import HandRank

H = TypeVar("H")
Counts = tuple[int, ...]
Units = dict[str, Counts]
LIST_CHANGES: Final[
    Callable[[Any], tuple[Counts | None, Counts | None, Counts | None, int | None, bool, Units | None]]
] = astuple
"""Returns the fields of `Changes`; to read them one by one takes compiled code longer."""
Outs = tuple[int | None, ...]
"""The number of the deal in which each seat went out."""
LIST_HOLDINGS: Final[
    Callable[[Any], tuple[Counts | None, Counts | None, Counts | None, int | None, Outs, bool, Units | None]]
] = astuple
"""Returns the fields of `Holdings`, for the same reason."""


def add(held: Counts | None, change: Counts | None) -> Counts | None:
    """Return the sums; `held` as it is if either is None."""
    if held is None or change is None:
        return held
    return tuple([count + change[seat] for seat, count in enumerate(held)])


def add_units(held: dict[str, Counts] | None, changes: dict[str, Counts] | None) -> dict[str, Counts] | None:
    """Return the sums by unit; `held` as it is if either is None."""
    if held is None or changes is None:
        return held
    return {unit: add(counts, changes.get(unit)) or counts for unit, counts in held.items()}


def subtract_each(held: Counts, price: int) -> Counts:
    """Return what all hold when each has paid `price`."""
    return tuple([count - price for count in held])


def add_at(counts: Counts, seat: int, change: int) -> Counts:
    """Return what all hold when one seat has `change` more."""
    changed = list(counts)
    changed[seat] += change
    return tuple(changed)


def difference(before: Counts, now: Counts) -> Counts:
    return tuple([count - before[seat] for seat, count in enumerate(now)])


def transfer(held: Counts, price: int, payer: int, payee: int) -> Counts:
    """Return what all hold when one seat has paid `price` to another."""
    changed = list(held)
    changed[payer] -= price
    changed[payee] += price
    return tuple(changed)


def share(amount: int, seats: Sequence[int], chips: list[int]) -> None:
    """Add equal parts of `amount` to the chips of `seats`, odd ones to the first of them."""
    each, odd = divmod(amount, len(seats))
    for place, seat in enumerate(seats):
        chips[seat] += each + (place < odd)


def compute_placings(keys: Sequence[tuple[int, ...]]) -> Counts:
    """Return placings by keys, larger is better: 1 is best, ties share the better number."""
    ordered = sorted(keys, reverse=True)
    return tuple([ordered.index(key) + 1 for key in keys])


def take_tokens(tokens: Counts, losers: list[int], players: int, min_tokens: int) -> Counts:
    """Return the changes when each loser loses one token, or none does if that would leave nobody in.

    Args:
        tokens: What all hold.
        losers: The seats to lose one.
        players: The number of seats that are in.
        min_tokens: The tokens a seat needs to stay in.
    """
    changes = [0] * len(tokens)
    if len(losers) < players or max([tokens[seat] for seat in losers]) > min_tokens:
        for seat in losers:
            changes[seat] = -1
    return tuple(changes)


def eliminate(went_out: Outs, tokens: Counts, least: int, number: int) -> Outs:
    """Return by seat the deal it went out in: `number` for those that now have fewer tokens than `least`."""
    outs = []
    for seat, out in enumerate(went_out):
        outs.append(None if tokens[seat] >= least else number if out is None else out)
    return tuple(outs)


def find_best(ranks: Sequence[HandRank], among: Sequence[int]) -> int:
    """Return the seat of the best hand; the first in `among` if several are equal."""
    highest_seat = among[0]
    highest = ranks[highest_seat]
    for seat in among[1:]:
        rank = ranks[seat]
        if rank > highest:
            highest_seat, highest = seat, rank
    return highest_seat


def find_better(ranks: Sequence[HandRank], among: Sequence[int], than: int) -> list[int]:
    """Return the seats whose hands are better than that of seat `than`."""
    beaten = ranks[than]
    return [seat for seat in among if ranks[seat] > beaten]


def find_worst(ranks: Sequence[HandRank], among: Sequence[int]) -> list[int]:
    """Return the seats that hold the worst hand: several where hands tie."""
    held = ranks if isinstance(ranks, list) else list(ranks)  # a list is read without the interpreter
    lowest = held[among[0]]
    lowest_seats: list[int] = []
    for seat in among:
        rank = held[seat]
        if rank is lowest:  # the first seat, or equal: a table of ranks has one object for equal hands
            lowest_seats.append(seat)
        elif rank > lowest:
            continue
        elif rank < lowest:
            lowest_seats, lowest = [seat], rank
        else:
            lowest_seats.append(seat)
    return lowest_seats


def find_losing_seats(ranks: Sequence[HandRank], among: Sequence[int], bottom_tie: str) -> list[int]:
    """Return the seats that hold the worst hand as `bottom_tie` says. Source: S004, ruling W20.

    Args:
        ranks: The ranks of the hands by seat.
        among: The seats whose hands are compared.
        bottom_tie: `exact`: all that tie lose; `seat`: the last of them; `sum`: all points of the lowest sum.
    """
    worst = find_worst(ranks, among)
    if bottom_tie == "exact":
        return worst
    if bottom_tie == "seat":
        return worst[-1:]
    rank = ranks[worst[0]]
    if rank.category not in ("point", "nothing"):
        return worst
    lowest = (rank.grade, rank.keys[0])
    return [seat for seat in among if (ranks[seat].grade, ranks[seat].keys[0]) == lowest]


def count_left(went_out: Outs) -> int:
    """Return the number of seats that have not gone out."""
    left = 0
    for out in went_out:
        if out is None:
            left += 1
    return left


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


def apply_changes(holdings: H, changes: Any, number: int, min_tokens: int) -> H:
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
    make: Any = type(holdings)
    after: H = make(
        tokens=None if tokens is None else left,
        chips=None if chips is None else add(chips, more_chips),
        points=None if points is None else add(points, more_points),
        pool=pool if new_pool is None else new_pool,
        went_out=went_out,
        horse=horse and not horse_taken,
        other=None if other is None else add_units(other, more),
    )
    return after
