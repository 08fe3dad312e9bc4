"""Sets that a rack can lay, buy and complete, on arrays, as in `arena.families.cox.sets`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.cox.kernel.layout import WILD_CARDS
from arena.families.cox.kernel.racks import (
    BANK_COUNT,
    NO_KIND,
    find_joined,
    find_natural_set,
    find_open_kind,
    has_three_alike,
    is_wild,
    lacks_sets,
)
from arena.families.cox.sets import WILD_SHIFT
from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.legal_action_list import add_choice

ANY_CARD = -1


@compiled
def find_paired(rules: Any, counts: Any, wild: Any) -> Any:
    """Return a one for each kind of which two or more are counted that a wild card makes a set with."""
    return ((counts >> 2) | (counts >> 1)) & rules.paired[wild]


@compiled
def is_pair(rules: Any, counts: Any, closing: Any, has_wild_pair: Any) -> Any:
    """Return whether the cards counted have a pair with `closing`, or are two that make any pair."""
    if closing != NOBODY:
        is_there = counts & rules.kind_mask[closing] != 0
        return is_there and (counts - rules.added[closing]) & rules.partners[closing] != 0
    wild = counts >> WILD_SHIFT
    if wild == 0:
        return (counts >> 1) & rules.ones != 0
    for number in range(WILD_CARDS):
        if wild == 1 << number:
            return counts & rules.paired[number] != 0
    return bool(has_wild_pair) and counts & BANK_COUNT != 0


@compiled
def is_complete(rules: Any, counts: Any, lacking: Any, closing: Any, has_wild_pair: Any) -> Any:
    """Return whether a rack without natural sets is so many sets with wild cards and a pair, see `is_pair`.

    A rack with a card too many is, too, if `closing` is in its pair.
    """
    if lacking == 0:
        return is_pair(rules, counts, closing, has_wild_pair)
    for wild in range(WILD_CARDS):
        bit = np.int64(1) << (WILD_SHIFT + wild)
        kinds = find_paired(rules, counts, wild) if counts & bit else np.int64(0)
        while kinds:
            kind = kinds & -kinds
            kinds -= kind
            if is_complete(rules, counts - 2 * kind - bit, lacking - 1, closing, has_wild_pair):
                return True
    return False


@compiled
def can_buy(rules: Any, match: Any, seat: Any, card: Any) -> Any:
    """Return whether a discard completes a set or the hand of a seat."""
    counts, lacking = match.counts[seat], lacks_sets(match, seat)
    if counts & rules.partners[card] == 0 or card == rules.bank:
        return False
    if lacking == 0:
        return True
    if is_wild(rules, card):
        if find_paired(rules, counts, rules.shifts[card] - WILD_SHIFT):
            return True
    else:
        like = (counts >> rules.shifts[card]) & 7
        if like >= 2 or (like and rules.bank_buys and counts & BANK_COUNT):
            return True
    return is_complete(rules, counts + rules.added[card], lacking, card, False)


@compiled
def find_closing_discards(rules: Any, match: Any, seat: Any, bought: Any) -> Any:
    """Return the slots whose discard completes a hand with the bought card in its pair, as bits."""
    rack, copies, slots = match.racks[seat], 0, 0
    for slot in range(match.sizes[seat]):
        copies += rack[slot] == bought
    for slot in range(match.sizes[seat]):
        card = rack[slot]
        if (slot and rack[slot - 1] == card) or copies - (card == bought) == 0:
            continue
        if is_complete(rules, match.counts[seat] - rules.added[card], lacks_sets(match, seat), bought, False):
            slots |= 1 << slot
    return slots


@compiled
def offer_wild_sets(rules: Any, match: Any, seat: Any, bought: Any) -> None:
    """Offer the sets with a wild card of the rack: all, or those in which a bought card can be laid."""
    rack, size, counts = match.racks[seat], match.sizes[seat], match.counts[seat]
    if counts >> WILD_SHIFT == 0:
        return
    for last in range(size):
        wild = rack[last]
        if not is_wild(rules, wild):
            continue
        kinds = find_paired(rules, counts, rules.shifts[wild] - WILD_SHIFT)
        if bought != ANY_CARD and bought != wild:
            kinds &= rules.added[bought] if wild == rules.bank and rules.bank_buys else 0
        for slot in range(size if kinds else 0):
            kind = rules.added[rack[slot]]
            if kind & kinds and (slot == 0 or rules.added[rack[slot - 1]] != kind):
                add_choice(match, rules.lay_set[slot, last])


@inlined
def offer_lays(rules: Any, match: Any, seat: Any) -> None:
    """Offer the fourth cards and the sets with a wild card that may be laid."""
    rack, size = match.racks[seat], match.sizes[seat]
    first, second = find_open_kind(match, seat, 0), find_open_kind(match, seat, 1)
    if first != NO_KIND or second != NO_KIND:
        for slot in range(size):
            kind = rules.shifts[rack[slot]] // 3
            if kind in (first, second) and not (slot and rack[slot - 1] == rack[slot]):
                add_choice(match, rules.lay_fourth[slot])
        for slot in range(size if rules.captain_fourth else 0):
            if is_wild(rules, rack[slot]) and find_joined(rules, match, seat, rack[slot]) >= 0:
                add_choice(match, rules.lay_fourth[slot])
    if lacks_sets(match, seat):
        offer_wild_sets(rules, match, seat, ANY_CARD)


@inlined
def offer_bought_sets(rules: Any, match: Any, seat: Any, bought: Any) -> Any:
    """Offer the sets in which a bought card can be laid; return whether it must be, in a natural one."""
    if lacks_sets(match, seat) == 0:
        return False
    if has_three_alike(rules, match.counts[seat]):
        slot = find_natural_set(rules, match, seat)
        add_choice(match, rules.lay_set[slot, slot + 2])
        return True
    offer_wild_sets(rules, match, seat, bought)
    return False
