"""Racks drawn at random are uniform: compared with an enumeration, in packs of seven cards."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from arena.games.cards import HIDDEN, Card
from arena.games.cox.cards import COX_PACK, KIND
from arena.games.cox.rack_history import RackHistory, RacksDraw

NUMBERED = "a1 a1 a1 a2 a2 s1 p3"
HONOURS = "f1 f2 f3 a1 a1 g1 p3"
DEALT = ((0, 1), (2, 3))
"""By rack, the slots of the cards dealt to it."""
TIMES = 12000


def follow(pack: str, discards: tuple[str, ...]) -> tuple[RacksDraw, list[Card]]:
    """Return the draw of two racks that took a slot each in turn and put these cards down."""
    racks = [RackHistory(range(first, last + 1)) for first, last in DEALT]
    unseen = [*COX_PACK.parse(pack)]
    for number, text in enumerate(discards):
        (card,) = COX_PACK.parse(text)
        rack = racks[number % 2]
        rack.settle()
        rack.take([4 + number])
        rack.settle()
        rack.put_down((card,), at_once=False)
        unseen.remove(card)
    for rack in racks:
        rack.settle()
    return RacksDraw(racks, unseen), unseen


def is_possible(row: tuple[Card, ...], discards: tuple[str, ...]) -> bool:
    """Return whether the racks had these cards when they put them down, and never three alike: a set."""
    racks = [[row[slot] for slot in slots] for slots in DEALT]
    for number, text in enumerate(discards):
        (card,) = COX_PACK.parse(text)
        rack = racks[number % 2]
        rack.append(row[4 + number])
        if card not in rack or len({KIND[c] for c in rack}) == 1:
            return False
        rack.remove(card)
    return True


@pytest.mark.parametrize(
    ("pack", "discards"),
    [
        (NUMBERED, ("a1",)),
        (NUMBERED, ("a1", "a1")),
        (NUMBERED, ("a1", "s1", "a1")),
        (NUMBERED, ("a2", "a1", "a2")),
        (HONOURS, ("a1", "f2", "a1")),
    ],
)
def test_every_shuffle_that_allows_the_discards_is_as_likely(pack: str, discards: tuple[str, ...]) -> None:
    """Chi squared: its mean is one less than the cases, its variance twice that."""
    size = 4 + len(discards)
    ways = Counter([row for row in permutations(COX_PACK.parse(pack), size) if is_possible(row, discards)])
    draw, unseen = follow(pack, discards)
    rng, sampled = Random(f"{pack} {discards}"), Counter[tuple[Card, ...]]()
    while sampled.total() < TIMES:
        row = [HIDDEN] * size
        left = draw.fill(row, rng)
        sampled[tuple(row)] += 1
        assert len(left) == len(unseen) - 4
    assert sampled.keys() <= ways.keys()
    expected = {row: TIMES * count / ways.total() for row, count in ways.items()}
    squares = sum([(sampled[row] - times) ** 2 / times for row, times in expected.items()])
    freedom = len(ways) - 1
    assert abs(squares - freedom) < 5 * (2 * freedom) ** 0.5
