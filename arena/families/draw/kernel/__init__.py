"""Compiled play of the draw family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.draw.deal`, on arrays: a test compares both over many matches. The turns are
also those of the searching bots' deals.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.draw.rules import DrawRules
from arena.games.kernel.compilation import compiled, entry_point
from arena.games.kernel.layout import (
    MAX_PACK,
    MAX_SEATS,
    NOBODY,
    PENALTY_OPTIONS,
    RANDOM,
    Tables,
    fill_options,
    fill_strengths,
    list_match_fields,
    list_stock_fields,
    make_features,
)
from arena.games.kernel.seats import (
    choose_bit,
    find_next_dealer,
    is_bit_legal,
    is_dealt_in,
    is_match_over,
    link_seats,
    put_out,
    seat_players,
    write_bits,
)
from arena.games.kernel.settlement import (
    hand_strength,
    lose_penalties,
    share_pool,
    write_chip_rewards,
    write_token_rewards,
)
from arena.games.kernel.shuffling import draw_card, draw_first_dealer, refill, shuffle, stock_left
from arena.games.kernel.vector import (
    PlayFunctions,
    advance_matches,
    write_card,
    write_cards,
    write_chips,
    write_tokens,
    write_turn,
)
from arena.games.rankings.suit_totals import SuitTotals
from arena.games.settlement.base import TotalPenalties
from arena.games.settlement.shared_pot import KnockerPot

# --- memory and tables ---

HAND_SIZE: Final = 3
MAX_STRENGTHS: Final = 128
KINDS: Final = ("draw", "knock", "discard")
DRAW_STOCK, TAKE, KNOCK, DISCARD = range(4)
"""Numbers of actions; the discard of a slot is DISCARD plus the slot."""
DRAWS: Final = 3
"""Actions that draw, as bits."""
SHOWN_TOTAL: Final = 62
"""Doubled total of a hand that must be shown at once."""

GOES_ON, IS_SHOWN, ALL_SHOW, IS_DRAWN = range(4)
"""Results of a turn: the deal goes on, the seat shows its hand, all show theirs, or nobody wins or loses."""


MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("tokens", "i2", (MAX_SEATS,)),
        ("chips", "i8", (MAX_SEATS,)),
        ("pool", "i8"),
        # the deal
        ("hands", "i1", (MAX_SEATS, 4)),  # in the order of the rules; the fourth card is that taken or drawn
        ("pile", "i1", (MAX_PACK,)),  # its top card last
        ("pile_size", "i8"),
        ("legal", "i8"),  # numbers of actions, as bits
        ("is_discarding", "i8"),
        ("must_keep", "i8"),  # the fourth card
        ("knocker", "i8"),
        ("round_number", "i8"),
        ("actions", "i8"),  # done in the deal
        # what observations tell
        ("held", "i2", (MAX_SEATS,)),  # tokens before the deal
        ("held_chips", "i8", (MAX_SEATS,)),  # chips before the deal is settled
        ("held_pool", "i8"),
        ("known", "i8", (MAX_SEATS,)),  # cards taken from the pile that a seat still has, as bits
        # under the stock: cards of the seats that are out; then discards shuffled anew
        *list_stock_fields(MAX_PACK, MAX_PACK),
        ("refills", "i8"),
    ],
    align=True,
)
"""State of a match between two decisions."""

FEATURES: Final = make_features("hand", "discards", "discard_top", "knocker", "known")
OPTIONS: Final = (
    *("step", "rounds", "min_round", "instant_knock", "tokens", "deals", *PENALTY_OPTIONS),
    *("stake", "forfeit", "knocker_forfeit", "clean_total"),
)
RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("pack", "i8"),
        *[(name, "i8") for name in OPTIONS],
        ("is_drawn", "i8"),  # when the stock is empty
        ("is_pot", "i8"),  # settled in chips
        ("strengths", "i2", (MAX_PACK, MAX_PACK, MAX_PACK)),  # of hands; larger is better
        ("tie_class", "i2", (MAX_STRENGTHS,)),
        ("doubled_total", "i2", (MAX_STRENGTHS,)),
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: DrawRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    if type(rules.settlement) not in (TotalPenalties, KnockerPot):
        return f"{rules} does not settle in tokens or by a pot"
    if not isinstance(rules.ranking, SuitTotals):
        return f"{rules} does not rank hands by the total of a suit"
    return None


def build_rules(rules: Any, players: int) -> Any:
    """Return a variant as it is played at a table of `players`."""
    record = np.zeros(1, RULES)
    settlement: Any = rules.settlement
    fill_options(record, rules, settlement)
    if isinstance(settlement, KnockerPot):
        record["is_pot"], record["deals"] = True, settlement.deals or players
    record["players"], record["pack"] = players, len(rules.whole_pack)
    record["is_drawn"] = rules.stock_out == "drawn"
    ranks = fill_strengths(record, rules)
    record["doubled_total"][0, : len(ranks)] = [2 * (rank.value or 0) for rank in ranks]
    return record[0]


def build_tables(rules: Any, players: int, space: Any) -> Tables:
    """Return the tables of a variant at a table of `players`."""
    return Tables(build_rules(rules, players))


# --- deals ---
# From the shuffle to the settlement.


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


# --- turns ---


@compiled
def strength_of(tables: Any, a: int, b: int, c: int) -> Any:
    return np.int64(tables.rules.strengths[a, b, c])


@compiled
def is_shown(tables: Any, hand: Any) -> Any:
    """Return whether a hand must be shown at once."""
    return tables.rules.doubled_total[strength_of(tables, hand[0], hand[1], hand[2])] >= SHOWN_TOTAL


@compiled
def may_knock(tables: Any, deal: Any) -> Any:
    return deal.knocker == NOBODY and deal.round_number >= tables.rules.min_round


@compiled
def play_action(tables: Any, deal: Any, action: int, drawn: int, stock: int) -> Any:
    """Do an action for the seat to act, and return what becomes of the deal.

    Args:
        tables: Those of the variant.
        deal: The deal; if it is over, it is not settled yet.
        action: Its number.
        drawn: The card drawn, if the action draws from the stock.
        stock: Cards in the stock after that.
    """
    seat = deal.to_act
    hand = deal.hands[seat]
    deal.actions += 1
    if action == KNOCK:
        deal.knocker = seat
        if deal.actions == 1 and tables.rules.instant_knock:
            return ALL_SHOW
        return pass_turn(tables, deal, stock)
    if action < KNOCK:
        if action == TAKE:
            deal.pile_size -= 1
            drawn = deal.pile[deal.pile_size]
        hand[3] = drawn
        deal.is_discarding = 1
        deal.must_keep = action
        return GOES_ON
    slot = action - DISCARD
    deal.pile[deal.pile_size] = hand[slot]
    deal.pile_size += 1
    for place in range(slot, 3):
        hand[place] = hand[place + 1]
    deal.is_discarding = 0
    if is_shown(tables, hand):
        return IS_SHOWN
    return pass_turn(tables, deal, stock)


@compiled
def pass_turn(tables: Any, deal: Any, stock: int) -> Any:
    """Pass the turn on, or end the deal."""
    seat = deal.next_seat[deal.to_act]
    is_last = seat == deal.knocker
    if seat == deal.eldest and deal.knocker == NOBODY:
        is_last = deal.round_number == tables.rules.rounds
        deal.round_number += 1
    if is_last:
        return ALL_SHOW
    if stock == 0 and tables.rules.is_drawn:
        return IS_DRAWN
    deal.to_act = seat
    return GOES_ON


# --- settlement ---
# In tokens, or by a pot as in `arena.games.settlement.shared_pot`.


@compiled
def pay_antes(rules: Any, match: Any) -> None:
    """Pay the stakes of a deal into the pool."""
    for seat in range(rules.players):
        if rules.is_pot:
            match.chips[seat] -= rules.stake
            match.pool += rules.stake
        match.held_chips[seat] = match.chips[seat]
    match.held_pool = match.pool


@compiled
def return_antes(rules: Any, match: Any) -> None:
    """Give back the stakes of a deal that nobody wins."""
    if rules.is_pot:
        for seat in range(rules.players):
            match.chips[seat] += rules.stake
            match.pool -= rules.stake


@compiled
def settle(tables: Any, match: Any) -> None:
    """Change tokens or chips as the hands say."""
    if tables.rules.is_pot:
        share_pot(tables, match)
    else:
        lose_penalties(tables, match)
        put_out(tables.rules, match)


@compiled
def share_pot(tables: Any, match: Any) -> None:
    """Share the pool among the best hands; the worst pay into the next one."""
    rules = tables.rules
    best = worst = hand_strength(tables, match, 0)
    for seat in range(rules.players):
        best = max(best, hand_strength(tables, match, seat))
        worst = min(worst, hand_strength(tables, match, seat))
    winners = np.int64(0)
    for seat in range(rules.players):
        winners |= np.int64(hand_strength(tables, match, seat) == best) << seat
    share_pool(match, winners, match.eldest)
    if worst == best or rules.doubled_total[best] >= 2 * rules.clean_total:
        return
    for seat in range(rules.players):
        if hand_strength(tables, match, seat) == worst:
            forfeit = rules.knocker_forfeit if seat == match.knocker else rules.forfeit
            match.chips[seat] -= forfeit
            match.pool += forfeit


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    if rules.is_pot:
        write_chip_rewards(rules, match, by_payoff, placings, rewards)
    else:
        write_token_rewards(rules, match, by_payoff, placings, rewards)


# --- the vector environment ---


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules = tables.rules
    held = 0
    if match.next_seat[seat] >= 0:
        held = HAND_SIZE + (match.is_discarding and match.to_act == seat)
    for slot in range(held):
        write_card(features, match.hands[seat, slot], features.hand + slot * features.slot_width, out)
    for place in range(match.pile_size):
        out[features.discards + match.pile[place]] = 1
    if match.pile_size:
        write_card(features, match.pile[match.pile_size - 1], features.discard_top, out)
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        out[features.knocker + place] = match.knocker == other
        if place:
            write_cards(match.known[other], features.known + (place - 1) * rules.pack, out)
    legal = match.legal
    kinds = ((legal & DRAWS) != 0) | ((legal >> KNOCK) & 1) << 1 | ((legal >> DISCARD) != 0) << 2
    write_turn(rules, match, features, seat, kinds, stock_left(rules, match), out)
    if rules.is_pot:
        write_chips(rules, match, features, seat, out)
    else:
        write_tokens(rules, match, features, seat, out)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or the last, which ends the deal."""
    return choose_bit(match.legal, policy == RANDOM, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_bit_legal, write_bits, choose_action, write_rewards, observe
)


@entry_point()
def advance(game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Advance all matches, see `advance_matches`."""
    advance_matches(PLAY, game, state, actions, arrays)
