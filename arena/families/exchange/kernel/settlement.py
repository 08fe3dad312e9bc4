"""Settling a deal of the exchange family on arrays: the kinds of settlement, and a pool of prizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.exchange.kernel.layout import LIVES, PRIZES, TRANSFER
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import is_dealt_in
from arena.games.kernel.settlement import (
    find_worst,
    hand_strength,
    lose_lives,
    lose_penalties,
    take_tokens,
    transfer_tokens,
    write_chip_rewards,
    write_token_rewards,
)


@compiled
def settle(tables: Any, match: Any) -> None:
    """Change the tokens and chips as the shown hands say."""
    rules = tables.rules
    if rules.settlement == LIVES:
        lose_lives(tables, match)
    elif rules.settlement == TRANSFER:
        transfer_tokens(tables, match, match.eldest)
    elif rules.settlement == PRIZES:
        draw_prize(tables, match)
    else:
        lose_penalties(tables, match)


@compiled
def draw_prize(tables: Any, match: Any) -> None:
    """Pay the prize to the best hand, take a counter from each worst, and find who is offered a horse."""
    rules = tables.rules
    winner = match.eldest
    seat = match.next_seat[winner]
    while seat != match.eldest:
        if hand_strength(tables, match, seat) > hand_strength(tables, match, winner):
            winner = seat
        seat = match.next_seat[seat]
    if rules.is_qualified[hand_strength(tables, match, winner)]:
        prize = min(rules.prize or rules.players, match.pool)
        match.chips[winner] += prize
        match.pool -= prize
    else:
        winner = np.int8(NOBODY)
    for seat in range(rules.players):
        match.held[seat] = match.tokens[seat]
    take_tokens(rules, match, find_worst(tables, match, winner))
    had_horse = match.horse
    for seat in range(rules.players):
        lost = match.held[seat] - match.tokens[seat]
        match.chips[seat] -= lost * rules.counter_value
        match.pool += lost * rules.counter_value
        if is_dealt_in(match, seat) and match.tokens[seat] == 0:
            match.horse = 0
            if had_horse:
                match.offered |= 1 << seat


@compiled
def keep_holdings(rules: Any, match: Any) -> None:
    """Note what all hold now, which observations tell."""
    for seat in range(rules.players):
        match.held[seat] = match.tokens[seat]
        match.held_chips[seat] = match.chips[seat]
    match.held_pool = match.pool
    match.held_horse = match.horse


@compiled
def pay_stakes(rules: Any, match: Any) -> None:
    """Form the pool of a match."""
    for seat in range(rules.players):
        match.chips[seat] = -rules.stake
    match.pool = rules.stake * rules.players
    match.horse = rules.horse


@compiled
def pay_antes(rules: Any, match: Any) -> None:
    """Pay for a deal into the pool, where that is agreed."""
    for seat in range(rules.players):
        if match.went_out[seat] == NOBODY:
            match.chips[seat] -= rules.ante
            match.pool += rules.ante


@compiled
def buy_horse(rules: Any, match: Any, seat: Any) -> None:
    """Buy one more counter."""
    match.tokens[seat] += 1
    match.chips[seat] -= rules.price_of_horse
    match.pool += rules.price_of_horse


@compiled
def share_rest(rules: Any, match: Any) -> None:
    """Share the pool among those still in at the end of a match, odd chips to the first."""
    count = 0
    for seat in range(rules.players):
        count += match.went_out[seat] == NOBODY
    each, odd = match.pool // count, match.pool % count
    for seat in range(rules.players):
        if match.went_out[seat] == NOBODY:
            match.chips[seat] += each
            if odd:
                match.chips[seat] += 1
                odd -= 1
    match.pool = 0


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match of the exchange family that is over, by seat."""
    if rules.settlement == PRIZES:
        write_chip_rewards(rules, match, by_payoff, placings, rewards)
    else:
        write_token_rewards(rules, match, by_payoff, placings, rewards)
