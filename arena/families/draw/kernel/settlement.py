"""Settling a deal on arrays: in tokens, or by a pot as in `arena.games.settlement.shared_pot`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.seats import put_out
from arena.games.kernel.settlement import (
    hand_strength,
    lose_penalties,
    share_pool,
    write_chip_rewards,
    write_token_rewards,
)


@compiled
def pay_antes(rules: Any, match: Any) -> None:
    """Pay the stakes of a deal into the pool."""
    for seat in range(rules.players):
        if rules.is_pot:
            match.chips[seat] -= rules.stake
            match.pool += rules.stake
        match.held_chips[seat] = match.chips[seat]
    match.held_pool = match.pool


@compiled
def return_antes(rules: Any, match: Any) -> None:
    """Give back the stakes of a deal that nobody wins."""
    if rules.is_pot:
        for seat in range(rules.players):
            match.chips[seat] += rules.stake
            match.pool -= rules.stake


@compiled
def settle(tables: Any, match: Any) -> None:
    """Change tokens or chips as the hands say."""
    if tables.rules.is_pot:
        share_pot(tables, match)
    else:
        lose_penalties(tables, match)
        put_out(tables.rules, match)


@compiled
def share_pot(tables: Any, match: Any) -> None:
    """Share the pool among the best hands; the worst pay into the next one."""
    rules = tables.rules
    best = worst = hand_strength(tables, match, 0)
    for seat in range(rules.players):
        best = max(best, hand_strength(tables, match, seat))
        worst = min(worst, hand_strength(tables, match, seat))
    winners = np.int64(0)
    for seat in range(rules.players):
        winners |= np.int64(hand_strength(tables, match, seat) == best) << seat
    share_pool(match, winners, match.eldest)
    if worst == best or rules.doubled_total[best] >= 2 * rules.clean_total:
        return
    for seat in range(rules.players):
        if hand_strength(tables, match, seat) == worst:
            forfeit = rules.knocker_forfeit if seat == match.knocker else rules.forfeit
            match.chips[seat] -= forfeit
            match.pool += forfeit


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    if rules.is_pot:
        write_chip_rewards(rules, match, by_payoff, placings, rewards)
    else:
        write_token_rewards(rules, match, by_payoff, placings, rewards)
