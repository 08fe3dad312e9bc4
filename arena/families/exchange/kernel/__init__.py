"""Compiled play of the exchange family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.exchange.deal`, on arrays: import from here only where matches are played by
the thousands. Legal actions, hand ranks and options come from the rules themselves; the course of a deal and
the settlements are written a second time, and a test compares both over many matches of all that is served.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.exchange.kernel import lookup_tables
from arena.families.exchange.kernel.lookup_tables import (
    ANSWER_KNOCK,
    ANSWER_OFFER,
    CHOOSE_PACKET,
    EXCHANGE,
    EXCHANGE_BLIND,
    HORSE,
    KEEP,
    KNOCK,
    LIVES,
    PASS,
    PRIZES,
    RENEW,
    TAKE_PACKET,
    TAKE_TURN,
    TRANSFER,
    Tables,
    action_kind,
    count_legal,
    default_action,
    exchange_size,
    given_slot,
    is_legal,
    legal_action,
    legal_kinds,
    taken_slot,
    write_mask,
)
from arena.families.exchange.kernel.lookup_tables import KINDS as KINDS
from arena.families.exchange.kernel.lookup_tables import MATCH as MATCH
from arena.games.kernel.compilation import compiled, entry_point
from arena.games.kernel.layout import ABSENT, GREEDY, NOBODY, RANDOM, make_features
from arena.games.kernel.seats import (
    draw_random,
    find_next_dealer,
    is_dealt_in,
    is_match_over,
    link_seats,
    put_out,
    seat_players,
)
from arena.games.kernel.settlement import (
    find_best,
    find_worst,
    hand_strength,
    lose_lives,
    lose_penalties,
    take_tokens,
    transfer_tokens,
    write_chip_rewards,
    write_token_rewards,
)
from arena.games.kernel.shuffling import draw_card, draw_first_dealer, shuffle, stock_left
from arena.games.kernel.vector import (
    PlayFunctions,
    advance_matches,
    write_card,
    write_cards,
    write_chips,
    write_tokens,
    write_turn,
)
from arena.games.rules import Rules

SHOWN_TOTAL: Final = 62
"""Twice the total from which a hand must be shown."""
ALL_OF_789: Final = 7
FEATURES: Final = make_features("hand", "widow", "widow_down", "knocker", "known", "seen", "horse")


def explain_unserved(rules: Rules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    return lookup_tables.explain_unserved(rules, with_prizes=True)


def build_tables(rules: Any, players: int, space: Any) -> Tables:
    """Return the tables of a variant at a table of `players`, whose actions have the numbers of `space`."""
    return lookup_tables.build_tables(rules, players, lambda action: space.number(action, 0), len(space))


# --- deals ---
# From the shuffle to the settlement.


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
    if rules.blind:
        match.looked = 0
        ask(match, match.dealer, EXCHANGE_BLIND, rules.blind_row)
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


# --- turns ---
# Exchanges, knocks and rounds.


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
    if rules.grows and stock_left(rules, match) > 0:
        match.widow[match.widow_size] = draw_card(match, rules.pack, room)
        match.widow_size += 1
        match.events += 1
    return True


@compiled
def lay_new_widow(tables: Any, match: Any, room: Any) -> None:
    """Lay a new widow in place of this one."""
    match.passes = 0
    match.events += 1
    for slot in range(match.widow_size):
        match.widow[slot] = draw_card(match, tables.rules.pack, room)
        match.seen |= np.int64(1) << match.widow[slot]


# --- settlement ---
# In tokens, or a pool of prizes.


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
    winner = find_best(tables, match, match.eldest)
    if rules.is_qualified[hand_strength(tables, match, winner)]:
        prize = min(rules.prize or rules.players, match.pool)
        match.chips[winner] += prize
        match.pool -= prize
    else:
        winner = np.int64(NOBODY)
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


# --- bots ---
# The actions that `random`, `greedy` and `stand-pat` choose.


@compiled
def find_best_exchange(tables: Any, match: Any) -> Any:
    """Return the first legal exchange that makes the best hand, -1 if none betters the hand held."""
    row, hand, widow = match.legal, match.hands[match.to_act], match.widow
    best, chosen = hand_strength(tables, match, match.to_act), -1
    for place in range(count_legal(tables, row)):
        action = legal_action(tables, row, place)
        if action_kind(tables, action) != EXCHANGE:
            break
        a, b, c = hand[0], hand[1], hand[2]
        for swap in range(exchange_size(tables, action)):
            slot, taken = given_slot(tables, action, swap), widow[taken_slot(tables, action, swap)]
            if slot == 0:
                a = taken
            elif slot == 1:
                b = taken
            else:
                c = taken
        strength = tables.rules.strengths[a, b, c]
        if strength > best:
            best, chosen = strength, action
    return np.int64(chosen)


@compiled
def stop_or_pass(tables: Any, match: Any) -> Any:
    """Return the action that ends the deal soonest, or else changes least."""
    row = match.legal
    last = count_legal(tables, row) - 1
    for place in range(last, -1, -1):
        action = legal_action(tables, row, place)
        if action_kind(tables, action) in (KNOCK, PASS, KEEP, HORSE):
            return action
    return legal_action(tables, row, last)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of the seat to act by its policy."""
    row = match.legal
    if policy == RANDOM:
        drawn = draw_random(bot, count_legal(tables, row), room)
        return legal_action(tables, row, drawn)
    if policy == GREEDY and match.looked:
        exchange = find_best_exchange(tables, match)
        if exchange >= 0:
            return exchange
    return stop_or_pass(tables, match)


# --- the vector environment ---


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules = tables.rules
    write_own_cards(tables, features, match, seat, out)
    for place in range(rules.players):
        out[features.knocker + place] = match.knocker == (seat + rules.step * place) % rules.players
    kinds = legal_kinds(tables, match.legal)
    write_turn(rules, match, features, seat, kinds, stock_left(rules, match), out)
    write_tokens(rules, match, features, seat, out)
    if features.chips != ABSENT:
        write_chips(rules, match, features, seat, out)
    if features.horse != ABSENT:
        out[features.horse] = match.held_horse


@compiled
def write_own_cards(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write the hand, the widow, and what the seat has seen and knows others to hold."""
    rules, width = tables.rules, features.slot_width
    is_blind = not match.looked and seat == match.dealer
    own = np.int64(0)
    for slot in range(rules.hand_size):
        card, at = match.hands[seat, slot], features.hand + slot * width
        if card != NOBODY and is_blind:
            out[at + width - 1] = 1
        elif card != NOBODY:
            write_card(features, card, at, out)
            own |= (np.int64(1) << card) | (np.int64(1) << match.dealt[seat, slot])
    for slot in range(match.widow_size):
        if match.is_down:
            out[features.widow + slot * width + width - 1] = 1
            out[features.widow_down + slot] = 1
        else:
            write_card(features, match.widow[slot], features.widow + slot * width, out)
    if features.seen != ABSENT:
        write_cards(own | match.seen, features.seen, out)
    for place in range(1, rules.players):
        other = (seat + rules.step * place) % rules.players
        at = features.known + (place - 1) * rules.pack
        if not match.shown and not (rules.open_hands and match.looked):
            write_cards(match.known[other], at, out)
        elif is_dealt_in(match, other):
            for slot in range(rules.hand_size):
                out[at + match.hands[other, slot]] = 1


@compiled
def apply_choice(tables: Any, match: Any, action: int, room: Any) -> None:
    """Do a legal action for the seat to act, up to the next decision or the end of the match."""
    apply_action(tables, match, action, room)
    play_forced(tables, match, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_choice, is_legal, write_mask, choose_action, write_rewards, observe
)


@entry_point(lookup_tables.__file__)
def advance(game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Advance all matches, see `advance_matches`."""
    advance_matches(PLAY, game, state, actions, arrays)
