"""Compiled play of the cambio family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.cambio.deal`, on arrays: a test compares both over many matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np

from arena.families.cambio.actions import (
    MAX_HAND_FOR_SEVERAL,
    MAX_SEVERAL,
    draw_again,
    peek_any,
    peek_other,
    peek_own,
    swap_any,
    swap_own,
)
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.scoring import CaboSettlement, CambioSettlement
from arena.games.kernel.compilation import compiled, entry_point
from arena.games.kernel.layout import (
    NOBODY,
    RANDOM,
    Tables,
    fill_options,
    list_match_fields,
    list_stock_fields,
    make_features,
)
from arena.games.kernel.seats import (
    add_choice,
    choose_listed,
    find_legal_kinds,
    find_next_dealer,
    is_listed,
    link_seats,
    play_forced,
    reset_match,
    write_listed,
)
from arena.games.kernel.settlement import write_payoff_rewards
from arena.games.kernel.shuffling import draw_card, draw_first_dealer, refill, shuffle, stock_left
from arena.games.kernel.vector import PlayFunctions, advance_matches, write_card, write_points, write_turn

# --- memory and tables ---

MAX_SEATS: Final = 8
MAX_SLOTS: Final = MAX_HAND_FOR_SEVERAL + 1
MAX_PACK: Final = 63
MAX_ACTIONS: Final = 1024
MAX_CHOICES: Final = 512
MAX_STEPS: Final = 3
SEVERAL: Final = tuple(
    slots for count in range(2, MAX_SEVERAL + 1) for slots in combinations(range(MAX_HAND_FOR_SEVERAL), count)
)
"""Slots whose cards may be replaced at once, in the order of actions."""
SEVERAL_BITS: Final = np.array([sum([1 << slot for slot in slots]) for slots in SEVERAL])
KINDS: Final = ("draw", "cambio", "skip", "place", "discard", "peek", "swap", "continue")
DRAW, CALL, SKIP, PLACE, DISCARD, PEEK, SWAP, CONTINUE = range(len(KINDS))
"""Kinds of actions."""
POWERS: Final = (peek_own, peek_other, peek_any, swap_own, swap_any, draw_again)
NO_STEP, PEEK_OWN, PEEK_OTHER, PEEK_ANY, SWAP_OWN, SWAP_ANY, DRAW_AGAIN = range(len(POWERS) + 1)
"""Steps of powers."""
FORMS: Final = ("sum", "won", "cabo")
SUM, WON, CABO = range(len(FORMS))
"""Kinds of settlement."""
NO_ACTION: Final = -1
IN_TURN, IN_POWER, IN_DRAW_AGAIN = range(3)
"""Phases: what the pending decision is about."""

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("points", "i8", (MAX_SEATS,)),
        # the deal
        ("hands", "i1", (MAX_SEATS, MAX_SLOTS)),
        ("sizes", "i8", (MAX_SEATS,)),
        ("known_by", "i8", (MAX_PACK,)),  # by card, the seats that know where it lies, as bits
        ("pile", "i1", (MAX_PACK,)),  # discards, the top card last
        ("pile_size", "i8"),
        ("drawn", "i8"),
        ("steps", "i1", (MAX_STEPS,)),  # steps left of the power that is being used
        ("caller", "i8"),
        ("turn", "i8"),
        ("round_number", "i8"),
        ("phase", "i8"),
        ("choices", "i2", (MAX_CHOICES,)),  # legal actions, in the order of the view
        ("choice_count", "i8"),
        # what observations tell
        ("held", "i8", (MAX_SEATS,)),  # points before the deal
        # under the stock: discards shuffled anew
        *list_stock_fields(MAX_PACK, MAX_PACK),
        ("refills", "i8"),
    ],
    align=True,
)
"""State of a match between two decisions."""

FEATURES: Final = make_features("hands", "drawn", "discards", "discard_top", "caller", "points")
RULES: Final = np.dtype(
    [
        *[(name, "i8") for name in ("players", "pack", "step", "hand_size", "slots", "actions")],
        *[(name, "i8") for name in ("rounds", "call_after", "several", "always_takes", "has_valueless")],
        *[(name, "i8") for name in ("form", "deals", "until", "caller_penalty", "halved", "has_columns")],
        ("is_peeked", "i1", (MAX_SLOTS,)),  # by slot: seen before play
        # by card
        ("rank_of", "i1", (MAX_PACK,)),
        ("values", "i2", (MAX_PACK,)),
        ("is_valueless", "i1", (MAX_PACK,)),
        ("powers", "i1", (MAX_PACK, MAX_STEPS)),
        # numbers of actions, NO_ACTION for those that never are
        *[(name, "i8") for name in ("draw_stock", "draw_discard", "call", "skip", "discard", "go_on")],
        ("place", "i2", (MAX_SLOTS,)),
        ("several_places", "i2", (len(SEVERAL),)),
        ("peek", "i2", (MAX_SEATS, MAX_SLOTS)),  # by distance and slot
        ("swap", "i2", (MAX_SEATS, MAX_SLOTS, MAX_SEATS, MAX_SLOTS)),
        # by action
        ("kind_of", "i1", (MAX_ACTIONS,)),
        ("spots", "i1", (MAX_ACTIONS, 4)),  # distances and slots
        ("slot_bits", "i2", (MAX_ACTIONS,)),  # slots of a hand
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: CambioRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    settlement = rules.settlement
    if rules.snaps.snap:
        return f"{rules} has snaps"
    unserved = {
        "put_back": rules.put_back,
        "penalty_cards": rules.penalty_cards,
        "renewed": not rules.renewed,
        "halved_once": getattr(settlement, "halved_once", False),
    }
    for name in [name for name, is_set in unserved.items() if is_set]:
        return f"{rules} has the option `{name}`"
    if isinstance(settlement, CambioSettlement) and settlement.scoring != "lives":
        return None
    return None if type(settlement) is CaboSettlement else f"{rules} is not played for points"


def build_tables(rules: Any, players: int, space: Any) -> Tables:
    """Return the tables of a variant at a table of `players`, whose actions have the numbers of `space`."""
    record = np.zeros(1, RULES)
    settlement = rules.settlement
    fill_options(record, rules, settlement)
    record["players"], record["pack"], record["actions"] = players, len(rules.whole_pack), len(space)
    form = FORMS.index(getattr(settlement, "scoring", "cabo"))
    until = settlement.until if form != WON else 0
    record["form"], record["until"] = form, until
    usual_deals = getattr(settlement, "usual_deals", 0) or players
    record["deals"] = settlement.deals or (0 if until else usual_deals)
    record["has_columns"], record["has_valueless"] = bool(rules.ranking.columns), bool(rules.valueless)
    record["slots"] = MAX_SLOTS if rules.several else rules.hand_size
    record["is_peeked"][0, list(rules.peeked)] = 1
    for place, card in enumerate(rules.whole_pack.cards):
        record["rank_of"][0, place] = rules.whole_pack.rank_index[card]
        record["values"][0, place] = rules.ranking.find_value(card)
        record["is_valueless"][0, place] = card.rank in rules.valueless
        steps = [1 + POWERS.index(step) for step in rules.powers.get(card, ())]
        record["powers"][0, place, : len(steps)] = steps
    _number_actions(record, space.names)
    return Tables(record[0])


def _number_actions(record: Any, names: Sequence[str]) -> None:
    number = {name: place for place, name in enumerate(names)}
    fields = ("draw_stock", "draw_discard", "call", "skip", "discard", "go_on")
    words = ("draw stock", "draw discard", "cambio", "skip", "discard", "continue")
    for field, name in zip(fields, words, strict=True):
        record[field] = number.get(name, NO_ACTION)
    for table in ("place", "several_places", "peek", "swap"):
        record[table] = NO_ACTION
    for name, place in number.items():
        kind, _, rest = name.partition(" ")
        record["kind_of"][0, place] = KINDS.index(kind)
        if kind == "place":
            slots = tuple([int(slot) - 1 for slot in rest.split(",")])
            record["slot_bits"][0, place] = sum([1 << slot for slot in slots])
            if len(slots) == 1:
                record["place"][0, slots[0]] = place
            else:
                record["several_places"][0, SEVERAL.index(slots)] = place
        elif kind in ("peek", "swap"):
            spots = [int(part) - (at % 2) for at, part in enumerate(rest.replace(" ", ":").split(":"))]
            record["spots"][0, place, : len(spots)] = spots
            record[kind][(0, *spots)] = place
            if kind == "swap":
                record[kind][(0, *spots[2:], *spots[:2])] = place


# --- deals ---
# From the shuffle to the settlement.


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
    clear_steps(match)
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


# --- legal actions ---
# In the order of `arena.families.cambio.actions`.


@compiled
def find_distance(rules: Any, seat: Any, other: Any) -> Any:
    """Return how many turns a seat is after another."""
    return ((other - seat) * rules.step) % rules.players


@compiled
def offer_turn(rules: Any, match: Any, may_draw: Any, may_take: Any, may_call: Any) -> None:
    """Offer the actions a turn may begin with."""
    match.choice_count = 0
    if may_draw:
        add_choice(match, rules.draw_stock)
    if may_take:
        add_choice(match, rules.draw_discard)
    if may_call:
        add_choice(match, rules.call)
    if match.choice_count == 0:
        add_choice(match, rules.skip)


@compiled
def offer_places(rules: Any, match: Any, may_discard: Any) -> None:
    """Offer the places for the card drawn."""
    match.choice_count = 0
    size = match.sizes[match.to_act]
    for slot in range(size):
        add_choice(match, rules.place[slot])
    if may_discard:
        add_choice(match, rules.discard)
    if rules.several and size <= MAX_HAND_FOR_SEVERAL:
        for number in range(len(SEVERAL_BITS)):
            if SEVERAL_BITS[number] >> size == 0:
                add_choice(match, rules.several_places[number])


@compiled
def offer_step(rules: Any, match: Any, step: Any) -> None:
    """Offer what a step of a power allows the seat whose turn it is."""
    match.choice_count = 0
    if step == DRAW_AGAIN:
        add_choice(match, rules.draw_stock)
    elif step <= PEEK_ANY:
        for seat in range(rules.players):
            is_own = seat == match.turn
            if not ((is_own and step == PEEK_OTHER) or (not is_own and step == PEEK_OWN)):
                distance = find_distance(rules, match.turn, seat)
                for slot in range(match.sizes[seat]):
                    add_choice(match, rules.peek[distance, slot])
    else:
        offer_swaps(rules, match, step)
    add_choice(match, rules.skip)


@compiled
def offer_swaps(rules: Any, match: Any, step: Any) -> None:
    """Offer the swaps: with the own cards first, then those between others."""
    for first in range(-1, rules.players if step == SWAP_ANY else 0):
        owner = match.turn if first < 0 else first
        if (first >= 0 and first == match.turn) or owner == match.caller:
            continue
        near = find_distance(rules, match.turn, owner)
        for slot in range(match.sizes[owner]):
            for other in range(max(first + 1, 0), rules.players):
                if other not in (match.turn, match.caller):
                    far = find_distance(rules, match.turn, other)
                    for place in range(match.sizes[other]):
                        add_choice(match, rules.swap[near, slot, far, place])


# --- settlement ---
# As in `arena.families.cambio.scoring`.


@compiled
def sum_hand(rules: Any, match: Any, seat: Any) -> Any:
    """Return the sum of a seat's cards; two of a rank in a column count nothing where there are columns."""
    hand, total = match.hands[seat], np.int64(0)
    for slot in range(match.sizes[seat]):
        total += rules.values[hand[slot]]
    if rules.has_columns:
        for slot in range(2):
            if rules.rank_of[hand[slot]] == rules.rank_of[hand[slot + 2]]:
                total -= rules.values[hand[slot]] + rules.values[hand[slot + 2]]
    return total


@compiled
def settle(rules: Any, match: Any) -> None:
    """Add the points of the deal."""
    lowest = np.int64(1 << 30)
    for seat in range(rules.players):
        lowest = min(lowest, sum_hand(rules, match, seat))
    if rules.form == WON:
        settle_won(rules, match, lowest)
        return
    caller = match.caller
    for seat in range(rules.players):
        total = sum_hand(rules, match, seat)
        if seat == caller and total > lowest:
            total += rules.caller_penalty
        elif seat == caller and rules.form == CABO:
            total = np.int64(0)
        if rules.halved and match.points[seat] + total == rules.until:
            total = rules.until // 2 - match.points[seat]
        match.points[seat] += total


@compiled
def settle_won(rules: Any, match: Any, lowest: Any) -> None:
    """Give the lowest sum a point, of equal ones not the caller's."""
    is_shared = False
    for seat in range(rules.players):
        is_shared |= seat != match.caller and sum_hand(rules, match, seat) == lowest
    for seat in range(rules.players):
        if sum_hand(rules, match, seat) == lowest and not (is_shared and seat == match.caller):
            match.points[seat] += 1


@compiled
def is_last_deal(rules: Any, match: Any) -> Any:
    """Return whether the match ends after the deal that was settled."""
    most = match.points[0]
    for seat in range(rules.players):
        most = max(most, match.points[seat])
    if rules.until and (most > rules.until or (most == rules.until and rules.form == SUM)):
        return True
    return match.number + 1 == rules.deals


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    players = rules.players
    sign = 1 if rules.form == WON else -1
    for seat in range(players):
        rewards[seat] = sign * match.points[seat]
    write_payoff_rewards(players, by_payoff, placings, rewards)


# --- the vector environment ---


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules, width = tables.rules, features.slot_width
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        for slot in range(match.sizes[other]):
            at = features.hands + (place * rules.slots + slot) * width
            write_known(match, features, seat, match.hands[other, slot], at, out)
        out[features.caller + place] = match.caller == other
    if match.drawn != NOBODY:
        write_known(match, features, seat, match.drawn, features.drawn, out)
    for place in range(match.pile_size):
        out[features.discards + match.pile[place]] = 1
    if match.pile_size:
        write_card(features, match.pile[match.pile_size - 1], features.discard_top, out)
    kinds = find_legal_kinds(match, rules.kind_of)
    write_turn(rules, match, features, seat, kinds, stock_left(rules, match), out)
    write_points(rules, features, match.held, seat, features.points, out)


@compiled
def write_known(match: Any, features: Any, seat: int, card: int, at: int, out: Any) -> None:
    """Write a card in its slot, if the seat knows it."""
    if (match.known_by[card] >> seat) & 1:
        write_card(features, card, at, out)
    else:
        out[at + features.slot_width - 1] = 1


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or a call, or else the last."""
    return choose_listed(tables, match, policy == RANDOM, tables.rules.call, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_listed, write_listed, choose_action, write_rewards, observe
)


@entry_point()
def advance(game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Advance all matches, see `advance_matches`."""
    advance_matches(PLAY, game, state, actions, arrays)
