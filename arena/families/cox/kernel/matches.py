"""The deals of a match on arrays, as in `arena.families.cox.deal`."""

from __future__ import annotations

from typing import Any

from arena.families.cox.kernel.layout import (
    AFTER_BUYING,
    BEFORE_SELLING,
    BUY,
    DISCARD,
    DRAW,
    HOLD,
    IN_TURN,
    LAY,
    LEAVE,
    SELL,
)
from arena.families.cox.kernel.racks import (
    draw_replacements,
    join_set,
    lacks_sets,
    lay_new_cards,
    lay_out,
    receive_card,
    remove_card,
)
from arena.families.cox.kernel.sets import (
    can_buy,
    find_closing_discards,
    is_complete,
    offer_bought_sets,
    offer_lays,
)
from arena.families.cox.kernel.settlement import is_last_deal, settle
from arena.families.cox.kernel.stock import draw_roles, shuffle_pack, stock_left
from arena.families.cox.sets import WILD_SHIFT
from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.legal_action_list import add_choice, play_forced
from arena.games.kernel.seats import link_seats, reset_match


@compiled
def begin_match(tables: Any, match: Any, room: Any) -> None:
    """Begin a match whose seed is set, up to its first decision."""
    rules = tables.rules
    reset_match(rules, match)
    match.points[: rules.players] = match.sold[: rules.players] = 0
    deal_cards(rules, match, room)
    play_forced(play_action, rules, match, room)


@compiled
def apply_action(tables: Any, match: Any, action: Any, room: Any) -> None:
    """Do a legal action for the seat to act, up to the next decision or the end of the match."""
    play_action(tables.rules, match, action, room)
    play_forced(play_action, tables.rules, match, room)


@compiled
def deal_cards(rules: Any, match: Any, room: Any) -> None:
    """Draw the roles, deal, lay out greenbacks and sets, and ask the Retailer to draw."""
    draw_roles(rules, match, room)
    link_seats(rules, match)
    shuffle_pack(rules, match, room)
    clear_table(rules, match)
    match.next_card = rules.players * rules.hand_size
    for place in range(rules.players):
        seat = (match.dealer + rules.step * place) % rules.players
        greenbacks = 0
        for card in range(seat * rules.hand_size, (seat + 1) * rules.hand_size):
            greenbacks += receive_card(rules, match, seat, match.order[card])
        lay_new_cards(rules, match, seat, greenbacks)
    begin_turn(match, match.dealer)


@inlined
def clear_table(rules: Any, match: Any) -> None:
    """Take all cards away, and write down what everybody holds before the deal."""
    match.events = match.replaced = match.has_ended = 0
    match.window = match.closing = match.buyer = match.bank_discarder = match.seller = NOBODY
    for card in range(len(match.discards)):
        match.discards[card] = 0
    for seat in range(rules.players):
        match.held[seat], match.held_sold[seat] = match.points[seat], match.sold[seat]
        match.sizes[seat] = match.counts[seat] = match.set_count[seat] = match.greenbacks[seat] = 0
        match.last_kind[seat] = NOBODY
        for card in range(len(match.discards)):
            match.laid[seat, card] = 0


@compiled
def play_action(rules: Any, match: Any, action: Any, room: Any) -> None:
    """Do an action for the seat to act, up to what may be decided next."""
    seat, kind = match.to_act, rules.kind_of[action]
    match.choice_count = 0
    if kind not in (LEAVE, HOLD):
        match.events += 1
        match.last_kind[seat] = kind
    if kind == DRAW:
        draw_card(rules, match, seat)
    elif kind == LAY:
        lay_cards(rules, match, seat, rules.first_slot[action], rules.last_slot[action])
    elif kind == DISCARD:
        discard(rules, match, seat, rules.first_slot[action])
    elif kind == BUY:
        buy(rules, match, seat)
    elif kind == SELL:
        match.seller = seat
        match.has_ended = 1
    elif kind == LEAVE or match.phase == BEFORE_SELLING:
        offer(rules, match, find_next(rules, seat))
    else:
        if match.phase == AFTER_BUYING:
            match.closing = match.bought
        ask_discard(rules, match, seat)
    if match.has_ended:
        end_deal(rules, match, room)


@compiled
def find_next(rules: Any, seat: Any) -> Any:
    """Return the seat whose turn is after another's."""
    return (seat + rules.step) % rules.players


@compiled
def begin_turn(match: Any, seat: Any) -> None:
    """Let a seat draw; without stock the deal ends."""
    match.to_act = seat
    match.choice_count = 0
    if stock_left(match):
        add_choice(match, DRAW)
    else:
        match.has_ended = 1


@inlined
def draw_card(rules: Any, match: Any, seat: Any) -> None:
    """Draw the top card of the stock."""
    match.window = NOBODY
    card = match.order[match.next_card]
    match.next_card += 1
    lay_new_cards(rules, match, seat, receive_card(rules, match, seat, card))
    ask_lay(rules, match, seat)


@compiled
def ask_lay(rules: Any, match: Any, seat: Any) -> None:
    """Offer what can be laid, if anything can; a hand without a card too many ends the deal."""
    match.phase = IN_TURN
    if match.sizes[seat] + 3 * match.set_count[seat] == rules.hand_size:
        match.has_ended = 1
        return
    offer_lays(rules, match, seat)
    if match.choice_count:
        add_choice(match, HOLD)
    else:
        ask_discard(rules, match, seat)


@inlined
def lay_cards(rules: Any, match: Any, seat: Any, first: Any, last: Any) -> None:
    """Lay a fourth card, which is replaced, or a set."""
    if first == last:
        join_set(rules, match, seat, first)
        lay_new_cards(rules, match, seat, draw_replacements(rules, match, seat, 1))
    else:
        lay_out(rules, match, seat, first, last)
    ask_lay(rules, match, seat)


@compiled
def ask_discard(rules: Any, match: Any, seat: Any) -> None:
    """Ask for a discard: after a buy for the closing pair, a completing one."""
    rack = match.racks[seat]
    slots = -1
    if match.closing != NOBODY:
        slots = find_closing_discards(rules, match, seat, match.closing)
    for slot in range(match.sizes[seat]):
        if (slots >> slot) & 1 and not (slot and rack[slot - 1] == rack[slot]):
            add_choice(match, rules.discard[slot])


@inlined
def discard(rules: Any, match: Any, seat: Any, slot: Any) -> None:
    """Discard a card, and sell out or offer it to the others."""
    card = remove_card(rules, match, seat, slot)
    match.discards[card] += 1
    match.window = card
    match.discarder = seat
    if card == rules.bank:
        match.bank_discarder = seat
    counts, lacking = match.counts[seat], lacks_sets(match, seat)
    if is_complete(rules, counts, lacking, NOBODY, rules.wild_pair != 0):
        match.phase = BEFORE_SELLING
        add_choice(match, SELL)
        if match.closing == NOBODY and counts >> WILD_SHIFT:
            add_choice(match, HOLD)
    else:
        offer(rules, match, find_next(rules, seat))


@compiled
def offer(rules: Any, match: Any, seat: Any) -> None:
    """Offer the discard to a seat and those after it, if they could use it."""
    while seat != match.discarder:
        if can_buy(rules, match, seat, match.window):
            match.to_act = seat
            add_choice(match, BUY)
            add_choice(match, LEAVE)
            return
        seat = find_next(rules, seat)
    begin_turn(match, find_next(rules, seat))


@inlined
def buy(rules: Any, match: Any, seat: Any) -> None:
    """Buy the discard, and offer what it can be laid in."""
    card = match.window
    match.discards[card] -= 1
    match.window = NOBODY
    match.bought = card
    match.buyer = seat
    receive_card(rules, match, seat, card)
    match.phase = AFTER_BUYING
    if not offer_bought_sets(rules, match, seat, card) and find_closing_discards(rules, match, seat, card):
        add_choice(match, HOLD)


@inlined
def end_deal(rules: Any, match: Any, room: Any) -> None:
    """Show and settle the hands; deal again, or end the match."""
    match.window = match.to_act = NOBODY
    match.choice_count = 0
    match.events += rules.players
    settle(rules, match)
    match.is_over = is_last_deal(rules, match)
    if not match.is_over:
        match.number += 1
        deal_cards(rules, match, room)
