"""Racks and sets of Cox's game on arrays: cards that come and go, sets laid, bought and completed."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.cox.cards import WILD
from arena.families.cox.sets import SETS_IN_HAND, WILD_SHIFT
from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import add_choice

WILD_CARDS: Final = len(WILD)
BANK_BIT: Final = WILD_CARDS - 1
"""Place of the Bank among the bits of wild cards; those before it are the Captains, in the order of suits."""
BANK_COUNT: Final = 1 << WILD_SHIFT + BANK_BIT
NO_KIND: Final = -1
ANY_CARD: Final = -1

# --- racks ---


@compiled
def stock_left(match: Any) -> Any:
    """Return how many cards can still be drawn."""
    return match.stock_end - match.next_card


@compiled
def has_three_alike(rules: Any, counts: Any) -> Any:
    """Return whether three or four of a kind are counted."""
    return ((counts >> 2) | (counts & (counts >> 1))) & rules.ones != 0


@compiled
def lacks_sets(match: Any, seat: Any) -> Any:
    """Return how many sets a hand lacks."""
    return SETS_IN_HAND - match.set_count[seat]


@compiled
def receive_card(rules: Any, match: Any, seat: Any, card: Any) -> Any:
    """Add a card to a rack, or lay it out if it is a greenback; return how many greenbacks it is."""
    if rules.greenback_bits[card]:
        match.greenbacks[seat] |= rules.greenback_bits[card]
        return 1
    rack, slot = match.racks[seat], match.sizes[seat]
    while slot and rack[slot - 1] > card:
        rack[slot] = rack[slot - 1]
        slot -= 1
    rack[slot] = card
    match.sizes[seat] += 1
    match.counts[seat] += rules.added[card]
    return 0


@compiled
def remove_card(rules: Any, match: Any, seat: Any, slot: Any) -> Any:
    """Take a card from a rack and return it."""
    rack = match.racks[seat]
    card = np.int64(rack[slot])
    match.sizes[seat] -= 1
    for place in range(slot, match.sizes[seat]):
        rack[place] = rack[place + 1]
    match.counts[seat] -= rules.added[card]
    return card


@compiled
def draw_replacements(rules: Any, match: Any, seat: Any, wanted: Any) -> Any:
    """Deal cards from the bottom of the stock, as many as are left; return how many are greenbacks."""
    count = min(wanted, stock_left(match))
    match.events += count > 0
    match.replaced += count
    greenbacks = 0
    for _ in range(count):
        match.stock_end -= 1
        greenbacks += receive_card(rules, match, seat, match.order[match.stock_end])
    return greenbacks


@compiled
def lay_new_cards(rules: Any, match: Any, seat: Any, greenbacks: Any) -> None:
    """Replace greenbacks that have come, and lay out three alike."""
    while greenbacks:
        match.events += 1
        greenbacks = draw_replacements(rules, match, seat, greenbacks)
    while has_three_alike(rules, match.counts[seat]) and lacks_sets(match, seat):
        match.events += 1
        slot = find_natural_set(rules, match, seat)
        lay_out(rules, match, seat, slot, slot + 2)


@compiled
def find_natural_set(rules: Any, match: Any, seat: Any) -> Any:
    """Return the first slot of three alike, which a rack has."""
    rack, slot = match.racks[seat], 0
    while rules.added[rack[slot]] != rules.added[rack[slot + 2]]:
        slot += 1
    return slot


@compiled
def lay_out(rules: Any, match: Any, seat: Any, first: Any, last: Any) -> None:
    """Lay out a set: the cards of two slots that are side by side, and of a third."""
    number = match.set_count[seat]
    match.set_kinds[seat, number] = rules.shifts[match.racks[seat, first]] // 3
    match.set_sizes[seat, number] = 3
    match.has_bank[seat, number] = match.racks[seat, last] == rules.bank
    match.set_count[seat] += 1
    match.laid[seat, remove_card(rules, match, seat, last)] += 1
    match.laid[seat, remove_card(rules, match, seat, first)] += 1
    match.laid[seat, remove_card(rules, match, seat, first)] += 1


@compiled
def find_open_kind(match: Any, seat: Any, number: Any) -> Any:
    """Return the kind that may join a seat's set as its fourth, NO_KIND if none may."""
    if number >= match.set_count[seat] or match.set_sizes[seat, number] != 3 or match.has_bank[seat, number]:
        return NO_KIND
    return match.set_kinds[seat, number]


@compiled
def find_joined(rules: Any, match: Any, seat: Any, card: Any) -> Any:
    """Return which set of a seat a fourth card joins, of two that a Captain may join that of fives; or -1."""
    joined, kind = -1, rules.shifts[card] // 3
    for number in range(match.set_count[seat]):
        open_kind = find_open_kind(match, seat, number)
        if open_kind == NO_KIND:
            continue
        if open_kind == kind:
            return number
        is_captain = is_wild(rules, card) and rules.suit_bits[card] == rules.suits[open_kind] != 0
        if is_captain and (joined < 0 or rules.is_five[open_kind]):
            joined = number
    return joined


@compiled
def is_wild(rules: Any, card: Any) -> Any:
    return rules.added[card] >> WILD_SHIFT != 0


@inlined
def join_set(rules: Any, match: Any, seat: Any, slot: Any) -> None:
    """Move a fourth card from a rack to its set."""
    number = find_joined(rules, match, seat, match.racks[seat, slot])
    match.set_sizes[seat, number] += 1
    match.laid[seat, remove_card(rules, match, seat, slot)] += 1


# --- sets ---
# That a rack can lay, buy and complete, as in `arena.families.cox.sets`.


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
