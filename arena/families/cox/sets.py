"""Combinations: sets, pairs, the sets that a rack can lay, and complete hands.

Where a function takes `counts`, they are the counts of the kinds in its rack (see `kind_counts`).
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.families.cox.cards import BANK, COX_PACK, GREEN, KIND, WILD, add_to_rack, remove_card, remove_cards
from arena.families.cox.kind_counts import (
    ADDED,
    count_kinds,
    count_of_kind,
    count_wild,
    has_three_alike,
    has_wild_set,
    has_wild_set_with,
    mask_of,
)
from arena.games.cards import Card, Hand

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
