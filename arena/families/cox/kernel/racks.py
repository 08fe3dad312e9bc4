"""The racks of a deal on arrays: cards that come and go, greenbacks and sets that are laid out."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.cox.kernel.layout import BANK_BIT
from arena.families.cox.kernel.stock import stock_left
from arena.families.cox.sets import SETS_IN_HAND, WILD_SHIFT
from arena.games.kernel.compilation import compiled, inlined

NO_KIND = -1
BANK_COUNT = 1 << WILD_SHIFT + BANK_BIT


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
