"""The turns of a deal on arrays: exchanges, knocks and rounds, as in `arena.families.exchange.deal`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.exchange.kernel.action_table_access import (
    action_kind,
    exchange_size,
    given_slot,
    taken_slot,
)
from arena.families.exchange.kernel.layout import ANSWER_KNOCK, PASS, TAKE_PACKET, TAKE_TURN
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import is_dealt_in
from arena.games.kernel.settlement import hand_strength
from arena.games.kernel.shuffling import draw_card

SHOWN_TOTAL: Final = 62
"""Twice the total from which a hand must be shown."""
ALL_OF_789: Final = 7


@compiled
def set_deadlock(rules: Any, match: Any) -> None:
    """Set the number of passes in a row that ends the trading; -1 where passes never do."""
    match.deadlock = rules.deadlock * match.trading
    if match.deadlock == 0:
        match.deadlock = -1


@compiled
def ask(match: Any, seat: int, phase: int, row: int) -> None:
    match.to_act = seat
    match.phase = phase
    match.legal = row


@compiled
def begin_trading(tables: Any, match: Any, room: Any) -> None:
    """Begin the trading: everybody has looked at his hand."""
    if tables.rules.shows_at_once:
        shown = 0
        for seat in range(tables.rules.players):
            shown += is_dealt_in(match, seat) and must_show(tables, match, seat)
        if shown:
            match.events += shown
            show_all(match)
            return
    ask_turn(tables, match, room)


@compiled
def must_show(tables: Any, match: Any, seat: int) -> bool:
    return bool(tables.rules.doubled_total[hand_strength(tables, match, seat)] >= SHOWN_TOTAL)


@compiled
def show_all(match: Any) -> None:
    """End the trading: all hands are shown."""
    match.shown = 1
    match.to_act = NOBODY
    for seat in range(len(match.next_seat)):
        if match.next_seat[seat] != NOBODY:
            match.events += 1
            for slot in range(len(match.hands[seat])):
                if match.hands[seat, slot] != NOBODY:
                    match.seen |= np.int64(1) << match.hands[seat, slot]


@compiled
def move(tables: Any, match: Any, seat: int, action: int, room: Any) -> None:
    """Exchange or pass, and ask for the knock that may follow."""
    rules = tables.rules
    if action_kind(tables, action) == PASS:
        match.passes += 1
        if not rules.double_pass:
            match.passed |= 1 << seat
    else:
        match.passes = 0
        exchange(tables, match, seat, action)
        if rules.shows_at_once and must_show(tables, match, seat):
            match.events += 1
            show_all(match)
            return
    if rules.knock_after_move and may_knock(rules, match):
        ask(match, seat, ANSWER_KNOCK, tables.rules.knock_row)
    else:
        next_turn(tables, match, room)


@compiled
def choose_packet(tables: Any, match: Any, seat: int, kind: int) -> None:
    """Do the dealer's choice between his packet and the second one, and turn up the other."""
    rules = tables.rules
    for slot in range(rules.hand_size):
        if kind == TAKE_PACKET:
            mine, theirs = match.hands[seat, slot], match.widow[slot]
            match.hands[seat, slot], match.widow[slot] = theirs, mine
            match.seen |= np.int64(rules.open_hands) << theirs
        match.seen |= np.int64(1) << match.widow[slot]
    match.is_down = 0
    match.events += 1
    if kind == TAKE_PACKET and rules.locks:
        match.locked |= 1 << seat


@compiled
def exchange(tables: Any, match: Any, seat: int, action: int) -> None:
    """Swap cards: what is taken gets the slot of what was given, in the hand and in the widow."""
    rules, known = tables.rules, match.known[seat]
    is_private = rules.private_take and not rules.open_hands
    for place in range(exchange_size(tables, action)):
        mine, theirs = given_slot(tables, action, place), taken_slot(tables, action, place)
        given, taken = match.hands[seat, mine], match.widow[theirs]
        match.hands[seat, mine] = taken
        match.widow[theirs] = given
        known &= ~(np.int64(1) << given)
        match.seen |= np.int64(1) << given
        if not is_private:
            known |= np.int64(1) << taken
    match.known[seat] = known
    match.events += is_private
    if rules.locks and exchange_size(tables, action) == rules.hand_size:
        match.locked |= 1 << seat


@compiled
def may_knock(rules: Any, match: Any) -> bool:
    return bool(match.last == NOBODY and match.round_number >= rules.knock_from_round)


@compiled
def knock(tables: Any, match: Any, seat: int, room: Any) -> None:
    """Count a knock; it breaks a row of passes."""
    rules = tables.rules
    match.knocks += 1
    match.passes = 0
    if match.knocker == NOBODY:
        match.knocker = seat
    if rules.last_turns:
        match.last = seat
    else:
        match.idle |= 1 << seat
        match.trading -= 1
        if match.deadlock > 0:
            set_deadlock(rules, match)
        if match.knocks == rules.knocks:
            show_all(match)
            return
    next_turn(tables, match, room)


@compiled
def next_turn(tables: Any, match: Any, room: Any) -> None:
    """Pass the turn on, over seats that have no more; begin a new round where the eldest comes again."""
    rules = tables.rules
    if match.passes == match.deadlock:
        if rules.renews and stock_left(rules, match) >= match.widow_size:
            lay_new_widow(tables, match, room)
        elif rules.deadlock_final_turn:
            match.deadlock = -1
            match.turn = match.last = match.next_seat[match.turn]
            if not (match.idle >> match.turn) & 1:
                ask_turn(tables, match, room)
                return
        else:
            show_all(match)
            return
    seat = match.next_seat[match.turn]
    while True:
        if seat == match.last or (seat == match.eldest and not begin_round(tables, match, room)):
            show_all(match)
            return
        if not (match.idle >> seat) & 1:
            break
        if match.trading == 0:
            show_all(match)
            return
        seat = match.next_seat[seat]
    match.turn = seat
    ask_turn(tables, match, room)


@compiled
def ask_turn(tables: Any, match: Any, room: Any) -> None:
    """Ask the seat whose turn it is."""
    seat = match.turn
    if (match.locked >> seat) & 1:
        row = find_turn_row(tables, match, 0, 1)
    elif (match.passed >> seat) & 1 and match.last == NOBODY:
        match.passed &= ~(1 << seat)
        row = find_turn_row(tables, match, 1, 0)
    else:
        row = find_turn_row(tables, match, 1, 1)
    ask(match, seat, TAKE_TURN, row)


@compiled
def find_turn_row(tables: Any, match: Any, may_exchange: int, may_pass: int) -> Any:
    rules, size = tables.rules, match.widow_size
    knocks = 1 if may_knock(rules, match) and not rules.knock_after_move else 0
    renews = 0
    if rules.call_789 and stock_left(rules, match) >= size:
        ranks = 0
        for slot in range(size):
            ranks |= tables.rules.rank_789[match.widow[slot]] or 8
        renews = 1 if ranks == ALL_OF_789 else 0
    return np.int64(tables.rules.turn_row[size, may_exchange, may_pass, knocks, renews])


@compiled
def begin_round(tables: Any, match: Any, room: Any) -> bool:
    """Begin a round, growing the widow where it grows; return whether there is one more."""
    rules = tables.rules
    if match.last == NOBODY:
        rounds = rules.rounds
        if rounds == 0:
            for seat in range(rules.players):
                rounds += is_dealt_in(match, seat)
        if match.round_number == rounds:
            return False
    match.round_number += 1
    if rules.widow_grows and stock_left(rules, match) > 0:
        match.widow[match.widow_size] = draw_card(match, rules.pack, room)
        match.widow_size += 1
        match.events += 1
    return True


@compiled
def stock_left(rules: Any, match: Any) -> int:
    """Return how many cards can still be drawn."""
    return int(rules.pack + match.under_size - match.next_card)


@compiled
def lay_new_widow(tables: Any, match: Any, room: Any) -> None:
    """Lay a new widow in place of this one."""
    match.passes = 0
    match.events += 1
    for slot in range(match.widow_size):
        match.widow[slot] = draw_card(match, tables.rules.pack, room)
        match.seen |= np.int64(1) << match.widow[slot]
