"""Two bots compared on the same cards: who sits where, and what a block says of them.

Without a field both are at one table, each in about half of the seats, or one of them alone against copies of
the other. With a field one of them sits at a table of others, and then the other in its place.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import BlockResult, MatchResult

Seating = tuple[str, ...]


class BlockComparison(NamedTuple):
    """What one block says of two bots."""

    score: float
    """What the first takes from the second, a tie a half; 0.5 means equals. With a field 0.5, and the lead in
    mean score over it, so that a bot as strong as the field is a second one like any other."""
    payoffs: tuple[float, float]
    """Of the two, for a seat of a match in the mean."""
    faults: tuple[int, int]


def halves(first: str, second: str, players: int, bunched: bool) -> Iterator[Seating]:
    """The seats of one table shared out, and then the other way round; alternately, or bunched together.

    At a table of an odd number the first has one seat less than the second, and then one more; so that each
    has each seat as often, that is turned round the table.
    """
    own = players // 2
    order = [first] * own + [second] * (players - own)
    if not bunched:
        order = [first if seat % 2 else second for seat in range(players)]
    other = {first: second, second: first}
    for turned in turns(order) if players % 2 else [tuple(order)]:
        yield turned
        yield tuple(other[bot] for bot in turned)


def substituted(first: str, second: str, others: Sequence[str]) -> Iterator[Seating]:
    """The first at a table of others, then the second in its place, in each seat once."""
    for one, same in zip(turns([first, *others]), turns([second, *others]), strict=True):
        yield one
        yield same


def turns(order: Sequence[str]) -> Iterator[Seating]:
    """Each turn of an order round the table."""
    return ((*order[turn:], *order[:turn]) for turn in range(len(order)))


def measured(
    block: Block, result: BlockResult, first: str, second: str, *, in_field: bool
) -> BlockComparison:
    """What a block says of two bots, which met in it or, in a field, sat in each other's place."""
    own = [[_Side(*one, bot) for one in zip(block.seatings, result.matches, strict=True) if bot in one[0]]
           for bot in (first, second)]  # fmt: skip
    score, other_score = (fmean(side.score for side in sides) for sides in own)
    payoff, other_payoff = (fmean(side.payoff for side in sides) for sides in own)
    faults, other_faults = (sum(side.faults for side in sides) for sides in own)
    lead = score - other_score
    return BlockComparison(
        0.5 + lead / (1 if in_field else 2), (payoff, other_payoff), (faults, other_faults)
    )


class _Side:
    """What one bot did in one match, in all its seats."""

    def __init__(self, seating: Seating, match: MatchResult, bot: str) -> None:
        seats = [seat for seat, name in enumerate(seating) if name == bot]
        others = [seat for seat, name in enumerate(seating) if name != bot]
        self.score = fmean(
            _points(match.placings[seat], match.placings[other]) for seat in seats for other in others
        )
        self.payoff = fmean(match.payoffs[seat] for seat in seats)
        self.faults = sum(seat in seats for seat, _, _ in match.faults)


def _points(placing: int, other: int) -> float:
    return (placing < other) + (placing == other) / 2
