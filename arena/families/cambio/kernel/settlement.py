"""Settling a deal on arrays, as in `arena.families.cambio.scoring`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.cambio.kernel.layout import CABO, SUM, WON
from arena.games.kernel.compilation import compiled
from arena.games.kernel.settlement import write_payoff_rewards


@compiled
def sum_hand(rules: Any, match: Any, seat: Any) -> Any:
    """Return the sum of a seat's cards; two of a rank in a column count nothing where there are columns."""
    hand, total = match.hands[seat], np.int64(0)
    for slot in range(match.sizes[seat]):
        total += rules.values[hand[slot]]
    if rules.has_columns:
        for slot in range(2):
            if rules.rank_of[hand[slot]] == rules.rank_of[hand[slot + 2]]:
                total -= rules.values[hand[slot]] + rules.values[hand[slot + 2]]
    return total


@compiled
def settle(rules: Any, match: Any) -> None:
    """Add the points of the deal."""
    lowest = np.int64(1 << 30)
    for seat in range(rules.players):
        lowest = min(lowest, sum_hand(rules, match, seat))
    if rules.form == WON:
        settle_won(rules, match, lowest)
        return
    caller = match.caller
    for seat in range(rules.players):
        total = sum_hand(rules, match, seat)
        if seat == caller and total > lowest:
            total += rules.caller_penalty
        elif seat == caller and rules.form == CABO:
            total = np.int64(0)
        if rules.halved and match.points[seat] + total == rules.until:
            total = rules.until // 2 - match.points[seat]
        match.points[seat] += total


@compiled
def settle_won(rules: Any, match: Any, lowest: Any) -> None:
    """Give the lowest sum a point, of equal ones not the caller's."""
    is_shared = False
    for seat in range(rules.players):
        is_shared |= seat != match.caller and sum_hand(rules, match, seat) == lowest
    for seat in range(rules.players):
        if sum_hand(rules, match, seat) == lowest and not (is_shared and seat == match.caller):
            match.points[seat] += 1


@compiled
def is_last_deal(rules: Any, match: Any) -> Any:
    """Return whether the match ends after the deal that was settled."""
    most = match.points[0]
    for seat in range(rules.players):
        most = max(most, match.points[seat])
    if rules.until and (most > rules.until or (most == rules.until and rules.form == SUM)):
        return True
    return match.number + 1 == rules.deals


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    players = rules.players
    sign = 1 if rules.form == WON else -1
    for seat in range(players):
        rewards[seat] = sign * match.points[seat]
    write_payoff_rewards(players, by_payoff, placings, rewards)
