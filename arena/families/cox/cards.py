"""The pack of 1925: three suits of twenty with a Captain each, twelve honours, four greenbacks and the Bank.

`a4 s4 p4` automobiles, ships, airplanes; `aC` a Captain; `f1 g1 i1` fruit, grain, industries; `$1` a
greenback; `BK` the Bank. The four copies of a numbered card are one value.
Source: S000 "Description of the pack".
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.games.cards import Card, Hand, Pack, card

NUMBERS: Final = "12345"
BLACK: Final = "asp"
"""The numbered suits; a hand is clear if it has cards of one of them at most."""
HONOURS: Final = "fgi"
GREEN: Final = "$"

BANK: Final = card("K", "B", "BK", 0)
CAPTAINS: Final = {suit: card("C", suit, suit + "C", 0) for suit in BLACK}
WILD: Final = frozenset({*CAPTAINS.values(), BANK})
GREENBACKS: Final = frozenset([card(rank, GREEN, GREEN + rank, 0) for rank in "1234"])
CARDS_IN_BASE: Final = 20


def _suit(suit: str) -> list[Card]:
    numbered = [card(rank, suit, suit + rank, 0) for rank in NUMBERS for _ in range(4)]
    return [*numbered, CAPTAINS[suit]]


COX_PACK: Final = Pack(
    "Cox",
    [
        *[suited for suit in BLACK for suited in _suit(suit)],
        *[card(rank, suit, suit + rank, 0) for suit in HONOURS for rank in "1234"],
        *sorted(GREENBACKS, key=str),
        BANK,
    ],
    NUMBERS + "C",
)

KIND: Final = {c: c.suit if c.suit in HONOURS else c.text for c in COX_PACK.cards}
"""The kind of each card, alike in sets: numbered cards by value, honours by suit, wild cards each its own."""

RACK_POSITION: Final = {c: place for place, c in enumerate(COX_PACK.cards)}
"""The sort key of each card in a rack."""


def sort_rack(cards: Iterable[Card]) -> Hand:
    """Return the cards in the order of a rack: suit by suit, like beside like."""
    return tuple(sorted(cards, key=RACK_POSITION.__getitem__))


def add_to_rack(rack: Hand, added: Card) -> Hand:
    """Return an ordered rack with one more card."""
    position, place, end = RACK_POSITION[added], 0, len(rack)
    while place < end:
        middle = (place + end) // 2
        if RACK_POSITION[rack[middle]] > position:
            end = middle
        else:
            place = middle + 1
    return rack[:place] + (added,) + rack[place:]  # noqa: RUF005 - compiled, twice as fast


def find_card(cards: Hand, wanted: Card) -> int:
    """Return the first place of a card among others, -1 if it is not there."""
    for place, c in enumerate(cards):
        if c is wanted:
            return place
    return -1


def remove_card(cards: Hand, removed: Card) -> Hand:
    """Return the cards left when one is taken away."""
    place = find_card(cards, removed)
    assert place >= 0
    return cards[:place] + cards[place + 1 :]


def remove_cards(cards: Hand, gone: Iterable[Card]) -> Hand:
    """Return the cards left when these are taken away, of equal cards one for each."""
    left = list(cards)
    for removed in gone:
        left.remove(removed)
    return tuple(left)
