"""The points of combinations, and the arrangement of a hand that counts most."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from arena.families.cox.cards import BANK, BLACK, COX_PACK, GREEN, HONOURS, KIND, WILD
from arena.families.cox.sets import open_kind
from arena.games.cards import Card, Hand

PLAIN: Final = (0, 0, 0, 3, 5)
FIVES: Final = (0, 0, 0, 5, 10)
HONOUR: Final = (0, 0, 3, 5, 10)
COMBINATION_POINTS: Final = {
    KIND[c]: HONOUR if c.suit in HONOURS else FIVES if c.rank == "5" else PLAIN
    for c in COX_PACK.cards
    if c not in WILD and c.suit != GREEN
}
"""Points of 0 to 4 cards of a kind together, by kind. Source: S000 "Counting", ruling C20."""

FOURTH: Final = "+"
"""Ends a kind of which a Captain, but not the Bank, can be the fourth card."""

BLACK_SUIT_BIT: Final = {suit: 1 << place for place, suit in enumerate(BLACK)}
BLACK_SUITS: Final = [bits.bit_count() for bits in range(1 << len(BLACK))]
"""Number of black suits, by their bits."""


def count_hand(
    rack: Hand, groups: tuple[Hand, ...], greenbacks: Hand, number: int, captain_fourth: bool = False
) -> tuple[int, bool, int]:
    """Count a hand: its rack, its sets and closing pair, its greenbacks at a supply base of that number.

    Returns:
        The points of combinations and greenbacks, whether it has the Bank, and how many black suits it has.

    Source: S000 "Counting", "The greenbacks", rulings C20-C23, C26.
    """
    points = count_best(rack, groups, captain_fourth)
    if greenbacks:
        own = str(number)
        for c in greenbacks:
            points += 6 if c.rank == own else 3
    has_bank, suits = False, 0
    for cards in (rack, *groups):
        for c in cards:
            has_bank |= c is BANK
            suits |= BLACK_SUIT_BIT.get(c.suit, 0)
    return points, has_bank, BLACK_SUITS[suits]


def count_best(rack: Sequence[Card], sets: Sequence[Hand], captain_fourth: bool = False) -> int:
    """Return the points of a hand's combinations, its rack arranged as well as the rules allow.

    Three or four alike are a set by themselves, as they must be laid, so a kind has room for one wild card at
    the most, and the search is for the best kind for each. Source: rulings C16, C17, C20, C28.
    """
    wild: list[Card] = []
    held: dict[str, int] = {}
    for c in rack:
        if c in WILD:
            wild.append(c)
        else:
            kind = KIND[c]
            held[kind] = held.get(kind, 0) + 1
    joining = [open_kind(laid) for laid in sets]
    total = sum([COMBINATION_POINTS[KIND[laid[0]]][len(laid)] for laid in sets])
    gains: dict[str, int] = {}
    for kind, count in held.items():
        worth = COMBINATION_POINTS[kind]
        alone = worth[count]
        if kind in joining:
            alone = max(alone, worth[4] - worth[3] + worth[count - 1])
        total += alone
        if count < 3 and worth[count + 1] > alone:
            gains[kind] = worth[count + 1] - alone
    if captain_fourth and wild:
        gains |= find_fourth_gains(held, joining)
    return total + find_best_gain(wild, gains)


def find_fourth_gains(held: Mapping[str, int], joining: Sequence[str | None]) -> dict[str, int]:
    """Return what a Captain adds as the fourth of three alike, laid out or not. Source: S000, ruling C13.

    Args:
        held: The cards of each kind in the rack.
        joining: The kinds of laid sets that a fourth may join, None for others.
    """
    gains: dict[str, int] = {}
    for kind in joining:
        if kind is not None and kind not in held and kind[0] in BLACK:
            gains[kind + FOURTH] = COMBINATION_POINTS[kind][4] - COMBINATION_POINTS[kind][3]
    for kind, count in held.items():
        if count == 3 and kind[0] in BLACK:
            gains[kind + FOURTH] = COMBINATION_POINTS[kind][4] - COMBINATION_POINTS[kind][3]
    return gains


def find_best_gain(wild: Sequence[Card], gains: Mapping[str, int]) -> int:
    """Return the most that wild cards add, each to another kind: the Bank to any, a Captain to its suit."""
    if not wild or not gains:
        return 0
    first, others = wild[0], wild[1:]
    best = find_best_gain(others, gains)
    for kind, gain in gains.items():
        if first.suit == kind[0] or (first is BANK and not kind.endswith(FOURTH)):
            left = {other: gains[other] for other in gains if other != kind}
            best = max(best, gain + find_best_gain(others, left))
    return best
