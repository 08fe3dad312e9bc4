"""Compiled play of the cox family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.cox.deal`, on arrays: a test compares both over many matches. A card is its
place among the distinct cards of the pack, which is the order of a rack. The kinds of cards are counted as in
`arena.families.cox.sets`: an octal digit for each kind, a bit for each wild card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arena.families.cox import kernel_sets
from arena.families.cox.cards import BANK, CARDS_IN_BASE, COX_PACK, GREENBACKS, KIND, WILD
from arena.families.cox.kernel_sets import (
    BANK_BIT,
    BANK_COUNT,
    NO_KIND,
    WILD_CARDS,
    can_buy,
    draw_replacements,
    find_closing_discards,
    find_open_kind,
    is_complete,
    is_wild,
    join_set,
    lacks_sets,
    lay_new_cards,
    lay_out,
    offer_bought_sets,
    offer_lays,
    receive_card,
    remove_card,
    stock_left,
)
from arena.families.cox.rules import CoxRules
from arena.families.cox.scoring import NOT_CLEAR_CHARGE, HandScoring, HighestScore
from arena.families.cox.sets import (
    ADDED,
    BLACK_SUIT_BIT,
    COMBINATION_POINTS,
    DIGIT_BITS,
    KIND_MASK,
    PARTNERS_MASK,
    SETS_IN_HAND,
    SHIFT,
    WILD_SHIFT,
)
from arena.games.kernel.compilation import compiled, entry_point, inlined
from arena.games.kernel.layout import (
    ABSENT,
    NOBODY,
    RANDOM,
    Tables,
    fill_options,
    list_match_fields,
    make_features,
)
from arena.games.kernel.seats import (
    add_choice,
    choose_listed,
    find_legal_kinds,
    is_listed,
    link_seats,
    play_forced,
    reset_match,
    write_listed,
)
from arena.games.kernel.settlement import write_payoff_rewards
from arena.games.kernel.shuffling import DEAL, DIGEST_BYTES, append_number, begin_message, hash_block
from arena.games.kernel.vector import PlayFunctions, advance_matches, write_card, write_points, write_turn

# --- memory and tables ---

MAX_SEATS: Final = 4
MAX_RACK: Final = 9
CARDS: Final = tuple(dict.fromkeys(COX_PACK.cards))
"""Distinct cards, in the order of a rack."""
SET_KINDS: Final = WILD_SHIFT // DIGIT_BITS
"""Number of kinds that make sets."""
MAX_ACTIONS: Final = 64
KINDS: Final = ("draw", "buy", "leave", "sell", "hold", "discard", "lay")
DRAW, BUY, LEAVE, SELL, HOLD, DISCARD, LAY = range(len(KINDS))
"""Kinds of actions; the numbers of those without cards."""
NO_ACTION: Final = -1
IN_TURN, AFTER_BUYING, BEFORE_SELLING = range(3)
"""Phases: what it means to hold."""

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("points", "i8", (MAX_SEATS,)),
        ("sold", "i8", (MAX_SEATS,)),  # hands completed
        # the deal
        ("wholesaler", "i8"),
        ("order", "i1", (len(COX_PACK),)),  # the pack as shuffled
        ("is_placed", "i1", (len(COX_PACK),)),
        ("next_card", "i8"),  # the stock, from its top card to the end
        ("stock_end", "i8"),
        ("replaced", "i8"),
        ("racks", "i1", (MAX_SEATS, MAX_RACK)),
        ("sizes", "i8", (MAX_SEATS,)),
        ("counts", "i8", (MAX_SEATS,)),  # of the kinds in each rack
        ("set_count", "i8", (MAX_SEATS,)),
        ("set_kinds", "i8", (MAX_SEATS, SETS_IN_HAND)),
        ("set_sizes", "i8", (MAX_SEATS, SETS_IN_HAND)),
        ("has_bank", "i1", (MAX_SEATS, SETS_IN_HAND)),  # by set
        ("laid", "i1", (MAX_SEATS, len(CARDS))),  # copies in the sets of each seat
        ("greenbacks", "i8", (MAX_SEATS,)),  # by number, as bits
        ("discards", "i1", (len(CARDS),)),  # copies that nobody has bought
        ("window", "i8"),
        ("discarder", "i8"),
        ("bought", "i8"),
        ("closing", "i8"),
        ("buyer", "i8"),
        ("bank_discarder", "i8"),
        ("seller", "i8"),
        ("has_ended", "i8"),
        ("phase", "i8"),
        ("choices", "i1", (MAX_ACTIONS,)),  # legal actions, in the order of the view
        ("choice_count", "i8"),
        ("gains", "i8", (SET_KINDS,)),  # by kind, points that a wild card adds
        # what observations tell
        ("held", "i8", (MAX_SEATS,)),  # points before the deal
        ("held_sold", "i8", (MAX_SEATS,)),
    ],
    align=True,
)
"""State of a match between two decisions."""

FEATURES: Final = make_features(
    *("hand", "discards", "discard_top", "retailer", "wholesaler", "laid", "sets", "greenbacks"),
    *("base", "bases", "points", "sold"),
)
RULES: Final = np.dtype(
    [
        *[(name, "i8") for name in ("players", "pack", "step", "hand_size", "deals", "completed")],
        *[(name, "i8") for name in ("max_deals", "bank_buys", "wild_pair", "captain_fourth")],
        *[(name, "i8") for name in ("doubles_drawer", "penalty_before_double", "bank", "ones")],
        ("card_at", "i1", (len(COX_PACK),)),  # by place in the pack
        # by card
        ("place_of", "i1", (len(CARDS),)),  # place in the pack
        ("copy_share", "f8", (len(CARDS),)),
        ("added", "i8", (len(CARDS),)),
        ("shifts", "i8", (len(CARDS),)),
        ("kind_mask", "i8", (len(CARDS),)),
        ("partners", "i8", (len(CARDS),)),
        ("suit_bits", "i8", (len(CARDS),)),  # of black suits
        ("greenback_bits", "i8", (len(CARDS),)),
        # by kind
        ("values", "i8", (SET_KINDS, 5)),  # points of so many together
        ("suits", "i8", (SET_KINDS,)),  # the bit of a black suit, 0 for honours
        ("is_five", "i1", (SET_KINDS,)),
        ("paired", "i8", (WILD_CARDS,)),  # by wild card: a one for each kind that it makes sets with
        # by action
        ("kind_of", "i1", (MAX_ACTIONS,)),
        ("first_slot", "i1", (MAX_ACTIONS,)),
        ("last_slot", "i1", (MAX_ACTIONS,)),
        # numbers of actions, NO_ACTION for those that never are
        ("discard", "i1", (MAX_RACK,)),
        ("lay_fourth", "i1", (MAX_RACK,)),
        ("lay_set", "i1", (MAX_RACK, MAX_RACK)),  # by its first and its last slot
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: CoxRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    is_usual = isinstance(rules.ranking, HandScoring) and isinstance(rules.settlement, HighestScore)
    return None if is_usual else f"{rules} has a settlement of its own"


def build_tables(rules: Any, players: int, space: Any) -> Tables:
    """Return the tables of a variant at a table of `players`, whose actions have the numbers of `space`."""
    record = np.zeros(1, RULES)
    fill_options(record, rules, rules.scoring, rules.settlement)
    record["players"], record["pack"] = players, len(COX_PACK)
    _fill_cards(record)
    _number_actions(record, space.names)
    return Tables(record[0])


def _fill_cards(record: Any) -> None:
    copies = Counter(COX_PACK.cards)
    record["bank"] = CARDS.index(BANK)
    record["card_at"][0] = [CARDS.index(card) for card in COX_PACK.cards]
    for number, card in enumerate(CARDS):
        record["place_of"][0, number] = COX_PACK.cards.index(card)
        record["copy_share"][0, number] = 1 / copies[card]
        record["suit_bits"][0, number] = BLACK_SUIT_BIT.get(card.suit, 0)
        record["greenback_bits"][0, number] = 1 << int(card.rank) if card in GREENBACKS else 0
        for field, table in (
            ("added", ADDED),
            ("shifts", SHIFT),
            ("kind_mask", KIND_MASK),
            ("partners", PARTNERS_MASK),
        ):
            record[field][0, number] = 0 if card in GREENBACKS else table[card]
        if KIND[card] in COMBINATION_POINTS:
            kind = SHIFT[card] // DIGIT_BITS
            record["ones"] |= ADDED[card]
            record["values"][0, kind] = COMBINATION_POINTS[KIND[card]]
            record["suits"][0, kind] = BLACK_SUIT_BIT.get(card.suit, 0)
            record["is_five"][0, kind] = card.rank == "5"
            for wild in WILD:
                if wild is BANK or wild.suit == card.suit:
                    record["paired"][0, SHIFT[wild] - WILD_SHIFT] |= ADDED[card]


def _number_actions(record: Any, names: Sequence[str]) -> None:
    for table in ("discard", "lay_fourth", "lay_set"):
        record[table] = NO_ACTION
    for number, name in enumerate(names):
        kind, _, rest = name.partition(" ")
        slots = [int(slot) - 1 for slot in rest.split(",") if slot]
        record["kind_of"][0, number] = KINDS.index(kind)
        if slots:
            record["first_slot"][0, number], record["last_slot"][0, number] = slots[0], slots[-1]
        if kind == "discard":
            record["discard"][0, slots[0]] = number
        elif len(slots) == 1:
            record["lay_fourth"][0, slots[0]] = number
        elif slots:
            record["lay_set"][0, slots[0], slots[-1]] = number


# --- deals ---
# From the shuffle to the settlement.


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


# --- roles and stock ---
# All cards are shuffled, as both ends of the stock are drawn from.

ROLES: Final = np.frombuffer(b"roles ", np.uint8)


@inlined
def draw_roles(rules: Any, match: Any, room: Any) -> None:
    """Draw the Retailer, who deals, and the Wholesaler, as `CoxRules.draw_roles` does."""
    cards = 2 * rules.players
    length = append_number(room.message, begin_message(match, ROLES, room), match.number)
    hash_block(room, length, DIGEST_BYTES)
    random_bytes = room.digest.view(np.uint8)
    pairs, drawn = cards * (cards - 1), np.int64(0)
    for place in range(DIGEST_BYTES):
        drawn = (drawn * 256 + random_bytes[place]) % pairs
    retailer, wholesaler = drawn % cards, drawn // cards
    if wholesaler >= retailer:
        wholesaler += 1
    match.dealer = retailer % rules.players
    match.wholesaler = wholesaler % rules.players


@inlined
def shuffle_pack(rules: Any, match: Any, room: Any) -> None:
    """Decide the order of the whole pack.

    The shuffle of other games keeps the places used as bits of a number, of which eighty are too many.
    """
    message, pack = room.message, rules.pack
    fair = 256 // pack * pack
    for place in range(pack):
        match.is_placed[place] = 0
    size = streamed = 0
    while size < pack:
        at = append_number(message, begin_message(match, DEAL, room), match.number)
        message[at] = 47  # a slash
        at = append_number(message, at + 1, streamed)
        streamed += 1
        hash_block(room, at, DIGEST_BYTES)
        random_bytes = room.digest.view(np.uint8)
        for byte in range(DIGEST_BYTES):
            place = random_bytes[byte] % pack
            if random_bytes[byte] < fair and not match.is_placed[place]:
                match.is_placed[place] = 1
                match.order[size] = rules.card_at[place]
                size += 1
    match.next_card = 0
    match.stock_end = pack


# --- settlement ---
# As in `combination_points` and `scoring`.

GREENBACK_POINTS: Final = 3
GREENBACK_NUMBERS: Final = 4


@compiled
def find_base(rules: Any, match: Any, seat: Any) -> Any:
    """Return the number of the supply base in front of a seat."""
    return 1 + (match.dealer - seat) % rules.players * (2 if rules.players == 2 else 1)


@compiled
def count_greenbacks(match: Any, seat: Any) -> Any:
    """Return how many greenbacks a seat has laid out."""
    count = 0
    for number in range(1, GREENBACK_NUMBERS + 1):
        count += (match.greenbacks[seat] >> number) & 1
    return count


@compiled
def find_captain_gains(rules: Any, match: Any, wild: Any, taken: Any) -> Any:
    """Return the most that the Captains among wild cards add, each in its suit, to kinds other than one."""
    total = np.int64(0)
    for number in range(BANK_BIT):
        best = np.int64(0)
        for kind in range(SET_KINDS if (wild >> number) & 1 else 0):
            if rules.suits[kind] == 1 << number and kind != taken:
                best = max(best, match.gains[kind])
        total += best
    return total


@compiled
def count_best(rules: Any, match: Any, seat: Any, counts: Any, pair_kind: Any) -> Any:
    """Return the points of a hand's combinations, its rack arranged as well as the rules allow.

    Args:
        rules: The variant.
        match: The match.
        seat: The seat whose sets are counted.
        counts: Those of its rack without its closing pair.
        pair_kind: The kind of that, NO_KIND if there is none.
    """
    total = np.int64(0)
    for number in range(match.set_count[seat]):
        total += rules.values[match.set_kinds[seat, number], match.set_sizes[seat, number]]
    if pair_kind != NO_KIND:
        total += rules.values[pair_kind, 2]
    first, second = find_open_kind(match, seat, 0), find_open_kind(match, seat, 1)
    for kind in range(SET_KINDS):
        count, values = (counts >> 3 * kind) & 7, rules.values[kind]
        is_joining = kind in (first, second)
        alone = values[count]
        if is_joining and count:
            alone = max(alone, values[4] - values[3] + values[count - 1])
        total += alone
        match.gains[kind] = 0
        if 0 < count < 3:
            match.gains[kind] = max(values[count + 1] - alone, 0)
        elif rules.captain_fourth and (count == 3 or (is_joining and count == 0)):
            match.gains[kind] = values[4] - values[3]
    wild = counts >> WILD_SHIFT
    if wild == 0:
        return total
    best = find_captain_gains(rules, match, wild, NO_KIND)
    for kind in range(SET_KINDS if (wild >> BANK_BIT) & 1 else 0):
        if 0 < ((counts >> 3 * kind) & 7) < 3:
            best = max(best, match.gains[kind] + find_captain_gains(rules, match, wild, kind))
    return total + best


@inlined
def count_closed(rules: Any, match: Any, seat: Any) -> Any:
    """Return the points of a hand with the best closing pair of the card that was bought for it."""
    closing, rack = match.closing, match.racks[seat]
    counts, best = match.counts[seat] - rules.added[closing], np.int64(-1)
    for slot in range(match.sizes[seat]):
        partner = rack[slot]
        if counts & rules.kind_mask[partner] & rules.partners[closing]:
            natural = partner if is_wild(rules, closing) else closing
            left = counts - rules.added[partner]
            best = max(best, count_best(rules, match, seat, left, rules.shifts[natural] // 3))
    return best


@inlined
def score_hand(rules: Any, match: Any, seat: Any) -> Any:
    """Return the score of a seat's hand."""
    if match.closing != NOBODY and seat == match.buyer:
        count = count_closed(rules, match, seat)
    else:
        count = count_best(rules, match, seat, match.counts[seat], NO_KIND)
    own = (match.greenbacks[seat] >> find_base(rules, match, seat)) & 1
    count += GREENBACK_POINTS * (count_greenbacks(match, seat) + own)
    is_doubled, suits = match.counts[seat] & BANK_COUNT != 0, np.int64(0)
    for slot in range(match.sizes[seat]):
        suits |= rules.suit_bits[match.racks[seat, slot]]
    for number in range(match.set_count[seat]):
        suits |= rules.suits[match.set_kinds[seat, number]]
        is_doubled |= match.has_bank[seat, number] != 0
    is_doubled |= rules.doubles_drawer != 0 and seat == match.bank_discarder
    factor, charge = 1 + is_doubled, 0 if suits & (suits - 1) == 0 else NOT_CLEAR_CHARGE
    return (count - charge) * factor if rules.penalty_before_double else count * factor - charge


@inlined
def settle(rules: Any, match: Any) -> None:
    """Add the scores of the deal."""
    for seat in range(rules.players):
        match.points[seat] += score_hand(rules, match, seat)
    if match.seller != NOBODY:
        match.sold[match.seller] += 1


@inlined
def is_last_deal(rules: Any, match: Any) -> Any:
    """Return whether the match ends after the deal that was settled."""
    sold = np.int64(0)
    for seat in range(rules.players):
        sold += match.sold[seat]
    return match.number + 1 == rules.max_deals or (rules.completed != 0 and sold == rules.deals)


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    for seat in range(rules.players):
        rewards[seat] = match.points[seat]
    write_payoff_rewards(rules.players, by_payoff, placings, rewards)


# --- the vector environment ---

BASES: Final = 4


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules = tables.rules
    for slot in range(match.sizes[seat]):
        at = features.hand + slot * features.slot_width
        write_card(features, rules.place_of[match.racks[seat, slot]], at, out)
    if match.window != NOBODY:
        write_card(features, rules.place_of[match.window], features.discard_top, out)
    write_copies(rules, match.discards, features.discards, out)
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        out[features.retailer + place] = match.dealer == other
        out[features.wholesaler + place] = match.wholesaler == other
        write_copies(rules, match.laid[other], features.laid + place * len(match.discards), out)
        out[features.sets + place] = match.set_count[other] / np.float64(SETS_IN_HAND)
        out[features.greenbacks + place] = count_greenbacks(match, other) / np.float64(GREENBACK_NUMBERS)
        base = features["base"] + place  # an attribute of arrays has this name
        out[base] = find_base(rules, match, other) / np.float64(BASES)
    write_bases(rules, match, features.bases, out)
    kinds = find_legal_kinds(match, rules.kind_of)
    write_turn(rules, match, features, seat, kinds, stock_left(match), out)
    write_points(rules, features, match.held, seat, features.points, out)
    if features.sold != ABSENT:
        write_points(rules, features, match.held_sold, seat, features.sold, out)


@compiled
def write_copies(rules: Any, copies: Any, at: Any, out: Any) -> None:
    """Write of each card the part of its copies that are there."""
    for card in range(len(copies)):
        out[at + card] = copies[card] * rules.copy_share[card]


@inlined
def write_bases(rules: Any, match: Any, at: Any, out: Any) -> None:
    """Write how many cards are left in each supply base; replacements come from the last one."""
    for base in range(BASES):
        left = CARDS_IN_BASE - min(max(match.next_card - CARDS_IN_BASE * base, 0), CARDS_IN_BASE)
        if base == BASES - 1:
            left -= match.replaced
        out[at + base] = left / np.float64(CARDS_IN_BASE)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or to sell out, or else the last."""
    return choose_listed(tables, match, policy == RANDOM, SELL, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_listed, write_listed, choose_action, write_rewards, observe
)


@entry_point(kernel_sets.__file__)
def advance(game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Advance all matches, see `advance_matches`."""
    advance_matches(PLAY, game, state, actions, arrays)
