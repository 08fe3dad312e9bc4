"""Settlement of deals in compiled games, and the rewards that follow from it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import is_dealt_in

# --- settling deals ---
# Lives, transfers, penalties and pots on arrays, as in `arena.games.settlement`.

DOUBLE: Final = 1
"""Cost to the knocker of a shown total, option `knock31`."""
EXEMPT: Final = 2
NO_SWEEP: Final = -1


@compiled
def hand_strength(tables: Any, match: Any, seat: int) -> int:
    """Return the strength of a seat's hand; larger is better."""
    hand = match.hands[seat]
    return int(tables.rules.strengths[hand[0], hand[1], hand[2]])


@compiled
def find_worst(tables: Any, match: Any, spared: int) -> int:
    """Return the seats of the worst hand as bits, `spared` left out."""
    worst = 1 << 14
    seats = 0
    for seat in range(tables.rules.players):
        if is_dealt_in(match, seat) and seat != spared:
            tie = tables.rules.tie_class[hand_strength(tables, match, seat)]
            if tie < worst:
                worst = tie
                seats = 0
            if tie == worst:
                seats |= 1 << seat
    return seats


@compiled
def lose_lives(tables: Any, match: Any) -> None:
    """Take a token from each worst hand, unless nobody would be left in."""
    take_tokens(tables.rules, match, find_worst(tables, match, NOBODY))


@compiled
def take_tokens(rules: Any, match: Any, losers: Any) -> None:
    """Take a token from each loser, given as bits, unless nobody would be left in."""
    somebody_stays = False
    for seat in range(rules.players):
        if is_dealt_in(match, seat):
            somebody_stays |= not (losers >> seat) & 1 or match.tokens[seat] > rules.min_tokens
    if somebody_stays:
        for seat in range(rules.players):
            match.tokens[seat] -= (losers >> seat) & 1


@compiled
def find_best(tables: Any, match: Any, first: Any) -> Any:
    """Return the seat of the best hand, of equal ones the first from a seat on."""
    best = first
    seat = match.next_seat[first]
    while seat != first:
        if hand_strength(tables, match, seat) > hand_strength(tables, match, best):
            best = seat
        seat = match.next_seat[seat]
    return best


@compiled
def transfer_tokens(tables: Any, match: Any, first: Any) -> None:
    """Give the best hand, of equal ones the first from a seat on, a token from each worst."""
    winner = find_best(tables, match, first)
    if tables.rules.is_qualified[hand_strength(tables, match, winner)]:
        losers = find_worst(tables, match, winner)
        for seat in range(tables.rules.players):
            if (losers >> seat) & 1:
                match.tokens[seat] -= 1
                match.tokens[winner] += 1


@compiled
def lose_penalties(tables: Any, match: Any) -> None:
    """Take what the hands cost, or what is left, and see to it that somebody stays in."""
    rules = tables.rules
    lowest = rules.min_tokens - 1
    knocker = 1 << match.knocker if match.knocker != NOBODY else 0
    double = 0
    losers = find_swept(tables, match)
    if losers == NO_SWEEP:
        worst = find_worst(tables, match, NOBODY)
        losers = limit_ties(rules, worst, knocker)
        if rules.knocker_double and worst == knocker:
            double = knocker
    elif rules.knock31 == EXEMPT:
        losers &= ~knocker
    elif rules.knock31 == DOUBLE:
        double = knocker & losers
    other_rides = False
    for seat in range(rules.players):
        if rules.one_rider and is_dealt_in(match, seat):
            other_rides |= match.tokens[seat] == 0 and not (losers >> seat) & 1
    anybody_left = False
    for seat in range(rules.players):
        if is_dealt_in(match, seat):
            left = tokens_left(
                match.tokens[seat], losers >> seat & 1, double >> seat & 1, lowest, other_rides
            )
            anybody_left |= not (losers >> seat) & 1 or left >= rules.min_tokens
    for seat in range(rules.players):
        if anybody_left:
            match.tokens[seat] = tokens_left(
                match.tokens[seat], losers >> seat & 1, double >> seat & 1, lowest, other_rides
            )
        elif rules.comeback:
            match.tokens[seat] = 1


@compiled
def tokens_left(tokens: int, loses: int, is_double: int, lowest: int, other_rides: bool) -> int:
    """Return a seat's tokens after a loss; with nothing left it is out while another rides free."""
    if not loses:
        return tokens
    left = max(tokens - loses - is_double, lowest)
    return lowest if other_rides and left == 0 else left


@compiled
def find_swept(tables: Any, match: Any) -> int:
    """Return the seats that a total shown makes lose, as bits; NO_SWEEP where none is shown."""
    rules = tables.rules
    losers = 0
    is_shown = False
    for seat in range(rules.players):
        if is_dealt_in(match, seat):
            if tables.rules.doubled_total[hand_strength(tables, match, seat)] >= 2 * rules.sweep:
                is_shown = True
            else:
                losers |= 1 << seat
    return losers if rules.sweep and is_shown else NO_SWEEP


@compiled
def limit_ties(rules: Any, worst: int, knocker: int) -> int:
    """Return those of the worst hands that lose where several tie, as bits."""
    if worst & (worst - 1) == 0:
        return worst
    if worst & knocker and rules.knocker_alone:
        return knocker
    if not rules.ties_lose:
        return 0
    if worst & knocker and rules.knocker_safe:
        return worst ^ knocker
    return worst


@compiled
def share_pool(match: Any, winners: Any, first: Any) -> None:
    """Share the pool equally among seats given as bits, odd chips to the first in the order of turns."""
    count = 0
    left = winners
    while left:
        count += left & 1
        left >>= 1
    each, odd = match.pool // count, match.pool % count
    seat = first
    while True:
        if (winners >> seat) & 1:
            match.chips[seat] += each
            if odd:
                match.chips[seat] += 1
                odd -= 1
        seat = match.next_seat[seat]
        if seat == first:
            break
    match.pool = 0


# --- rewards ---
# Placings and rewards of a match that is over.


@compiled
def compute_placings(players: int, match: Any, placings: Any) -> None:
    """Write placings by seat: by tokens, then by the deal one went out in; ties share the better number."""
    for seat in range(players):
        better = 0
        for other in range(players):
            more = match.tokens[other] - match.tokens[seat]
            if more == 0:
                more = going_out_key(match, other) - going_out_key(match, seat)
            better += more > 0
        placings[seat] = 1 + better


@compiled
def write_token_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match in tokens that is over, by seat."""
    players = rules.players
    compute_placings(players, match, placings)
    for seat in range(players):
        rewards[seat] = match.tokens[seat] - rules.tokens
    if not by_payoff:
        reward_placings(players, placings, rewards)


@compiled
def write_chip_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match in chips that is over, by seat."""
    for seat in range(rules.players):
        rewards[seat] = match.chips[seat]
    write_payoff_rewards(rules.players, by_payoff, placings, rewards)


@compiled
def write_payoff_rewards(players: int, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the placings by the payoffs that `rewards` has, and what they are worth in the place of these."""
    for seat in range(players):
        ahead = 0
        for other in range(players):
            ahead += int(rewards[other] > rewards[seat])
        placings[seat] = 1 + ahead
    if not by_payoff:
        reward_placings(players, placings, rewards)


@compiled
def reward_placings(players: int, placings: Any, rewards: Any) -> None:
    """Write by seat the share of the others placed worse less the share placed better."""
    for seat in range(players):
        ahead = 0
        for other in range(players):
            ahead += int(placings[other] > placings[seat]) - int(placings[other] < placings[seat])
        rewards[seat] = ahead / np.float64(players - 1)


@compiled
def going_out_key(match: Any, seat: int) -> int:
    """Return when a seat went out: later is larger, never is largest."""
    return 1 << 14 if match.went_out[seat] == NOBODY else int(match.went_out[seat])
