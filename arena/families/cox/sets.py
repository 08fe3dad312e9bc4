"""Combinations: counts of kinds, sets and pairs, complete hands, and the points of combinations."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from arena.families.cox.cards import (
    BANK,
    BLACK,
    COX_PACK,
    GREEN,
    HONOURS,
    KIND,
    WILD,
    add_to_rack,
    remove_card,
    remove_cards,
)
from arena.games.cards import Card, Hand

# --- counts of kinds ---
# The kinds in a rack are counted as one number, with which most questions about sets need no search. Each of
# those that make sets has an octal digit of it, which counts its cards: there are four at most. A wild card
# has a bit above these digits. The counts of a rack are the sum of what its cards add, so a card that comes
# or goes is an addition. Greenbacks add nothing: no rack keeps them.

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


# --- sets and complete hands ---
# Where a function takes `counts`, they are the counts of the kinds in its rack.

SETS_IN_HAND: Final = 2
"""The sets of a complete hand; the rest of it is a pair. Source: S000 "A completed hand", ruling C18."""


def _can_replace(wild: Card, natural: Card) -> bool:
    """Return whether a wild card can be beside a card: the Bank beside any, a Captain beside its suit."""
    return wild is BANK or wild.suit == natural.suit


def _is_pair(card: Card, other: Card) -> bool:
    if {card, other} <= WILD or GREEN in (card.suit, other.suit):
        return False
    if card in WILD:
        return _can_replace(card, other)
    return KIND[card] == KIND[other] if other not in WILD else _can_replace(other, card)


PARTNERS: Final = {c: frozenset([d for d in COX_PACK.cards if _is_pair(c, d)]) for c in COX_PACK.cards}
"""The cards that make the pair of a complete hand with each: its like, its Captain, the Bank.

Two wild cards are no pair. Source: rulings C13, C18."""
PARTNERS_MASK: Final = {c: mask_of(PARTNERS[c]) for c in COX_PACK.cards}
"""Bits in which the counts of a rack with a partner for a card differ from 0, by card."""
KIND_MASK: Final = {c: mask_of([c]) for c in COX_PACK.cards}
"""Bits of a card's kind in counts."""


def set_kind(cards: Sequence[Card]) -> str | None:
    """Return the kind of which these cards are a set; None if they are no set.

    A set is three or four alike; or two and the Bank; or two, or three, and their Captain.
    Source: rulings C12-C16.
    """
    naturals = [c for c in cards if c not in WILD]
    wild = [c for c in cards if c in WILD]
    if len(cards) not in (3, 4) or len(wild) > 1 or len({KIND[c] for c in naturals}) != 1:
        return None
    if wild and not (wild[0] in PARTNERS[naturals[0]] and (len(cards) == 3 or wild[0] is not BANK)):
        return None
    return None if naturals[0].suit == GREEN else KIND[naturals[0]]


def open_kind(laid: Hand) -> str | None:
    """Return the kind that may join a laid set as its fourth; none joins the Bank. Source: ruling C14."""
    return KIND[laid[0]] if len(laid) == 3 and BANK not in laid else None


def find_natural_set(rack: Hand) -> Hand | None:
    """Return the first three of a kind in an ordered rack, of four honours the lowest. Source: ruling R22."""
    for place in range(len(rack) - 2):
        if KIND[rack[place]] == KIND[rack[place + 2]]:
            return rack[place : place + 3]
    return None


def find_wild_sets(rack: Hand, counts: int) -> list[Hand]:
    """Return the sets that an ordered rack makes with a wild card of its own. Source: rulings C12, C13."""
    pairs_with_wild: list[Hand] = []
    if not has_wild_set(counts):
        return pairs_with_wild
    pairs: dict[str, Hand] = {}
    last, last_kind = rack[0], KIND[rack[0]]
    for c in rack[1:]:
        kind = KIND[c]
        if kind == last_kind:
            pairs.setdefault(kind, (last, c))
        last, last_kind = c, kind
    for wild in rack:
        if wild in WILD:
            pairs_with_wild += [(*pair, wild) for pair in pairs.values() if wild in PARTNERS[pair[0]]]
    return pairs_with_wild


def find_joined(sets: Sequence[Hand], fourth: Card) -> int:
    """Return the index of the laid set that a fourth card joins: a Captain, of two, the one of fives.

    The set it joins is open; -1 if there is none. Source: S000 "Drawing a fourth card", rulings C13, C15.
    """
    joined = -1
    for place, laid in enumerate(sets):
        kind = open_kind(laid)
        if kind is None:
            continue
        if kind == KIND[fourth]:
            return place
        if fourth in WILD and fourth.suit == laid[0].suit and (joined < 0 or laid[0].rank == "5"):
            joined = place
    return joined


def find_lays(rack: Hand, counts: int, sets: Sequence[Hand], captain_fourth: bool = False) -> list[Hand]:
    """Return the fourth cards and sets with a wild card that may be laid. Source: rulings C13-C16."""
    fourths: list[Hand] = []
    for laid in sets:
        if counts & KIND_MASK[laid[0]] and open_kind(laid):
            kinds = [open_kind(laid) for laid in sets]
            fourths = [(c,) for c in dict.fromkeys(rack) if KIND[c] in kinds]
            break
    if captain_fourth:
        fourths += [(c,) for c in rack if c in WILD and find_joined(sets, c) >= 0]
    return fourths + find_wild_sets(rack, counts) if len(sets) < SETS_IN_HAND else fourths


def can_buy(rack: Hand, counts: int, card: Card, lacking: int, bank_buys: bool) -> bool:
    """Return whether a discard completes a set or the hand: with this ordered rack, still `lacking` sets.

    Source: rulings C9, C11-C13, C19, C21, R22.
    """
    if not counts & PARTNERS_MASK[card] or card is BANK:
        return False
    if not lacking:
        return True
    if card in WILD:
        if has_wild_set_with(counts, card):
            return True
    else:
        like = count_of_kind(counts, card)
        if like >= 2 or (like and bank_buys and counts & ADDED[BANK]):
            return True
    counts += ADDED[card]
    if count_wild(counts) < lacking or not has_wild_set(counts):
        return False
    return can_close(add_to_rack(rack, card), counts, lacking, card)


def can_close(rack: Hand, counts: int, sets: int, bought: Card) -> bool:
    """Return whether a rack without natural sets is `sets` sets, a pair with `bought`, and a discard."""
    if sets == 0:
        return bought in rack and not PARTNERS[bought].isdisjoint(remove_card(rack, bought))
    if count_wild(counts) < sets:
        return False
    return any(
        can_close(remove_cards(rack, wild_set), counts - count_kinds(wild_set), sets - 1, bought)
        for wild_set in find_wild_sets(rack, counts)
    )


def find_bought_sets(rack: Hand, counts: int, bought: Card, bank_buys: bool) -> list[Hand]:
    """Return the sets in which a bought card, now in the ordered rack, can be laid; a natural one must be.

    A Captain needs two alike and does not help to buy; the Bank does with `bank_buys`.
    Source: rulings C11-C13, C16.
    """
    natural = find_natural_set(rack) if has_three_alike(counts) else None
    if natural:
        return [natural]
    return [
        wild_set
        for wild_set in find_wild_sets(rack, counts)
        if bought in wild_set and (wild_set[-1] is bought or (wild_set[-1] is BANK and bank_buys))
    ]


def is_complete(
    rack: Hand, counts: int, sets: int, closing: Card | None = None, wild_pair: bool = False
) -> bool:
    """Return whether an ordered rack without natural sets is `sets` sets and a pair with `closing` in it.

    With `wild_pair` a Captain and the Bank are such a pair. Source: S000 "Special notes", ruling C13.
    """
    if sets == 0:
        card, other = rack
        if wild_pair and other is BANK and card in WILD:
            return True
        return other in PARTNERS[card] and (closing is None or closing in rack)
    if count_wild(counts) < sets:
        return False
    return any(
        is_complete(
            remove_cards(rack, wild_set), counts - count_kinds(wild_set), sets - 1, closing, wild_pair
        )
        for wild_set in find_wild_sets(rack, counts)
    )


def find_closing_discards(rack: Hand, counts: int, sets: int, bought: Card) -> Hand:
    """Return the cards whose discard completes a hand with the bought card in its pair.

    Source: rulings C18, C19, R22, R24.
    """
    if count_wild(counts) < sets:
        return ()
    return tuple(
        [c for c in dict.fromkeys(rack) if is_complete(remove_card(rack, c), counts - ADDED[c], sets, bought)]
    )


# --- points ---

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
