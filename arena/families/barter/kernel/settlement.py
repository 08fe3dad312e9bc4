"""Settling a deal on arrays, as in `arena.games.settlement.paid_trades`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.barter.kernel.layout import LIVES, MONEY, TRANSFER
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import is_dealt_in
from arena.games.kernel.settlement import (
    find_best,
    going_out_key,
    hand_strength,
    lose_lives,
    reward_placings,
    share_pool,
    transfer_tokens,
    write_chip_rewards,
    write_token_rewards,
)

BEST: Final = 1
"""A beaten stander pays the best hand."""
EACH: Final = 2
"""A beaten stander pays each better hand."""


@compiled
def pay_antes(rules: Any, match: Any) -> None:
    """Pay the stakes of a deal into the pool."""
    more = rules.stake * (rules.dealer_antes - 1)
    for seat in range(rules.players):
        match.chips[seat] -= rules.stake
    match.chips[match.dealer] -= more
    match.pool += rules.stake * match.seats + more


@compiled
def settle(tables: Any, match: Any, stander: Any) -> None:
    """Change tokens or chips as the shown hands say."""
    if tables.rules.settlement == MONEY:
        settle_pool(tables, match, stander)
    elif tables.rules.settlement == TRANSFER:
        transfer_tokens(tables, match, match.dealer)
    else:
        lose_lives(tables, match)


@compiled
def settle_pool(tables: Any, match: Any, stander: Any) -> None:
    """Pay the pool to the best hand; at the end of the match one that nobody has won is given back."""
    rules = tables.rules
    first = match.dealer if rules.dealer_first else match.eldest
    best = find_best(tables, match, first)
    highest = hand_strength(tables, match, best)
    winners = np.int64(0)
    if rules.is_qualified[highest]:
        for seat in range(rules.players):
            shares = rules.split_pool and is_dealt_in(match, seat)
            if seat == best or (shares and hand_strength(tables, match, seat) == highest):
                winners |= np.int64(1) << seat
        owed = rules.stake if rules.dealer_stake and not (winners >> match.dealer) & 1 else 0
        match.chips[match.dealer] -= owed
        match.pool += owed
        share_pool(match, winners, first)
        if stander != NOBODY and stander != best and hand_strength(tables, match, stander) < highest:
            pay_for_standing(tables, match, stander, best)
    elif match.number + 1 == rules.deals:
        share_pool(match, (np.int64(1) << rules.players) - 1, match.eldest)


@compiled
def pay_for_standing(tables: Any, match: Any, stander: Any, best: Any) -> None:
    """Let a beaten stander pay the best hand or each better one."""
    rules = tables.rules
    own = hand_strength(tables, match, stander)
    for seat in range(rules.players):
        is_paid = rules.stand_penalty == BEST and seat == best
        if rules.stand_penalty == EACH and is_dealt_in(match, seat):
            is_paid = hand_strength(tables, match, seat) > own
        if is_paid:
            match.chips[stander] -= rules.stake
            match.chips[seat] += rules.stake


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    players = rules.players
    if rules.settlement == MONEY:
        write_chip_rewards(rules, match, by_payoff, placings, rewards)
        return
    write_token_rewards(rules, match, by_payoff, placings, rewards)
    if rules.settlement == LIVES and not by_payoff:
        for seat in range(players):
            ahead = 0
            for other in range(players):
                ahead += int(is_better(match, other, seat))
            placings[seat] = 1 + ahead
        reward_placings(players, placings, rewards)


@compiled
def is_better(match: Any, seat: Any, other: Any) -> bool:
    """Return whether a seat is placed better: by tokens, then by when it went out, then by chips."""
    more = match.tokens[seat] - match.tokens[other]
    if more == 0:
        more = going_out_key(match, seat) - going_out_key(match, other)
    if more == 0:
        return bool(match.chips[seat] > match.chips[other])
    return bool(more > 0)
