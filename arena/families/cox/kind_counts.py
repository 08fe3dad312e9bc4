"""Counts of the kinds in a rack, as one number, with which most questions about sets need no search.

Each kind that makes sets has an octal digit of that number, which counts its cards: there are four at most. A
wild card has a bit above these digits. The counts of a rack are the sum of what its cards add, so a card that
comes or goes is an addition. Greenbacks add nothing: no rack keeps them.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.families.cox.cards import BANK, COX_PACK, GREEN, KIND, WILD
from arena.games.cards import Card, Hand

DIGIT_BITS: Final = 3
_KINDS: Final = list(dict.fromkeys([KIND[c] for c in COX_PACK.cards if c not in WILD and c.suit != GREEN]))
_WILD: Final = [c for c in COX_PACK.cards if c in WILD]
WILD_SHIFT: Final = DIGIT_BITS * len(_KINDS)
"""The first of the bits of the wild cards."""
ONES: Final = sum([1 << DIGIT_BITS * place for place in range(len(_KINDS))])
"""A one in each digit."""
_SHIFT_OF_KIND: Final = {kind: DIGIT_BITS * place for place, kind in enumerate(_KINDS)} | {
    KIND[c]: WILD_SHIFT + place for place, c in enumerate(_WILD)
}
SHIFT: Final = {c: _SHIFT_OF_KIND.get(KIND[c], 0) for c in COX_PACK.cards}
"""Place of the lowest bit of a card's kind; of a greenback 0."""
ADDED: Final = {c: 0 if c.suit == GREEN else 1 << SHIFT[c] for c in COX_PACK.cards}
"""Number that a card adds to the counts of a rack."""
_BITS_SET: Final = [number.bit_count() for number in range(1 << len(_WILD))]
"""Number of wild cards, by their bits."""
_PAIRED: Final = [
    sum(
        [
            1 << DIGIT_BITS * place
            for place, kind in enumerate(_KINDS)
            if any(bits >> bit & 1 and (c is BANK or c.suit == kind[0]) for bit, c in enumerate(_WILD))
        ]
    )
    for bits in range(1 << len(_WILD))
]
"""A one in the digit of each kind of which two make a set with one of the wild cards, by their bits."""


def count_kinds(cards: Hand) -> int:
    """Return the counts of some cards."""
    counts = 0
    for c in cards:
        counts += ADDED[c]
    return counts


def mask_of(cards: Iterable[Card]) -> int:
    """Return the bits of the kinds of some cards: in them counts differ from 0 if one of these is counted."""
    mask = 0
    for c in cards:
        mask |= (1 if c in WILD else (1 << DIGIT_BITS) - 1) << SHIFT[c]
    return mask


def count_of_kind(counts: int, card: Card) -> int:
    """Return how many cards of the kind of a card that is not wild are counted."""
    return counts >> SHIFT[card] & 7


def has_three_alike(counts: int) -> bool:
    """Return whether three or four cards of a kind are counted."""
    return (counts >> 2 | counts & counts >> 1) & ONES != 0


def has_wild_set(counts: int) -> bool:
    """Return whether two or more of a kind and a wild card that makes a set with them are counted."""
    return (counts >> 2 | counts >> 1) & _PAIRED[counts >> WILD_SHIFT] != 0


def has_wild_set_with(counts: int, wild: Card) -> bool:
    """Return whether two or more of a kind are counted that make a set with a wild card."""
    return (counts >> 2 | counts >> 1) & _PAIRED[ADDED[wild] >> WILD_SHIFT] != 0


def has_greenback(cards: Hand) -> bool:
    """Return whether a greenback is among some cards."""
    return any(not ADDED[c] for c in cards)


def count_wild(counts: int) -> int:
    """Return how many wild cards are counted."""
    return _BITS_SET[counts >> WILD_SHIFT]
