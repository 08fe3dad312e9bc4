"""Two bots on the same cards: the seatings of a block at which they share a table, and its result.

It needs no array, so that a browser compares bots as `arena compare` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple, Protocol

from arena.tournament.schedule import Block

Seating = tuple[str, ...]


class Outcome(Protocol):
    """The result of a match by seat; a fault is its seat, kind and deal."""

    @property
    def placings(self) -> Sequence[int]: ...

    @property
    def payoffs(self) -> Sequence[int]: ...

    @property
    def faults(self) -> Sequence[tuple[int, str, int]]: ...


class BlockComparison(NamedTuple):
    """The result of one block for two bots."""

    score: float
    """Share of points that the first takes from the second, a tie counting half. With a field: 0.5 plus the
    difference of their mean scores against the field."""
    payoffs: tuple[float, float]
    """Mean of both bots for a seat of a match."""
    faults: tuple[int, int]


def pair_block(index: int, variant: str, players: int, seatings: Sequence[Seating]) -> Block:
    """Return a block of a comparison; its deals are the same whichever of its bots is named first."""
    bots = min(tuple(sorted(seating)) for seating in seatings)
    return Block(index, variant, players, bots, index, tuple(seatings))


def share_seats(first: str, second: str, players: int, adjacent: bool) -> Iterator[Seating]:
    """Yield seatings in which two bots share the seats, alternating or adjacent, each also with both swapped.

    With an odd number of players the first has one seat less than the second, and then one more; these
    seatings are rotated, so that both have each seat equally often.
    """
    own = players // 2
    order = [first] * own + [second] * (players - own)
    if not adjacent:
        order = [first if seat % 2 else second for seat in range(players)]
    other = {first: second, second: first}
    for turned in rotate(order) if players % 2 else [tuple(order)]:
        yield turned
        yield tuple(other[bot] for bot in turned)


def rotate(order: Sequence[str]) -> Iterator[Seating]:
    """Yield all rotations of an order."""
    return ((*order[turn:], *order[:turn]) for turn in range(len(order)))


def compare_bots(
    seatings: Sequence[Seating], matches: Sequence[Outcome], first: str, second: str, *, in_field: bool
) -> BlockComparison:
    """Return the result of a block for two bots, which met in it or, in a field, replaced each other."""
    own = [[Side(*seated, bot) for seated in zip(seatings, matches, strict=True) if bot in seated[0]]
           for bot in (first, second)]  # fmt: skip
    score, other_score = (fmean(side.score for side in sides) for sides in own)
    payoff, other_payoff = (fmean(side.payoff for side in sides) for sides in own)
    faults, other_faults = (sum(side.faults for side in sides) for sides in own)
    lead = score - other_score
    return BlockComparison(
        0.5 + lead / (1 if in_field else 2), (payoff, other_payoff), (faults, other_faults)
    )


class Side:
    """The result of one bot in one match, over all its seats."""

    def __init__(self, seating: Seating, match: Outcome, bot: str) -> None:
        seats = [seat for seat, name in enumerate(seating) if name == bot]
        others = [seat for seat, name in enumerate(seating) if name != bot]
        self.score = fmean(
            compare_placings(match.placings[seat], match.placings[other])
            for seat in seats
            for other in others
        )
        self.payoff = fmean(match.payoffs[seat] for seat in seats)
        self.faults = sum(seat in seats for seat, _, _ in match.faults)


def compare_placings(placing: int, other: int) -> float:
    """Return the points of a placing against another: 1 if it is better, a half for a tie."""
    return (placing < other) + (placing == other) / 2
