"""The deals of a match on arrays, as in `arena.families.cambio.deal`."""

from __future__ import annotations

from typing import Any

from arena.families.cambio.kernel.layout import (
    CALL,
    DISCARD,
    DRAW,
    DRAW_AGAIN,
    IN_DRAW_AGAIN,
    IN_POWER,
    IN_TURN,
    MAX_STEPS,
    NO_STEP,
    PEEK,
    PLACE,
    SKIP,
    SWAP,
)
from arena.families.cambio.kernel.legal_actions import offer_places, offer_step, offer_turn
from arena.families.cambio.kernel.settlement import is_last_deal, settle
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.legal_action_list import add_choice, play_forced
from arena.games.kernel.seats import find_next_dealer, link_seats, reset_match
from arena.games.kernel.shuffling import draw_card, draw_first_dealer, refill, shuffle


@compiled
def begin_match(tables: Any, match: Any, room: Any) -> None:
    """Begin a match whose seed is set, up to its first decision."""
    rules = tables.rules
    reset_match(rules, match)
    match.points[: rules.players] = 0
    deal_cards(rules, match, draw_first_dealer(match, rules.players, room), room)
    play_forced(play_action, rules, match, room)


@compiled
def apply_action(tables: Any, match: Any, action: Any, room: Any) -> None:
    """Do a legal action for the seat to act, up to the next decision or the end of the match."""
    play_action(tables.rules, match, action, room)
    play_forced(play_action, tables.rules, match, room)


@compiled
def deal_cards(rules: Any, match: Any, dealer: int, room: Any) -> None:
    """Deal, let all look at their cards, and ask the first seat."""
    match.dealer = dealer
    match.order_size = match.streamed = match.under_size = match.placed = match.refills = match.events = 0
    match.caller = match.drawn = NOBODY
    match.round_number = 1
    link_seats(rules, match)
    hands_end = rules.players * rules.hand_size
    shuffle(match, rules.pack, hands_end + 1, room)
    for card in range(rules.pack):
        match.known_by[card] = 0
    for step in range(MAX_STEPS):
        match.steps[step] = NO_STEP
    for seat in range(rules.players):
        match.held[seat] = match.points[seat]
        match.last_kind[seat] = NOBODY
        match.sizes[seat] = rules.hand_size
        for slot in range(rules.hand_size):
            card = match.order[seat * rules.hand_size + slot]
            match.hands[seat, slot] = card
            if rules.is_peeked[slot]:
                match.known_by[card] = 1 << seat
    match.pile[0] = match.order[hands_end]
    match.pile_size = 1
    match.next_card = hands_end + 1
    match.turn = match.eldest
    ask_turn(rules, match)


@compiled
def ask_turn(rules: Any, match: Any) -> None:
    """Ask the seat whose turn it is."""
    match.to_act = match.turn
    match.phase = IN_TURN
    may_take = match.pile_size > 0 and (
        rules.always_takes or not rules.is_valueless[match.pile[match.pile_size - 1]]
    )
    may_call = match.caller == NOBODY and not rules.call_after
    offer_turn(rules, match, can_draw(rules, match), may_take and match.sizes[match.turn] > 0, may_call)


@compiled
def stock_left(rules: Any, match: Any) -> Any:
    """Return how many cards can still be drawn."""
    return rules.pack + match.under_size - match.next_card


@compiled
def can_draw(rules: Any, match: Any) -> Any:
    """Return whether there is a card to draw, from the stock or by shuffling the discards anew."""
    return stock_left(rules, match) > 0 or match.pile_size > 1


@compiled
def draw(rules: Any, match: Any, room: Any) -> Any:
    """Draw a card; an empty stock is first renewed from all discards but the top."""
    if stock_left(rules, match) == 0:
        match.events += 1
        refill(match, rules.pack, room)
    return draw_card(match, rules.pack, room)


@compiled
def lay(match: Any, card: Any) -> None:
    """Lay a card on the discard pile, face up."""
    match.pile[match.pile_size] = card
    match.pile_size += 1


@compiled
def play_action(rules: Any, match: Any, action: Any, room: Any) -> None:
    """Do an action for the seat to act, up to what may be decided next."""
    seat, kind = match.to_act, rules.kind_of[action]
    match.events += 1
    match.last_kind[seat] = kind
    if kind == DRAW:
        take_card(rules, match, seat, action == rules.draw_stock, room)
    elif kind in (PLACE, DISCARD):
        put_down(rules, match, seat, rules.slot_bits[action])
        take_step(rules, match, room)
    elif kind in (PEEK, SWAP):
        use_power(rules, match, seat, kind, rules.spots[action])
        take_step(rules, match, room)
    elif kind == SKIP and match.phase != IN_TURN:
        if match.phase == IN_DRAW_AGAIN:
            clear_steps(match)
        take_step(rules, match, room)
    else:
        if kind == CALL:
            match.caller = seat
        pass_turn(rules, match, room)


@compiled
def take_card(rules: Any, match: Any, seat: Any, is_from_stock: Any, room: Any) -> None:
    """Draw the top card of the stock or of the discard pile, and ask where to put it."""
    if is_from_stock:
        match.drawn = draw(rules, match, room)
        match.known_by[match.drawn] = 1 << seat
    else:
        match.pile_size -= 1
        match.drawn = match.pile[match.pile_size]
        match.known_by[match.drawn] = (1 << rules.players) - 1
    offer_places(rules, match, is_from_stock)


@compiled
def clear_steps(match: Any) -> None:
    for step in range(MAX_STEPS):
        match.steps[step] = NO_STEP


@compiled
def put_down(rules: Any, match: Any, seat: Any, slots: Any) -> None:
    """Put the drawn card in the place of cards given by their slots, as bits, or discard it."""
    drawn = match.drawn
    match.drawn = NOBODY
    if slots == 0:
        if rules.powers[drawn, 0] != NO_STEP:
            for step in range(MAX_STEPS):
                match.steps[step] = rules.powers[drawn, step]
        match.events += 1
        lay(match, drawn)
        return
    clear_steps(match)
    hand, rank, is_equal, count, first = match.hands[seat], -1, True, 0, -1
    for slot in range(match.sizes[seat]):
        if (slots >> slot) & 1:
            if first < 0:
                first = slot
                rank = rules.rank_of[hand[slot]]
            is_equal = is_equal and rules.rank_of[hand[slot]] == rank
            count += 1
    match.events += count
    if not is_equal:
        for slot in range(match.sizes[seat]):
            if (slots >> slot) & 1:
                match.known_by[hand[slot]] = (1 << rules.players) - 1
        match.events += 1
        hand[match.sizes[seat]] = drawn
        match.sizes[seat] += 1
        return
    kept = 0
    for slot in range(match.sizes[seat]):
        card = hand[slot]
        if (slots >> slot) & 1:
            lay(match, card)
            card = drawn
        if not (slots >> slot) & 1 or slot == first:
            hand[kept] = card
            kept += 1
    match.sizes[seat] = kept


@compiled
def use_power(rules: Any, match: Any, seat: Any, kind: Any, spots: Any) -> None:
    """Peek at a card, or swap two."""
    owner, slot = (seat + rules.step * spots[0]) % rules.players, spots[1]
    card = match.hands[owner, slot]
    if kind == PEEK:
        match.known_by[card] |= 1 << seat
        return
    other, place = (seat + rules.step * spots[2]) % rules.players, spots[3]
    match.hands[owner, slot] = match.hands[other, place]
    match.hands[other, place] = card


@compiled
def take_step(rules: Any, match: Any, room: Any) -> None:
    """Ask for the next step of the power that is possible; after the last one the move is over."""
    match.to_act = match.turn
    while match.steps[0] != NO_STEP:
        step = match.steps[0]
        for place in range(MAX_STEPS - 1):
            match.steps[place] = match.steps[place + 1]
        match.steps[MAX_STEPS - 1] = NO_STEP
        offer_step(rules, match, step)
        if match.choice_count > 1:
            match.phase = IN_DRAW_AGAIN if step == DRAW_AGAIN else IN_POWER
            return
    match.phase = IN_TURN
    if rules.call_after and match.caller == NOBODY:
        match.choice_count = 0
        add_choice(match, rules.call)
        add_choice(match, rules.go_on)
    else:
        pass_turn(rules, match, room)


@compiled
def pass_turn(rules: Any, match: Any, room: Any) -> None:
    """Pass the turn on, until it is the caller's or the rounds are over."""
    match.turn = match.next_seat[match.turn]
    if match.caller == NOBODY and match.turn == match.eldest:
        match.round_number += 1
    if match.turn == match.caller or match.round_number > rules.rounds:
        end_deal(rules, match, room)
    else:
        ask_turn(rules, match)


@compiled
def end_deal(rules: Any, match: Any, room: Any) -> None:
    """Show and settle the hands; deal again, or end the match."""
    if rules.has_valueless:
        exchange_valueless(rules, match, room)
    match.to_act = NOBODY
    match.choice_count = 0
    for seat in range(rules.players):
        match.events += 1
        for slot in range(match.sizes[seat]):
            match.known_by[match.hands[seat, slot]] = (1 << rules.players) - 1
    settle(rules, match)
    match.is_over = is_last_deal(rules, match)
    if not match.is_over:
        match.number += 1
        deal_cards(rules, match, find_next_dealer(rules, match), room)


@compiled
def exchange_valueless(rules: Any, match: Any, room: Any) -> None:
    """Exchange cards that count nothing for the next of the stock that count."""
    seat = match.eldest
    for _ in range(rules.players):
        for slot in range(match.sizes[seat]):
            while rules.is_valueless[match.hands[seat, slot]] and can_draw(rules, match):
                drawn = draw(rules, match, room)
                match.events += 1
                lay(match, match.hands[seat, slot])
                match.hands[seat, slot] = drawn
        seat = match.next_seat[seat]
