"""Racks drawn at random are uniform: compared with an enumeration, in packs of seven cards."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from arena.families.cox.cards import COX_PACK, GREEN, KIND
from arena.families.cox.racks import RackHistory, RacksDraw
from arena.games.cards import HIDDEN, Card

NUMBERED = "a1 a1 a1 a2 a2 s1 p3"
HONOURS = "f1 f2 f3 a1 a1 g1 p3"
DEALT = ((0, 1), (2, 3))
"""Slots of the cards dealt to each rack."""
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
    size = 4 + len(discards)
    rows = [row for row in permutations(COX_PACK.parse(pack), size) if is_possible(row, discards)]
    draw, unseen = follow(pack, discards)
    assert_uniform(draw, rows, Random(f"{pack} {discards}"), len(unseen) - 4)


def assert_uniform(draw: RacksDraw, possible: list[tuple[Card, ...]], rng: Random, left: int) -> None:
    """Assert that each possible row is drawn as often as it is in the list, and how many cards are left.

    Chi squared: its mean is one less than the cases, its variance twice that.
    """
    ways, sampled = Counter(possible), Counter[tuple[Card, ...]]()
    while sampled.total() < TIMES:
        row = [HIDDEN] * len(possible[0])
        assert len(draw.fill(row, rng)) == left
        sampled[tuple(row)] += 1
    assert sampled.keys() <= ways.keys()
    expected = {row: TIMES * count / ways.total() for row, count in ways.items()}
    squares = sum([(sampled[row] - times) ** 2 / times for row, times in expected.items()])
    freedom = len(ways) - 1
    assert abs(squares - freedom) < 5 * (2 * freedom) ** 0.5


HAND_SIZE = 4
TAKEN = ("draw", "replace")
SETTLED = ("draw", "buy", "lay", "discard")
"""Before these three alike have been laid."""


def follow_rack(script: list[str]) -> tuple[RackHistory, list[Card]]:
    """Return the history of a rack that was seen to do this, and the cards seen; `!`: at once."""
    rack, size = RackHistory(range(HAND_SIZE)), HAND_SIZE
    seen: list[Card] = []
    for text in script:
        kind, cards = read(text)
        if kind in SETTLED:
            rack.settle()
        if kind in TAKEN:
            rack.take([size])
            size += 1
        elif kind == "greenback":
            rack.lay_greenbacks(cards)
        elif kind == "buy":
            rack.buy(cards[0])
        else:
            rack.put_down(cards, at_once=text.endswith("!"))
        seen += cards if kind in ("lay", "discard", "show") else ()
    for text in script:
        if text.startswith("buy"):
            seen.remove(read(text)[1][0])
    rack.settle()
    return rack, seen


def read(text: str) -> tuple[str, tuple[Card, ...]]:
    """Return the kind of a change and the cards it names."""
    kind, _, names = text.rstrip("!").partition(" ")
    return kind, COX_PACK.parse(names) if names else ()


def is_rack_possible(row: tuple[Card, ...], script: list[str]) -> bool:
    """Return whether a rack that took these cards in would be seen to do this."""
    held, coming, sets = [*row[:HAND_SIZE]], [*row[HAND_SIZE:]], 0
    for text, following in zip(["deal", *script], [*script, "draw"], strict=True):
        kind, cards = read(text)
        if kind in TAKEN:
            held.append(coming.pop(0))
        elif kind == "buy":
            held += cards
        else:
            if Counter(cards) - Counter(held):
                return False
            for c in cards:
                held.remove(c)
        if following.split()[0] != "greenback" and any(c.suit == GREEN for c in held):
            return False
        sets += len(cards) == 3
        kinds = Counter([KIND[c] for c in held])
        is_over = kind != "buy" and following.split()[0] in SETTLED
        if is_over and sets < 2 and max(kinds.values(), default=0) > 2:
            return False
    return True


@pytest.mark.parametrize(
    ("pack", "script"),
    [
        ("a1 a1 a1 a1 a2 s1 s1 p3", ["draw", "show a1 a1 a1!", "discard s1"]),
        ("f1 f2 f3 f4 a2 a2 s1 p3", ["draw", "show f1 f2 f4!", "discard a2"]),
        ("a1 a1 a1 a2 s1 s1 p3", ["show a1 a1 a1", "draw", "discard s1"]),
        ("a1 a1 a1 a2 a2 aC s1 p3", ["draw", "lay a1 a1 aC", "discard a2"]),
        ("a1 a1 a1 a2 s1 s1 p3 p4", ["buy a1", "lay a1 a1 a1", "discard s1"]),
        ("a1 a1 a2 a2 s1 $1 p3", ["draw", "greenback $1", "replace", "discard a2", "draw", "discard a1"]),
        ("a1 a1 a2 s1 $1 p3", ["greenback $1", "replace", "draw", "discard a1"]),
        ("a1 a1 a1 s1 $1 p3", ["draw", "greenback $1", "replace", "show a1 a1 a1!", "discard p3"]),
    ],
)
def test_every_shuffle_that_allows_sets_and_greenbacks_is_as_likely(pack: str, script: list[str]) -> None:
    rack, seen = follow_rack(script)
    unseen = [*COX_PACK.parse(pack)]
    for c in seen:
        unseen.remove(c)
    unseen = [c for c in unseen if c.suit != GREEN]
    size = HAND_SIZE + sum([read(text)[0] in TAKEN for text in script])
    rows = [row for row in permutations(COX_PACK.parse(pack), size) if is_rack_possible(row, script)]
    assert_uniform(RacksDraw([rack], unseen), rows, Random(f"{pack} {script}"), len(unseen) - rack.size)
