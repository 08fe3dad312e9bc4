"""Counting hands and settling a deal on arrays, as in `arena.families.cox.sets` and `scoring`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.cox.kernel.layout import BANK_BIT, SET_KINDS
from arena.families.cox.kernel.racks import BANK_COUNT, NO_KIND, find_open_kind, is_wild
from arena.families.cox.scoring import NOT_CLEAR_CHARGE
from arena.families.cox.sets import WILD_SHIFT
from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.settlement import write_payoff_rewards

GREENBACK_POINTS = 3
GREENBACKS = 4


@compiled
def find_base(rules: Any, match: Any, seat: Any) -> Any:
    """Return the number of the supply base in front of a seat."""
    return 1 + (match.dealer - seat) % rules.players * (2 if rules.players == 2 else 1)


@compiled
def count_greenbacks(match: Any, seat: Any) -> Any:
    """Return how many greenbacks a seat has laid out."""
    count = 0
    for number in range(1, GREENBACKS + 1):
        count += (match.greenbacks[seat] >> number) & 1
    return count


@compiled
def find_captain_gains(rules: Any, match: Any, wild: Any, taken: Any) -> Any:
    """Return the most that the Captains among wild cards add, each in its suit, to kinds other than one."""
    total = np.int64(0)
    for number in range(BANK_BIT):
        best = np.int64(0)
        for kind in range(SET_KINDS if (wild >> number) & 1 else 0):
            if rules.suits[kind] == 1 << number and kind != taken:
                best = max(best, match.gains[kind])
        total += best
    return total


@compiled
def count_best(rules: Any, match: Any, seat: Any, counts: Any, pair_kind: Any) -> Any:
    """Return the points of a hand's combinations, its rack arranged as well as the rules allow.

    Args:
        rules: The variant.
        match: The match.
        seat: The seat whose sets are counted.
        counts: Those of its rack without its closing pair.
        pair_kind: The kind of that, NO_KIND if there is none.
    """
    total = np.int64(0)
    for number in range(match.set_count[seat]):
        total += rules.values[match.set_kinds[seat, number], match.set_sizes[seat, number]]
    if pair_kind != NO_KIND:
        total += rules.values[pair_kind, 2]
    first, second = find_open_kind(match, seat, 0), find_open_kind(match, seat, 1)
    for kind in range(SET_KINDS):
        count, values = (counts >> 3 * kind) & 7, rules.values[kind]
        is_joining = kind in (first, second)
        alone = values[count]
        if is_joining and count:
            alone = max(alone, values[4] - values[3] + values[count - 1])
        total += alone
        match.gains[kind] = 0
        if 0 < count < 3:
            match.gains[kind] = max(values[count + 1] - alone, 0)
        elif rules.captain_fourth and (count == 3 or (is_joining and count == 0)):
            match.gains[kind] = values[4] - values[3]
    wild = counts >> WILD_SHIFT
    if wild == 0:
        return total
    best = find_captain_gains(rules, match, wild, NO_KIND)
    for kind in range(SET_KINDS if (wild >> BANK_BIT) & 1 else 0):
        if 0 < ((counts >> 3 * kind) & 7) < 3:
            best = max(best, match.gains[kind] + find_captain_gains(rules, match, wild, kind))
    return total + best


@inlined
def count_closed(rules: Any, match: Any, seat: Any) -> Any:
    """Return the points of a hand with the best closing pair of the card that was bought for it."""
    closing, rack = match.closing, match.racks[seat]
    counts, best = match.counts[seat] - rules.added[closing], np.int64(-1)
    for slot in range(match.sizes[seat]):
        partner = rack[slot]
        if counts & rules.kind_mask[partner] & rules.partners[closing]:
            natural = partner if is_wild(rules, closing) else closing
            left = counts - rules.added[partner]
            best = max(best, count_best(rules, match, seat, left, rules.shifts[natural] // 3))
    return best


@inlined
def score_hand(rules: Any, match: Any, seat: Any) -> Any:
    """Return the score of a seat's hand."""
    if match.closing != NOBODY and seat == match.buyer:
        count = count_closed(rules, match, seat)
    else:
        count = count_best(rules, match, seat, match.counts[seat], NO_KIND)
    own = (match.greenbacks[seat] >> find_base(rules, match, seat)) & 1
    count += GREENBACK_POINTS * (count_greenbacks(match, seat) + own)
    is_doubled, suits = match.counts[seat] & BANK_COUNT != 0, np.int64(0)
    for slot in range(match.sizes[seat]):
        suits |= rules.suit_bits[match.racks[seat, slot]]
    for number in range(match.set_count[seat]):
        suits |= rules.suits[match.set_kinds[seat, number]]
        is_doubled |= match.has_bank[seat, number] != 0
    is_doubled |= rules.doubles_drawer != 0 and seat == match.bank_discarder
    factor, charge = 1 + is_doubled, 0 if suits & (suits - 1) == 0 else NOT_CLEAR_CHARGE
    return (count - charge) * factor if rules.penalty_before_double else count * factor - charge


@inlined
def settle(rules: Any, match: Any) -> None:
    """Add the scores of the deal."""
    for seat in range(rules.players):
        match.points[seat] += score_hand(rules, match, seat)
    if match.seller != NOBODY:
        match.sold[match.seller] += 1


@inlined
def is_last_deal(rules: Any, match: Any) -> Any:
    """Return whether the match ends after the deal that was settled."""
    sold = np.int64(0)
    for seat in range(rules.players):
        sold += match.sold[seat]
    return match.number + 1 == rules.max_deals or (rules.completed != 0 and sold == rules.deals)


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    for seat in range(rules.players):
        rewards[seat] = match.points[seat]
    write_payoff_rewards(rules.players, by_payoff, placings, rewards)
