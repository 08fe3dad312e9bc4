"""The deals of a match on arrays, as in `arena.families.barter.deal`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.barter.kernel.layout import BARTER, CONTINUE_KIND, DECLINE_KIND, GIVE, MONEY, TRADE
from arena.families.barter.kernel.settlement import pay_antes, settle
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import (
    find_next_dealer,
    is_dealt_in,
    is_match_over,
    link_seats,
    put_out,
    seat_players,
)
from arena.games.kernel.settlement import hand_strength
from arena.games.kernel.shuffling import draw_card, draw_first_dealer, shuffle

HAND_SIZE = 3
ALL_SLOTS = 7
"""The actions that give a card of any slot, as bits from that of the first slot."""


@compiled
def begin_match(tables: Any, match: Any, room: Any) -> None:
    """Begin a match whose seed is set, up to its first decision."""
    rules = tables.rules
    seat_players(rules, match)
    match.pool = 0
    match.chips[: rules.players] = 0
    deal_cards(tables, match, draw_first_dealer(match, rules.players, room), room)


@compiled
def deal_cards(tables: Any, match: Any, dealer: int, room: Any) -> None:
    """Deal to the seats still in, and ask the first."""
    rules = tables.rules
    reset_deal(rules, match, dealer)
    shuffle(match, rules.pack, rules.players * HAND_SIZE, room)
    lay_out(tables, match)


@compiled
def lay_out(tables: Any, match: Any) -> None:
    """Deal the first cards of the order to the seats still in, and ask the first."""
    rules = tables.rules
    match.seats = link_seats(rules, match)
    match.next_card = rules.players * HAND_SIZE
    for seat in range(rules.players):
        for slot in range(HAND_SIZE):
            card = match.order[seat * HAND_SIZE + slot]
            if is_dealt_in(match, seat):
                match.hands[seat, slot] = card
                match.seen[seat] |= np.int64(1) << card
            else:
                put_under(match, card)
    if rules.settlement == MONEY:
        pay_antes(rules, match)
    keep_holdings(rules, match)
    match.turn = match.eldest
    ask_turn(tables, match, True)


@compiled
def reset_deal(rules: Any, match: Any, dealer: int) -> None:
    match.dealer = dealer
    for seat in range(rules.players):
        match.held[seat] = match.tokens[seat]
        match.last_kind[seat] = NOBODY
        match.seen[seat] = 0
    match.round_number = 1
    match.asker = NOBODY
    match.satisfied = match.standing = match.events = match.shown = match.all_shown = 0
    match.exchange_count = match.trade_count = 0
    match.order_size = match.streamed = match.under_size = match.placed = 0


@compiled
def keep_holdings(rules: Any, match: Any) -> None:
    """Note what all hold now, which observations tell until the deal is over."""
    for seat in range(rules.players):
        match.held_chips[seat] = match.chips[seat]
    match.held_pool = match.pool


@compiled
def put_under(match: Any, card: Any) -> None:
    match.under[match.under_size] = card
    match.under_size += 1


@compiled
def ask_turn(tables: Any, match: Any, may_barter: Any) -> None:
    """Ask the seat whose turn it is."""
    rules, seat = tables.rules, match.turn
    match.to_act = seat
    legal = ALL_SLOTS
    if may_barter and find_partner(rules, match, seat) != seat:
        legal |= ALL_SLOTS << HAND_SIZE
    if not rules.needs_rank_to_knock or rules.is_qualified[hand_strength(tables, match, seat)]:
        legal |= 1 << rules.stop
    match.legal = legal


@compiled
def find_partner(rules: Any, match: Any, seat: Any) -> Any:
    """Return the partner of a seat; itself if no other trades on."""
    while True:
        if rules.is_left:
            seat = match.next_seat[seat]
        else:
            before = seat
            while match.next_seat[before] != seat:
                before = match.next_seat[before]
            seat = before
        if not (match.satisfied >> seat) & 1:
            return np.int64(seat)


@compiled
def apply_action(tables: Any, match: Any, action: Any, room: Any) -> None:
    """Do a legal action for the seat to act, up to the next decision or the end of the match."""
    rules, seat = tables.rules, match.to_act
    kind = rules.kind_of[action]
    match.events += 1
    match.last_kind[seat] = kind
    if kind == TRADE:
        trade(rules, match, seat, action, room)
        finish_exchange(tables, match, room)
    elif kind == BARTER:
        match.asker, match.offered = seat, action - HAND_SIZE
        if rules.open_hands:
            match.shown |= np.int64(1) << match.hands[seat, match.offered]
        match.to_act = find_partner(rules, match, seat)
        match.legal = ALL_SLOTS << rules.first_give
        if rules.refusal >= 0:
            match.legal |= 1 << rules.refusal
    elif kind == GIVE:
        barter(rules, match, seat, action - rules.first_give)
        finish_exchange(tables, match, room)
    elif kind == DECLINE_KIND:
        match.asker = NOBODY
        ask_turn(tables, match, False)
    elif kind == CONTINUE_KIND:
        pass_turn(tables, match, room)
    else:
        stand(tables, match, seat, room)


@compiled
def trade(rules: Any, match: Any, seat: Any, slot: Any, room: Any) -> None:
    """Take the top card of the stock; the card given goes under it."""
    given = match.hands[seat, slot]
    taken = draw_card(match, rules.pack, room)
    put_under(match, given)
    match.hands[seat, slot] = taken
    match.seen[seat] |= np.int64(1) << taken
    if rules.open_hands:
        match.shown |= np.int64(1) << given
    match.traders[match.trade_count] = seat
    match.trade_count += 1
    note_exchange(match, seat, NOBODY, given, taken)
    if rules.price and seat != match.dealer:
        match.chips[seat] -= rules.price
        match.chips[match.dealer] += rules.price
        keep_holdings(rules, match)


@compiled
def barter(rules: Any, match: Any, partner: Any, slot: Any) -> None:
    """Exchange the partner's card for the one offered."""
    asker = match.asker
    given, got = match.hands[asker, match.offered], match.hands[partner, slot]
    match.hands[asker, match.offered], match.hands[partner, slot] = got, given
    match.seen[asker] |= np.int64(1) << got
    match.seen[partner] |= np.int64(1) << given
    if rules.open_hands:
        match.shown |= np.int64(1) << got
    note_exchange(match, asker, partner, given, got)
    match.asker = NOBODY


@compiled
def note_exchange(match: Any, seat: Any, partner: Any, given: Any, got: Any) -> None:
    row = match.exchanges[match.exchange_count]
    row[0], row[1], row[2], row[3] = seat, partner, given, got
    match.exchange_count += 1


@compiled
def finish_exchange(tables: Any, match: Any, room: Any) -> None:
    rules = tables.rules
    if rules.stand_afterwards:
        match.to_act = match.turn
        match.legal = (1 << rules.stop) | (1 << rules.go_on)
    else:
        pass_turn(tables, match, room)


@compiled
def stand(tables: Any, match: Any, seat: Any, room: Any) -> None:
    """Note that a seat is satisfied: on its turn, after its exchange, or asked for a barter."""
    rules = tables.rules
    is_answer = match.asker != NOBODY
    match.asker = NOBODY
    match.satisfied |= 1 << seat
    match.standing += 1
    if not rules.until_all:
        end_deal(tables, match, seat, room)
    elif match.standing == match.seats:
        end_deal(tables, match, NOBODY, room)
    elif is_answer:
        ask_turn(tables, match, True)
    else:
        pass_turn(tables, match, room)


@compiled
def pass_turn(tables: Any, match: Any, room: Any) -> None:
    """Pass the turn on; after the last round the hands are shown."""
    seat = match.turn
    while True:
        seat = match.next_seat[seat]
        match.round_number += seat == match.eldest
        if not (match.satisfied >> seat) & 1:
            break
    match.turn = seat
    if match.round_number > tables.rules.rounds:
        end_deal(tables, match, NOBODY, room)
    else:
        ask_turn(tables, match, True)


@compiled
def end_deal(tables: Any, match: Any, stander: Any, room: Any) -> None:
    """Show and settle the hands; deal again, or end the match."""
    rules = tables.rules
    match.to_act = NOBODY
    match.legal = 0
    match.all_shown = 1
    for seat in range(rules.players):
        if is_dealt_in(match, seat):
            match.events += 1
            for slot in range(HAND_SIZE):
                match.shown |= np.int64(1) << match.hands[seat, slot]
    settle(tables, match, stander)
    if rules.settlement != MONEY:
        put_out(rules, match)
    match.is_over = is_match_over(rules, match)
    if not match.is_over:
        match.number += 1
        deal_cards(tables, match, find_next_dealer(rules, match), room)
