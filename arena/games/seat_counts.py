"""Counts by seat: what is added to them and shared out, and who has the most or the least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.games.hands import HandRank

Counts = tuple[int, ...]


def add(held: Counts | None, change: Counts | None) -> Counts | None:
    """What is held after a change."""
    if held is None or change is None:
        return held
    return tuple([count + change[seat] for seat, count in enumerate(held)])


def subtract_each(held: Counts, price: int) -> Counts:
    """What is held when everybody has paid a price."""
    return tuple([count - price for count in held])


def add_at(counts: Counts, seat: int, change: int) -> Counts:
    """The counts with one of them changed."""
    changed = list(counts)
    changed[seat] += change
    return tuple(changed)


def difference(before: Counts, now: Counts) -> Counts:
    """What has changed since then."""
    return tuple([count - before[seat] for seat, count in enumerate(now)])


def transfer(held: Counts, price: int, by: int, to: int) -> Counts:
    """What is held when one seat has paid another."""
    changed = list(held)
    changed[by] -= price
    changed[to] += price
    return tuple(changed)


def share(amount: int, seats: Sequence[int], chips: list[int]) -> None:
    """Pays out equal parts, odd chips to the first seats."""
    each, odd = divmod(amount, len(seats))
    for place, seat in enumerate(seats):
        chips[seat] += each + (place < odd)


def compute_placings(keys: Sequence[tuple[int, ...]]) -> Counts:
    """Placings by keys, larger is better: 1 is best, ties share the better number."""
    ordered = sorted(keys, reverse=True)
    return tuple([ordered.index(key) + 1 for key in keys])


def eliminate(
    went_out: tuple[int | None, ...], tokens: Counts, least: int, number: int
) -> tuple[int | None, ...]:
    """By seat, when it went out, after deal `number`: who has fewer than the least is out."""
    return tuple(
        [
            None if tokens[seat] >= least else number if out is None else out
            for seat, out in enumerate(went_out)
        ]
    )


def find_best(ranks: Sequence[HandRank], among: Sequence[int]) -> int:
    """The seat of the best hand; of equal ones the first."""
    found = among[0]
    highest = ranks[found]
    for seat in among[1:]:
        rank = ranks[seat]
        if rank > highest:
            found, highest = seat, rank
    return found


def find_better(ranks: Sequence[HandRank], among: Sequence[int], than: int) -> list[int]:
    """The seats whose hands are better than that seat's."""
    beaten = ranks[than]
    return [seat for seat in among if ranks[seat] > beaten]


def find_worst(ranks: Sequence[HandRank], among: Sequence[int]) -> list[int]:
    """The seats that hold the worst hand: one or, where hands tie, several."""
    found = [among[0]]
    lowest = ranks[among[0]]
    for seat in among[1:]:
        rank = ranks[seat]
        if rank < lowest:
            found, lowest = [seat], rank
        elif rank == lowest:
            found.append(seat)
    return found
