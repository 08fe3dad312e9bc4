"""Compiled play of the cuckoo family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.cuckoo.deal`, on arrays: a test compares both over many matches.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.cuckoo.rules import CuckooRules, LowestCard
from arena.games.kernel.compilation import compiled, entry_point
from arena.games.kernel.layout import (
    MAX_PACK,
    NOBODY,
    RANDOM,
    Tables,
    fill_options,
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
from arena.games.kernel.settlement import take_tokens, write_token_rewards
from arena.games.kernel.shuffling import draw_card, draw_first_dealer, shuffle, stock_left
from arena.games.kernel.vector import (
    PlayFunctions,
    advance_matches,
    write_card,
    write_cards,
    write_tokens,
    write_turn,
)

# --- memory and tables ---

MAX_SEATS: Final = 20
MAX_FURTHER: Final = 2
NEVER: Final = 1 << 14
"""A height above all."""
KINDS: Final = ("keep", "swap")
"""Kinds of actions, which are also the actions by their numbers."""
KEEP, SWAP = range(len(KINDS))

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("tokens", "i2", (MAX_SEATS,)),
        # the deal
        ("hands", "i1", (MAX_SEATS,)),
        ("further", "i1", (MAX_FURTHER,)),  # the dealer's other cards
        ("revealed", "i8"),  # seats that have shown a card that refuses every swap, as bits
        ("legal", "i8"),  # numbers of actions, as bits
        # what observations tell
        ("held", "i2", (MAX_SEATS,)),  # tokens before the deal
        ("seen", "i8", (MAX_SEATS,)),  # cards that a seat has held or got, as bits
        ("shown", "i8"),  # cards shown to all, as bits
        # under the stock: cards of the seats that are out
        *list_stock_fields(MAX_PACK, MAX_SEATS),
    ],
    align=True,
)
"""State of a match between two decisions."""

FEATURES: Final = make_features("hand", "further", "seen", "known")
OPTIONS: Final = (
    *("expose_kings", "stock_king_ok", "table_size", "step", "min_tokens", "tokens", "deals", "pairs_safe"),
)
RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("pack", "i8"),
        *[(name, "i8") for name in OPTIONS],
        ("first_alone", "i8"),  # of several lowest cards the first in turn loses
        ("equal_lose", "i8"),  # where all cards are equal
        ("heights", "i1", (MAX_PACK,)),  # by card
        ("refuses", "i1", (MAX_PACK,)),  # such a card refuses a swap
        ("passes", "i1", (MAX_PACK,)),  # such a card passes it on
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: CuckooRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    return None if type(rules.settlement) is LowestCard else f"in {rules} not just the lowest card loses"


def build_tables(rules: Any, players: int, space: Any) -> Tables:
    """Return a variant as it is played at a table of `players`."""
    record = np.zeros(1, RULES)
    settlement, cards = rules.settlement, rules.whole_pack.cards
    fill_options(record, rules, settlement)
    record["first_alone"], record["equal_lose"] = settlement.tie == "first", settlement.tie_all == "lose"
    record["players"], record["pack"] = players, len(cards)
    record["heights"][0, : len(cards)] = [rules.ranking.height(c, rules.whole_pack) for c in cards]
    record["refuses"][0, : len(cards)] = [c.rank == rules.refusing for c in cards]
    record["passes"][0, : len(cards)] = [c.rank == rules.passing for c in cards]
    return Tables(record[0])


# --- deals ---


@compiled
def begin_match(tables: Any, match: Any, room: Any) -> None:
    """Begin a match whose seed is set, up to its first decision."""
    rules = tables.rules
    seat_players(rules, match)
    deal_cards(tables, match, draw_first_dealer(match, rules.players, room), room)
    play_forced(tables, match, match.eldest, room)


@compiled
def deal_cards(tables: Any, match: Any, dealer: int, room: Any) -> None:
    """Deal to the seats still in."""
    rules = tables.rules
    reset_deal(rules, match, dealer)
    link_seats(rules, match)
    shuffle(match, rules.pack, rules.players + rules.table_size, room)
    match.next_card = rules.players + rules.table_size
    for seat in range(rules.players):
        card = match.order[seat]
        if is_dealt_in(match, seat):
            match.hands[seat] = card
            match.seen[seat] = np.int64(1) << card
        else:
            match.under[match.under_size] = card
            match.under_size += 1
    for slot in range(rules.table_size):
        card = match.order[rules.players + slot]
        match.further[slot] = card
        if rules.heights[card] > rules.heights[match.hands[dealer]]:
            match.hands[dealer] = card
    if rules.table_size:
        match.seen[dealer] |= np.int64(1) << match.hands[dealer]
    for seat in range(rules.players):
        if rules.expose_kings and is_dealt_in(match, seat) and rules.refuses[match.hands[seat]]:
            reveal(match, seat)


@compiled
def reset_deal(rules: Any, match: Any, dealer: int) -> None:
    match.dealer = dealer
    for seat in range(rules.players):
        match.held[seat] = match.tokens[seat]
        match.last_kind[seat] = NOBODY
        match.seen[seat] = 0
        match.hands[seat] = NOBODY
    match.revealed = match.events = match.shown = 0
    match.order_size = match.streamed = match.under_size = match.placed = 0


@compiled
def show(match: Any, card: Any) -> None:
    """Show a card to all."""
    match.events += 1
    match.shown |= np.int64(1) << card


@compiled
def reveal(match: Any, seat: int) -> None:
    """Show a card that refuses every swap: its seat has no turn."""
    show(match, match.hands[seat])
    match.revealed |= 1 << seat


@compiled
def follow(match: Any, seat: int) -> Any:
    """Return the seat after one, NOBODY after the dealer, who swaps with the stock."""
    return np.int64(NOBODY if seat == match.dealer else match.next_seat[seat])


@compiled
def play_forced(tables: Any, match: Any, seat: Any, room: Any) -> None:
    """Ask this seat or the next one with a choice, over ends of deals, up to the end of the match.

    A seat whose next neighbour has shown a card that refuses keeps its card: it is not asked.
    """
    while True:
        while seat != NOBODY and (match.revealed >> seat) & 1:
            seat = follow(match, seat)
        if seat == NOBODY:
            end_deal(tables, match)
            if match.is_over:
                return
            match.number += 1
            deal_cards(tables, match, find_next_dealer(tables.rules, match), room)
            seat = np.int64(match.eldest)
            continue
        after = follow(match, seat)
        if after == NOBODY or not (match.revealed >> after) & 1:
            match.to_act = seat
            match.legal = (1 << KEEP) | (1 << SWAP)
            return
        match.events += 1
        match.last_kind[seat] = KEEP
        seat = after


@compiled
def end_deal(tables: Any, match: Any) -> None:
    """Show all hands and settle them."""
    rules = tables.rules
    match.to_act = NOBODY
    match.legal = 0
    for seat in range(rules.players):
        if is_dealt_in(match, seat):
            show(match, match.hands[seat])
    take_tokens(rules, match, find_losers(rules, match))
    put_out(rules, match)
    match.is_over = is_match_over(rules, match)


@compiled
def find_losers(rules: Any, match: Any) -> Any:
    """Return the seats that lose a token, as bits; of several the first in turn where it loses alone."""
    lowest, seats, losers = NEVER, 0, np.int64(0)
    for number in range(2):  # the eldest last, so that the first in turn can be found
        seat = match.eldest
        for _ in range(rules.players):
            height = rules.heights[match.hands[seat]]
            copies = 0
            for other in range(rules.players):
                copies += is_dealt_in(match, other) and rules.heights[match.hands[other]] == height
            is_safe = number and rules.pairs_safe and copies > 1
            if not number:
                seats += 1
                lowest = min(lowest, height)
            elif not is_safe and height < lowest:
                lowest, losers = height, np.int64(1) << seat
            elif not is_safe and height == lowest and not (rules.first_alone and losers):
                losers |= np.int64(1) << seat
            seat = match.next_seat[seat]
            if seat == match.eldest:
                break
        if not number:
            equal = 0
            for other in range(rules.players):
                equal += is_dealt_in(match, other) and rules.heights[match.hands[other]] == lowest
            if equal == seats and not rules.equal_lose:
                return np.int64(0)
            lowest = NEVER
    return losers


@compiled
def apply_action(tables: Any, match: Any, action: Any, room: Any) -> None:
    """Do a legal action for the seat to act, up to the next decision or the end of the match."""
    seat = match.to_act
    match.events += 1
    match.last_kind[seat] = action
    if action == SWAP:
        demand(tables.rules, match, seat, room)
    play_forced(tables, match, follow(match, seat), room)


@compiled
def demand(rules: Any, match: Any, seat: int, room: Any) -> None:
    """Demand the card of the next seat that does not pass the swap on, or else of the stock."""
    partner = follow(match, seat)
    while partner != NOBODY and rules.passes[match.hands[partner]]:
        show(match, match.hands[partner])
        partner = follow(match, partner)
    given = match.hands[seat]
    taken = draw_card(match, rules.pack, room) if partner == NOBODY else np.int64(match.hands[partner])
    if rules.refuses[taken] and not (partner == NOBODY and rules.stock_king_ok):
        if partner == NOBODY:
            show(match, taken)
        else:
            reveal(match, partner)
        return
    both = (np.int64(1) << given) | (np.int64(1) << taken)
    match.hands[seat] = taken
    match.seen[seat] |= both
    if partner != NOBODY:
        match.hands[partner] = given
        match.seen[partner] |= both


# --- the vector environment ---


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules, width = tables.rules, features.slot_width
    if match.next_seat[seat] != NOBODY:
        write_card(features, match.hands[seat], features.hand, out)
    for slot in range(rules.table_size):
        if seat == match.dealer:
            write_card(features, match.further[slot], features.further + slot * width, out)
        else:
            out[features.further + slot * width + width - 1] = 1
    seen = match.seen[seat] | match.shown
    write_cards(seen, features.seen, out)
    for place in range(1, rules.players):
        card = match.hands[(seat + rules.step * place) % rules.players]
        if card != NOBODY and (seen >> card) & 1:
            out[features.known + (place - 1) * rules.pack + card] = 1
    write_turn(rules, match, features, seat, match.legal, stock_left(rules, match), out)
    write_tokens(rules, match, features, seat, out)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or to keep."""
    return choose_bit(match.legal, True, bot, room) if policy == RANDOM else np.int64(KEEP)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_bit_legal, write_bits, choose_action, write_token_rewards, observe
)


@entry_point()
def advance(game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Advance all matches, see `advance_matches`."""
    advance_matches(PLAY, game, state, actions, arrays)
