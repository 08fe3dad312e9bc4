"""Compiled play of the barter family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.barter.deal`, on arrays: a test compares both over many matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arena.families.barter.deal import DECLINE, STAND
from arena.families.barter.rules import BarterRules
from arena.families.barter.view import HAND_SIZE
from arena.games.kernel.compilation import compiled, entry_point
from arena.games.kernel.layout import (
    ABSENT,
    MAX_PACK,
    MAX_SEATS,
    MAX_STRENGTHS,
    NOBODY,
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
    find_best,
    going_out_key,
    hand_strength,
    lose_lives,
    reward_placings,
    share_pool,
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
from arena.games.settlement.paid_trades import LivesMarket, Money, StanderMoney, TransferMarket

# --- memory and tables ---

MAX_ROUNDS: Final = 20
MAX_EXCHANGES: Final = MAX_ROUNDS * MAX_SEATS
KINDS: Final = ("trade", "barter", "give", "stand", "knock", "decline", "continue")
TRADE, BARTER, GIVE, STAND_KIND, KNOCK_KIND, DECLINE_KIND, CONTINUE_KIND = range(len(KINDS))
"""Kinds of actions."""
MONEY, TRANSFER, LIVES = range(3)
"""Kinds of settlement."""
SETTLEMENTS: Final[dict[Any, int]] = {
    Money: MONEY,
    StanderMoney: MONEY,
    TransferMarket: TRANSFER,
    LivesMarket: LIVES,
}
PENALTIES: Final = ("none", "best", "each")
NONE, BEST, EACH = range(len(PENALTIES))
"""Whom a beaten stander pays: nobody, the best hand, or each better one."""
ALL_SLOTS: Final = 7
"""The actions that give a card of any slot, as bits from that of the first slot."""

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("tokens", "i2", (MAX_SEATS,)),
        ("chips", "i8", (MAX_SEATS,)),
        ("pool", "i8"),
        # the deal
        ("hands", "i1", (MAX_SEATS, HAND_SIZE)),
        ("turn", "i8"),
        ("round_number", "i8"),
        ("satisfied", "i8"),  # seats that stand, as bits
        ("standing", "i8"),  # how many they are
        ("seats", "i8"),  # seats in the deal
        ("asker", "i8"),  # the seat whose barter is not answered yet
        ("offered", "i8"),  # the slot of the card it gives
        ("legal", "i8"),  # numbers of actions, as bits
        # what observations tell
        ("held", "i2", (MAX_SEATS,)),  # tokens before the deal
        ("held_chips", "i8", (MAX_SEATS,)),  # chips before the deal is settled
        ("held_pool", "i8"),
        ("seen", "i8", (MAX_SEATS,)),  # cards that a seat has held or been given, as bits
        ("shown", "i8"),  # cards that all have seen, as bits
        ("all_shown", "i8"),  # the hands were shown
        ("exchanges", "i1", (MAX_EXCHANGES, 4)),  # seat, partner (NOBODY in a trade), cards given and got
        ("exchange_count", "i8"),
        ("traders", "i1", (MAX_EXCHANGES,)),  # by trade
        ("trade_count", "i8"),
        ("known", "i8", (MAX_SEATS,)),  # room to find what a seat knows
        ("known_under", "i8", (MAX_EXCHANGES,)),  # the same, by trade: of the card that went under the stock
        # under the stock: cards of seats that are out, then traded
        *list_stock_fields(MAX_PACK, MAX_SEATS * HAND_SIZE + MAX_EXCHANGES),
    ],
    align=True,
)
"""State of a match between two decisions."""

FEATURES: Final = make_features("hand", "seen", "known", "asker", "satisfied")
OPTIONS: Final = (
    *("step", "rounds", "open_hands", "stand_afterwards", "until_all", "needs_rank_to_knock"),
    *("min_tokens", "tokens", "deals", "price", "stake", "dealer_stake", "split_pool"),
    *("dealer_antes", "dealer_first"),
)
RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("pack", "i8"),
        *[(name, "i8") for name in OPTIONS],
        ("settlement", "i8"),
        ("stand_penalty", "i8"),
        ("is_left", "i8"),  # the partner is the seat whose turn is next
        ("stop", "i8"),  # numbers of actions; -1 for one that never is
        ("refusal", "i8"),
        ("first_give", "i8"),
        ("go_on", "i8"),
        ("declines", "i8"),  # the refusal is to decline
        ("kind_of", "i1", (16,)),  # by action
        # tables by card and by strength
        ("strengths", "i2", (MAX_PACK, MAX_PACK, MAX_PACK)),  # of hands; larger is better
        ("tie_class", "i2", (MAX_STRENGTHS,)),  # hands of one class tie for worst
        ("is_qualified", "i1", (MAX_STRENGTHS,)),  # such a hand can win
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: BarterRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    if type(rules.settlement) not in SETTLEMENTS:
        return f"{rules} has a pool that is formed once"
    if getattr(rules.settlement, "bottom_tie", "exact") == "seat":
        return f"in {rules} ties for worst go by seat"
    return f"{rules} has more than {MAX_ROUNDS} rounds" if rules.rounds > MAX_ROUNDS else None


def build_rules(rules: Any, players: int, names: Sequence[str]) -> Any:
    """Return a variant as it is played at a table of `players`; `names` of its actions by number."""
    record = np.zeros(1, RULES)
    settlement = rules.settlement
    fill_options(record, rules, settlement)
    if SETTLEMENTS[type(settlement)] == MONEY:
        record["deals"] = settlement.deals or players
    record["players"], record["pack"] = players, len(rules.whole_pack)
    record["settlement"] = SETTLEMENTS[type(settlement)]
    record["stand_penalty"] = PENALTIES.index(getattr(settlement, "stand_penalty", "none"))
    record["is_left"] = rules.partner_step == 1
    _number_actions(record, rules, names)
    ranks = fill_strengths(record, rules)
    record["is_qualified"][0, : len(ranks)] = [rank.category != "nothing" for rank in ranks]
    return record[0]


def build_tables(rules: Any, players: int, space: Any) -> Tables:
    """Return the tables of a variant at a table of `players`, whose actions have the numbers of `space`."""
    return Tables(build_rules(rules, players, space.names))


def _number_actions(record: Any, rules: BarterRules, names: Sequence[str]) -> None:
    record["stop"] = names.index(rules.stop.kind)
    record["refusal"] = -1 if rules.refusal is None else names.index(rules.refusal.kind)
    record["first_give"] = names.index("give 1")
    record["go_on"] = names.index("continue") if rules.stand_afterwards else -1
    record["declines"] = rules.refusal is DECLINE
    assert rules.refusal in (None, DECLINE, STAND)
    record["kind_of"][0, : len(names)] = [KINDS.index(name.partition(" ")[0]) for name in names]


# --- deals ---
# From the shuffle to the settlement.


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


# --- settlement ---
# As in `arena.games.settlement.paid_trades`.


@compiled
def pay_antes(rules: Any, match: Any) -> None:
    """Pay the stakes of a deal into the pool."""
    more = rules.stake * (rules.dealer_antes - 1)
    for seat in range(rules.players):
        match.chips[seat] -= rules.stake
    match.chips[match.dealer] -= more
    match.pool += rules.stake * match.seats + more


@compiled
def settle(tables: Any, match: Any, stander: Any) -> None:
    """Change tokens or chips as the shown hands say."""
    if tables.rules.settlement == MONEY:
        settle_pool(tables, match, stander)
    elif tables.rules.settlement == TRANSFER:
        transfer_tokens(tables, match, match.dealer)
    else:
        lose_lives(tables, match)


@compiled
def settle_pool(tables: Any, match: Any, stander: Any) -> None:
    """Pay the pool to the best hand; at the end of the match one that nobody has won is given back."""
    rules = tables.rules
    first = match.dealer if rules.dealer_first else match.eldest
    best = find_best(tables, match, first)
    highest = hand_strength(tables, match, best)
    winners = np.int64(0)
    if rules.is_qualified[highest]:
        for seat in range(rules.players):
            shares = rules.split_pool and is_dealt_in(match, seat)
            if seat == best or (shares and hand_strength(tables, match, seat) == highest):
                winners |= np.int64(1) << seat
        owed = rules.stake if rules.dealer_stake and not (winners >> match.dealer) & 1 else 0
        match.chips[match.dealer] -= owed
        match.pool += owed
        share_pool(match, winners, first)
        if stander != NOBODY and stander != best and hand_strength(tables, match, stander) < highest:
            pay_for_standing(tables, match, stander, best)
    elif match.number + 1 == rules.deals:
        share_pool(match, (np.int64(1) << rules.players) - 1, match.eldest)


@compiled
def pay_for_standing(tables: Any, match: Any, stander: Any, best: Any) -> None:
    """Let a beaten stander pay the best hand or each better one."""
    rules = tables.rules
    own = hand_strength(tables, match, stander)
    for seat in range(rules.players):
        is_paid = rules.stand_penalty == BEST and seat == best
        if rules.stand_penalty == EACH and is_dealt_in(match, seat):
            is_paid = hand_strength(tables, match, seat) > own
        if is_paid:
            match.chips[stander] -= rules.stake
            match.chips[seat] += rules.stake


@compiled
def write_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match that is over, by seat."""
    players = rules.players
    if rules.settlement == MONEY:
        write_chip_rewards(rules, match, by_payoff, placings, rewards)
        return
    write_token_rewards(rules, match, by_payoff, placings, rewards)
    if rules.settlement == LIVES and not by_payoff:
        for seat in range(players):
            ahead = 0
            for other in range(players):
                ahead += int(is_better(match, other, seat))
            placings[seat] = 1 + ahead
        reward_placings(players, placings, rewards)


@compiled
def is_better(match: Any, seat: Any, other: Any) -> bool:
    """Return whether a seat is placed better: by tokens, then by when it went out, then by chips."""
    more = match.tokens[seat] - match.tokens[other]
    if more == 0:
        more = going_out_key(match, seat) - going_out_key(match, other)
    if more == 0:
        return bool(match.chips[seat] > match.chips[other])
    return bool(more > 0)


# --- known cards ---
# The cards that a seat knows others to hold, as `arena.families.barter.view` finds them.


@compiled
def find_known(rules: Any, match: Any, observer: Any, stock: Any) -> None:
    """Write into `match.known` by seat the cards it is known to hold, as bits.

    Args:
        rules: The variant.
        match: The match.
        observer: The seat that knows.
        stock: Cards in the stock: trade number n takes the card that trade number n - `stock` put under it.
    """
    for seat in range(rules.players):
        match.known[seat] = 0
    if match.all_shown or rules.open_hands:
        for seat in range(rules.players):
            if is_dealt_in(match, seat):
                for slot in range(len(match.hands[seat])):
                    match.known[seat] |= np.int64(1) << match.hands[seat, slot]
        return
    trade = 0
    for number in range(match.exchange_count):
        row = match.exchanges[number]
        if row[1] == NOBODY:
            follow_trade(match, observer, stock, trade, row)
            trade += 1
        elif row[0] == observer:
            follow_own_barter(match, row[1], row[3], row[2])
        elif row[1] == observer:
            follow_own_barter(match, row[0], row[2], row[3])
        else:
            match.known[row[0]] = match.known[row[1]] = 0


@compiled
def follow_trade(match: Any, observer: Any, stock: Any, trade: Any, row: Any) -> None:
    """Follow the card given, which may come again, and the card taken, which may have been seen before."""
    seat, given = row[0], np.int64(1) << row[2]
    again = trade + stock  # the trade that takes the card given
    taker = match.traders[again] if again < match.trade_count else NOBODY
    match.known_under[trade] = 0
    if seat == observer:
        if taker != NOBODY and taker != observer:
            match.known_under[trade] = given
        return
    if taker == observer:
        match.known[seat] &= ~given
    else:
        match.known[seat] = 0
    if trade >= stock:
        match.known[seat] |= match.known_under[trade - stock]


@compiled
def follow_own_barter(match: Any, partner: Any, got: Any, given: Any) -> None:
    """Follow the observer's barter: the partner has the card given, and no more the one got."""
    match.known[partner] &= ~(np.int64(1) << got)
    match.known[partner] |= np.int64(1) << given


# --- the vector environment ---


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules, width = tables.rules, features.slot_width
    seen = match.seen[seat] | match.shown
    if match.next_seat[seat] != NOBODY:
        for slot in range(HAND_SIZE):
            write_card(features, match.hands[seat, slot], features.hand + slot * width, out)
    write_cards(seen, features.seen, out)
    stock = stock_left(rules, match)
    find_known(rules, match, seat, stock)
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        out[features.asker + place] = match.asker == other
        out[features.satisfied + place] = (match.satisfied >> other) & 1
        if place:
            write_cards(match.known[other], features.known + (place - 1) * rules.pack, out)
    write_turn(rules, match, features, seat, find_legal_kinds(rules, match.legal), stock, out)
    if features.tokens != ABSENT:
        write_tokens(rules, match, features, seat, out)
    if features.chips != ABSENT:
        write_chips(rules, match, features, seat, out)


@compiled
def find_legal_kinds(rules: Any, legal: Any) -> Any:
    """Return the kinds of the legal actions as bits."""
    kinds = np.int64(0)
    action = 0
    while legal >> action:
        if (legal >> action) & 1:
            kinds |= np.int64(1) << rules.kind_of[action]
        action += 1
    return kinds


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or that which ends the deal, or else the last."""
    rules = tables.rules
    if policy != RANDOM:
        if (match.legal >> rules.stop) & 1:
            return np.int64(rules.stop)
        return choose_bit(match.legal, False, bot, room)
    is_answer = match.asker != NOBODY
    if is_answer and rules.refusal == rules.stop:  # among the answers it is the last
        chosen = choose_bit(np.int64(2 * ALL_SLOTS + 1), True, bot, room)
        return np.int64(rules.stop if chosen == HAND_SIZE else rules.first_give + chosen)
    return choose_bit(match.legal, True, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_bit_legal, write_bits, choose_action, write_rewards, observe
)


@entry_point()
def advance(game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Advance all matches, see `advance_matches`."""
    advance_matches(PLAY, game, state, actions, arrays)
