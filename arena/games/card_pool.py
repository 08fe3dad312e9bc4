"""Pools of cards that hidden slots are filled from at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from arena.games.cards import Card

MAX_DRAW_BITS = 48
"""The most bits that decide several slots at once: few enough for a machine word."""
SPARE_BITS = 8
"""Bits by which a random number is longer than needed, so that few are drawn in vain."""


class Draw:
    """Slots decided by one random number: each has a digit of it, below the number of cards left then."""

    def __init__(self) -> None:
        self.slots: list[int] = []
        self.ways = 1
        """Number of ways in which the slots can be filled."""
        self.bits = 0
        self.limit = 0
        """Random numbers from here on are drawn again: all ways are equally likely below it."""

    def add(self, slot: int, count: int) -> None:
        """Add a slot that is filled with one of `count` cards."""
        self.slots.append(slot)
        self.ways *= count
        self.bits = self.ways.bit_length() + SPARE_BITS
        self.limit = (1 << self.bits) // self.ways * self.ways

    def random_number(self, rng: Random) -> int:
        """Return a random number from whose digits, lowest first, each way follows as often."""
        number = rng.getrandbits(self.bits)
        while number >= self.limit:
            number = rng.getrandbits(self.bits)
        return number


class Pool:
    """Cards of which each lies in one of some hidden slots, or in none of them.

    `barred` has, by slot, the ranks of cards that cannot lie there. Of any two slots, one bars all that the
    other bars: so the choice for the stricter one leaves the other as many cards, whatever it is.
    """

    def __init__(
        self, slots: Iterable[int], cards: Iterable[Card], barred: Mapping[int, str] | None = None
    ) -> None:
        self._barred = {slot: ranks for slot, ranks in (barred or {}).items() if ranks}
        self._cards = list(cards)
        free: list[int] = []
        restricted: list[int] = []
        for slot in slots:
            (restricted if slot in self._barred else free).append(slot)
        self._restricted = sorted(restricted, key=lambda slot: -len(self._barred[slot]))
        self._draws = plan_draws(free, len(self._cards) - len(restricted))

    def assign(self, row: list[Card], rng: Random) -> list[Card]:
        """Write a random card of the pool into each of its slots; return those left over, in no order."""
        left = self._cards[:]
        for slot in self._restricted:
            ranks = self._barred[slot]
            allowed = [c for c in left if c.rank not in ranks]
            row[slot] = allowed[rng.randrange(len(allowed))]
            left.remove(row[slot])
        draw_cards(self._draws, left, row, rng)
        return left


def plan_draws(slots: list[int], count: int) -> list[Draw]:
    """Return the random numbers that fill these slots one after the other from `count` cards."""
    return _plan(slots, [count - place for place in range(len(slots))])


def plan_choices(counts: list[int]) -> list[Draw]:
    """Return the random numbers of choices one after the other; slots are the places of these counts."""
    return _plan(list(range(len(counts))), counts)


def _plan(slots: list[int], counts: list[int]) -> list[Draw]:
    draws: list[Draw] = []
    for slot, count in zip(slots, counts, strict=True):
        if not draws or draws[-1].bits + count.bit_length() > MAX_DRAW_BITS + SPARE_BITS:
            draws.append(Draw())
        draws[-1].add(slot, count)
    return draws


def draw_cards(draws: list[Draw], left: list[Card], row: list[Card], rng: Random) -> None:
    """Move random cards from those left into the slots of the draws."""
    for draw in draws:
        number = draw.random_number(rng)
        for slot in draw.slots:
            count = len(left)
            chosen = number % count
            number //= count
            row[slot] = left[chosen]
            last = left.pop()
            if chosen < count - 1:
                left[chosen] = last


def random_below(count: int, rng: Random) -> int:
    """Return a random number below `count`, all being equally likely."""
    if count == 1:
        return 0
    bits = count.bit_length()
    number = rng.getrandbits(bits)
    while number >= count:
        number = rng.getrandbits(bits)
    return number
