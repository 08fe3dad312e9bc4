"""The deals of a match on arrays, from the shuffle to the settlement, as in `arena.games.match`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.exchange.kernel.action_table_access import action_kind, count_legal, default_action
from arena.families.exchange.kernel.layout import (
    ANSWER_KNOCK,
    ANSWER_OFFER,
    CHOOSE_PACKET,
    EXCHANGE,
    EXCHANGE_BLIND,
    HORSE,
    KNOCK,
    PRIZES,
    RENEW,
)
from arena.families.exchange.kernel.settlement import (
    buy_horse,
    keep_holdings,
    pay_antes,
    pay_stakes,
    settle,
    share_rest,
)
from arena.families.exchange.kernel.turns import (
    ask,
    ask_turn,
    begin_trading,
    choose_packet,
    exchange,
    knock,
    lay_new_widow,
    move,
    next_turn,
    set_deadlock,
)
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
from arena.games.kernel.shuffling import draw_first_dealer, shuffle


@compiled
def begin_match(tables: Any, match: Any, room: Any) -> None:
    """Begin a match whose seed is set, up to its first decision."""
    rules = tables.rules
    seat_players(rules, match)
    if rules.settlement == PRIZES:
        pay_stakes(rules, match)
    deal_cards(tables, match, draw_first_dealer(match, rules.players, room), room)
    if match.shown:
        finish_deals(tables, match, room)
    play_forced(tables, match, room)


@compiled
def play_forced(tables: Any, match: Any, room: Any) -> None:
    """Play the decisions in which only one action is legal: nobody is asked for them."""
    while not match.is_over and count_legal(tables, match.legal) == 1:
        apply_action(tables, match, default_action(tables, match.legal), room)


@compiled
def finish_deals(tables: Any, match: Any, room: Any) -> None:
    """Settle deals that are over and begin the next, up to a decision or the match's end."""
    while match.shown and not match.is_over:
        settle(tables, match)
        if offer_horse(tables.rules, match):
            return
        close_deal(tables, match, room)


@compiled
def offer_horse(rules: Any, match: Any) -> Any:
    """Ask the next seat that is offered a horse, in the order of turns; return whether there is one."""
    if not match.offered:
        return False
    seat = match.eldest
    while not (match.offered >> seat) & 1:
        seat = match.next_seat[seat]
    keep_holdings(rules, match)
    ask(match, seat, ANSWER_OFFER, rules.offer_row)
    return True


@compiled
def close_deal(tables: Any, match: Any, room: Any) -> None:
    """Put seats out that have lost all; deal again, or end the match."""
    rules = tables.rules
    put_out(rules, match)
    match.is_over = is_match_over(rules, match)
    if not match.is_over:
        match.number += 1
        deal_cards(tables, match, find_next_dealer(rules, match), room)
    elif rules.settlement == PRIZES:
        match.to_act = NOBODY
        share_rest(rules, match)


@compiled
def deal_cards(tables: Any, match: Any, dealer: int, room: Any) -> None:
    """Deal to the seats still in, and play up to the first decision."""
    rules = tables.rules
    reset_deal(rules, match, dealer)
    find_order(rules, match)
    shuffle(match, rules.pack, rules.players * rules.hand_size + rules.table_size, room)
    lay_out(tables, match, room)


@compiled
def lay_out(tables: Any, match: Any, room: Any) -> None:
    """Deal the cards whose order is decided, and play up to the first decision."""
    rules, hand_size = tables.rules, tables.rules.hand_size
    hands_end = rules.players * hand_size
    for seat in range(rules.players):
        for slot in range(hand_size):
            card = match.order[seat * hand_size + slot]
            if is_dealt_in(match, seat):
                match.hands[seat, slot] = card
                match.dealt[seat, slot] = card
            else:
                match.under[match.under_size] = card
                match.under_size += 1
    for slot in range(rules.table_size):
        match.widow[slot] = match.order[hands_end + slot]
        if not rules.has_packet:
            match.seen |= np.int64(1) << match.widow[slot]
    match.next_card = hands_end + rules.table_size
    if rules.is_blind:
        match.looked = 0
        ask(match, match.dealer, EXCHANGE_BLIND, tables.rules.blind_row)
    elif rules.has_packet:
        match.is_down = 1
        ask(match, match.dealer, CHOOSE_PACKET, tables.rules.packet_row)
    else:
        begin_trading(tables, match, room)


@compiled
def reset_deal(rules: Any, match: Any, dealer: int) -> None:
    match.dealer = dealer
    match.offered = 0
    if rules.settlement == PRIZES:
        pay_antes(rules, match)
    keep_holdings(rules, match)
    for seat in range(rules.players):
        match.last_kind[seat] = NOBODY
        match.known[seat] = 0
        for slot in range(rules.hand_size):
            match.hands[seat, slot] = match.dealt[seat, slot] = NOBODY
    match.widow_size = rules.table_size
    match.idle = match.locked = match.passed = 0
    match.round_number = 1
    match.passes = match.knocks = 0
    match.knocker = match.last = NOBODY
    match.looked = 1
    match.shown = match.is_down = match.events = match.seen = 0
    match.order_size = match.streamed = match.under_size = match.placed = 0


@compiled
def find_order(rules: Any, match: Any) -> None:
    """Find whose turn follows whose, and who is eldest."""
    match.trading = link_seats(rules, match)
    match.turn = match.eldest
    set_deadlock(rules, match)


@compiled
def apply_action(tables: Any, match: Any, action: int, room: Any) -> None:
    """Do a legal action for the seat to act, up to what may be decided next or the end of the match."""
    seat, phase, kind = match.to_act, match.phase, action_kind(tables, action)
    match.events += 1
    match.last_kind[seat] = kind
    if phase == ANSWER_OFFER:
        answer_offer(tables, match, seat, kind, room)
    elif phase == EXCHANGE_BLIND:
        if kind == EXCHANGE:
            exchange(tables, match, seat, action)
        match.looked = 1
        begin_trading(tables, match, room)
    elif phase == CHOOSE_PACKET:
        choose_packet(tables, match, seat, kind)
        begin_trading(tables, match, room)
    elif phase == ANSWER_KNOCK:
        if kind == KNOCK:
            knock(tables, match, seat, room)
        else:
            next_turn(tables, match, room)
    elif kind == KNOCK:
        knock(tables, match, seat, room)
    elif kind == RENEW:
        lay_new_widow(tables, match, room)
        ask_turn(tables, match, room)
    else:
        move(tables, match, seat, action, room)
    if match.shown and not match.is_over and phase != ANSWER_OFFER:
        finish_deals(tables, match, room)


@compiled
def answer_offer(tables: Any, match: Any, seat: Any, kind: Any, room: Any) -> None:
    """Buy a horse, or none; then the next seat is asked, or the deal is over."""
    match.offered &= ~(1 << seat)
    if kind == HORSE:
        buy_horse(tables.rules, match, seat)
    if not offer_horse(tables.rules, match):
        close_deal(tables, match, room)
        finish_deals(tables, match, room)
