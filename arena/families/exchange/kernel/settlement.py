"""Settling a deal on arrays: lives, transfers and penalties, as in `arena.games.settlement`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.exchange.kernel.compilation import compiled
from arena.families.exchange.kernel.layout import LIVES, NOBODY, PRIZES, TRANSFER

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
def is_dealt_in(match: Any, seat: int) -> bool:
    return bool(match.next_seat[seat] != NOBODY)


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
def put_out(rules: Any, match: Any) -> None:
    """Put seats out that have too few tokens."""
    for seat in range(rules.players):
        if match.tokens[seat] >= rules.min_tokens:
            match.went_out[seat] = NOBODY
        elif match.went_out[seat] == NOBODY:
            match.went_out[seat] = match.number


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
def transfer_tokens(tables: Any, match: Any, first: Any) -> None:
    """Give the best hand, of equal ones the first from a seat on, a token from each worst."""
    winner = first
    seat = match.next_seat[winner]
    while seat != first:
        if hand_strength(tables, match, seat) > hand_strength(tables, match, winner):
            winner = seat
        seat = match.next_seat[seat]
    if tables.rules.is_qualified[hand_strength(tables, match, winner)]:
        losers = find_worst(tables, match, winner)
        for seat in range(tables.rules.players):
            if (losers >> seat) & 1:
                match.tokens[seat] -= 1
                match.tokens[winner] += 1


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
def is_match_over(rules: Any, match: Any) -> bool:
    """Return whether the match ends after the deal that was settled."""
    seats_in = 0
    for seat in range(rules.players):
        seats_in += match.went_out[seat] == NOBODY
    return bool(seats_in <= 1 or match.number + 1 == rules.deals)


@compiled
def find_next_dealer(rules: Any, match: Any) -> int:
    """Return the dealer of the next deal: the next seat that is in."""
    dealer = (match.dealer + rules.step) % rules.players
    while match.went_out[dealer] != NOBODY:
        dealer = (dealer + rules.step) % rules.players
    return int(dealer)


@compiled
def link_seats(rules: Any, match: Any) -> int:
    """Find whose turn follows whose, and who is eldest; return how many seats are in the deal."""
    for seat in range(len(match.next_seat)):
        match.next_seat[seat] = NOBODY
    seats = 0
    before = match.dealer
    for distance in range(1, rules.players + 1):
        seat = (match.dealer + rules.step * distance) % rules.players
        if match.went_out[seat] == NOBODY:
            match.next_seat[before] = seat
            before = seat
            seats += 1
    match.eldest = match.next_seat[match.dealer]
    return seats


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


@compiled
def write_chip_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match in chips that is over, by seat."""
    players = rules.players
    for seat in range(players):
        rewards[seat] = match.chips[seat]
        ahead = 0
        for other in range(players):
            ahead += int(match.chips[other] > match.chips[seat])
        placings[seat] = 1 + ahead
    if not by_payoff:
        reward_placings(players, placings, rewards)


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match of the exchange family that is over, by seat."""
    if rules.settlement == PRIZES:
        write_chip_rewards(rules, match, by_payoff, placings, rewards)
    else:
        write_token_rewards(rules, match, by_payoff, placings, rewards)


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
