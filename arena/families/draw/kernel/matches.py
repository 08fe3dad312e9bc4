"""The deals of a match on arrays, from the shuffle to the settlement, as in `arena.families.draw.deal`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.draw.kernel.settlement import pay_antes, return_antes, settle
from arena.families.draw.kernel.turns import (
    ALL_SHOW,
    DISCARD,
    DRAW_STOCK,
    GOES_ON,
    IS_DRAWN,
    IS_SHOWN,
    KNOCK,
    TAKE,
    is_shown,
    may_knock,
    play_action,
)
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import find_next_dealer, is_dealt_in, is_match_over, link_seats, seat_players
from arena.games.kernel.shuffling import draw_card, draw_first_dealer, refill, shuffle

HAND_SIZE = 3


@compiled
def begin_match(tables: Any, match: Any, room: Any) -> None:
    """Begin a match whose seed is set, up to its first decision."""
    rules = tables.rules
    seat_players(rules, match)
    match.pool = 0
    match.chips[: rules.players] = 0
    ending = deal_cards(tables, match, draw_first_dealer(match, rules.players, room), room)
    end_deals(tables, match, ending, room)


@compiled
def end_deals(tables: Any, match: Any, ending: int, room: Any) -> None:
    """Settle deals that are over and begin the next, up to a decision or the match's end."""
    rules = tables.rules
    while ending != GOES_ON:
        match.to_act = NOBODY
        for seat in range(rules.players):
            match.events += ending == ALL_SHOW and is_dealt_in(match, seat)
        if ending == IS_DRAWN:
            return_antes(rules, match)
        else:
            settle(tables, match)
        match.is_over = is_match_over(rules, match)
        ending = GOES_ON
        if not match.is_over:
            match.number += 1
            ending = deal_cards(tables, match, find_next_dealer(rules, match), room)
    ask(tables, match)


@compiled
def deal_cards(tables: Any, match: Any, dealer: int, room: Any) -> Any:
    """Deal to the seats still in; return whether hands are shown at once."""
    rules = tables.rules
    reset_deal(rules, match, dealer)
    link_seats(rules, match)
    pay_antes(rules, match)
    hands_end = rules.players * HAND_SIZE
    shuffle(match, rules.pack, hands_end + 1, room)
    ending = GOES_ON
    for seat in range(rules.players):
        for slot in range(HAND_SIZE):
            card = match.order[seat * HAND_SIZE + slot]
            if is_dealt_in(match, seat):
                match.hands[seat, slot] = card
            else:
                match.under[match.under_size] = card
                match.under_size += 1
        if is_dealt_in(match, seat) and is_shown(tables, match.hands[seat]):
            match.events += 1
            ending = IS_SHOWN
    match.pile[0] = match.order[hands_end]
    match.next_card = hands_end + 1
    match.to_act = match.eldest
    return ending


@compiled
def reset_deal(rules: Any, match: Any, dealer: int) -> None:
    match.dealer = dealer
    for seat in range(rules.players):
        match.held[seat] = match.tokens[seat]
        match.last_kind[seat] = NOBODY
        match.known[seat] = 0
    match.pile_size = match.round_number = 1
    match.is_discarding = match.must_keep = match.actions = match.events = 0
    match.knocker = NOBODY
    match.order_size = match.streamed = match.under_size = match.placed = match.refills = 0


@compiled
def ask(tables: Any, match: Any) -> None:
    """Find what the seat to act may do."""
    if match.is_over:
        match.legal = 0
    elif match.is_discarding:
        match.legal = ((1 << (HAND_SIZE + 1 - match.must_keep)) - 1) << DISCARD
    else:
        match.legal = (1 << DRAW_STOCK) | (1 << TAKE) | (np.int64(may_knock(tables, match)) << KNOCK)


@compiled
def stock_left(rules: Any, match: Any) -> Any:
    """Return how many cards can still be drawn."""
    return rules.pack + match.under_size - match.next_card


@compiled
def apply_action(tables: Any, match: Any, action: Any, room: Any) -> None:
    """Do a legal action for the seat to act, up to the next decision or the end of the match."""
    rules, seat, drawn = tables.rules, match.to_act, NOBODY
    match.events += 1
    if action == DRAW_STOCK:
        if stock_left(rules, match) == 0:
            refill(match, rules.pack, room)
        drawn = draw_card(match, rules.pack, room)
    elif action == TAKE:
        match.known[seat] |= np.int64(1) << match.pile[match.pile_size - 1]
    elif action != KNOCK:
        match.known[seat] &= ~(np.int64(1) << match.hands[seat, action - DISCARD])
    match.last_kind[seat] = 0 if action < KNOCK else (1 if action == KNOCK else 2)
    ending = play_action(tables, match, action, drawn, stock_left(rules, match))
    if ending != GOES_ON:
        match.events += ending == IS_SHOWN
        end_deals(tables, match, ending, room)
    else:
        ask(tables, match)
