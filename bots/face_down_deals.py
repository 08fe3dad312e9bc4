"""Deals of `bastard-brag` and `whisky-poker` compiled, and a plain play of them.

In both cards of the widow lie face down. Seats are places in the order of turns, the eldest 0 and the dealer
the last; cards are places in the pack of 52. An exchange of one card is the number `size` * the slot of the
hand + the slot of the widow, with `size` cards in a hand; the other actions are WHOLE, PASS, KNOCK and TURN.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from arena.errors import import_optional
from bots.belief_search import NO_ACTION, NOT_EVALUATED, draw

import_optional("numba", "vector")
from arena.games.kernel.compilation import compiled  # noqa: E402
from arena.games.kernel.layout import MAX_SEATS, NOBODY  # noqa: E402

PACK: Final = 52
MAX_HAND: Final = 5
MIDDLE: Final = 1
"""Slot of the widow at `bastard-brag` where the card lies face down."""
WHOLE: Final = 25
PASS: Final = 26
KNOCK: Final = 27
TURN: Final = 28
ACTIONS: Final = 29
SUITS: Final = 4
RANK_VALUES: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""Numbers by rank whose sums differ for any two sets of five cards with other ranks."""
MAX_KEYS: Final = 4 * RANK_VALUES[-1] + RANK_VALUES[-2] + 1
FOUR_SUITED: Final = 0x4444
FIVE_SUITED: Final = 0x3333
OVERFLOW: Final = 0x8888
"""Bits that are set once one of these is added to numbers of cards by suit, if one is as large."""

DEAL: Final = np.dtype(
    [
        ("to_act", "i8"),
        ("round", "i8"),
        ("last", "i8"),  # the seat that has knocked
        ("is_down", "i8"),  # the whole widow lies face down
        ("informed", "i8"),  # the seat that knows the middle card of the widow
        ("passed", "i8"),  # seats that passed in their last turn, as bits
        ("is_over", "i8"),
        ("turns", "i8"),
        ("hands", "i1", (MAX_SEATS, MAX_HAND)),
        ("widow", "i1", (MAX_HAND,)),
        ("known", "i1", (MAX_SEATS, MAX_HAND)),  # whether all others know the card
        ("since", "i8", (MAX_SEATS, MAX_HAND)),  # turns when the card had come there
    ],
    align=True,
)
"""Data type of the state of a deal."""


MEMORY: Final = np.dtype(
    [("state", "u8"), ("unseen", "i8", (PACK,)), ("values", "f8", (ACTIONS,))], align=True
)
"""Memory of a simulation."""


class Tables(NamedTuple):
    """Tables for one number of seats in the deal; they do not change."""

    seats: Any
    size: Any
    """Number of cards in a hand."""
    max_rounds: Any
    knock_from: Any
    """First round in which one may knock."""
    pool: Any
    """Chips that the best hand wins for one that the worst pays; 0 where the worst loses a token."""
    strengths: Any
    """Strengths of hands of three, by cards."""
    by_key: Any
    """Strengths of hands of five, by the sum of `RANK_VALUES` and whether they are of one suit."""
    rank_values: Any
    """The element of `RANK_VALUES` for each card."""
    suit_values: Any
    """Numbers by card, whose sums count the cards of each suit, in four bits each."""
    chances: Any
    """Chance to win by strength of the hand, 0 to 1."""
    worth_of_three: Any
    """Values of hands by cards: weighted sums of what they win and of what they win with one more card."""
    worth_of_five: Any
    """The same by the sum of `RANK_VALUES`: if up to three, four or all cards are of one suit."""
    worth_of_two: Any
    """Mean values by two cards, over the third."""
    worth_unseen: Any
    """Mean value over all hands."""
    scale: Any
    """Sum of the weights in these values."""
    knock: Any
    """Value of a knock with a chance of a half, and its weight of the chance of the hand less a half."""


@compiled
def sum_up(tables: Any, hand: Any) -> Any:
    """Return the sums of the values of ranks and of suits of a hand of five."""
    key = suits = np.int64(0)
    for slot in range(MAX_HAND):
        key += tables.rank_values[hand[slot]]
        suits += tables.suit_values[hand[slot]]
    return key, suits


@compiled
def count_suited(suits: int) -> Any:
    """Return 2 for five cards of one suit, 1 for four, else 0."""
    has_four = ((suits + FOUR_SUITED) & OVERFLOW) != 0
    return np.int64(has_four) + np.int64(((suits + FIVE_SUITED) & OVERFLOW) != 0)


@compiled
def find_strength(tables: Any, hand: Any) -> Any:
    """Return the strength of a hand; larger is better."""
    if tables.size == 3:
        return np.int64(tables.strengths[hand[0], hand[1], hand[2]])
    key, suits = sum_up(tables, hand)
    return np.int64(tables.by_key[key, count_suited(suits) // 2])


@compiled
def evaluate_hand(tables: Any, hand: Any) -> float:
    """Return the value of a hand."""
    if tables.size == 3:
        return float(tables.worth_of_three[hand[0], hand[1], hand[2]])
    key, suits = sum_up(tables, hand)
    return float(tables.worth_of_five[key, count_suited(suits)])


@compiled
def evaluate_exchanges_of_three(tables: Any, deal: Any, values: Any) -> None:
    """Write the values of exchanges at `bastard-brag`."""
    widow = deal.widow
    hand = deal.hands[deal.to_act]
    knows = deal.informed == deal.to_act
    for give in range(3):
        a, b = hand[(give + 1) % 3], hand[(give + 2) % 3]
        for take in range(3):
            is_seen = take != MIDDLE or knows
            value = tables.worth_of_three[a, b, widow[take]] if is_seen else tables.worth_of_two[a, b]
            values[3 * give + take] = value
    whole = evaluate_hand(tables, widow) if knows else float(tables.worth_of_two[widow[0], widow[2]])
    values[WHOLE] = whole


@compiled
def evaluate_exchanges_of_five(tables: Any, deal: Any, values: Any) -> None:
    """Write the values of exchanges at `whisky-poker` with a widow face up."""
    hand, widow = deal.hands[deal.to_act], deal.widow
    key, suits = sum_up(tables, hand)
    for give in range(MAX_HAND):
        kept_key = key - tables.rank_values[hand[give]]
        kept_suits = suits - tables.suit_values[hand[give]]
        for take in range(MAX_HAND):
            made = kept_key + tables.rank_values[widow[take]]
            suited = count_suited(kept_suits + tables.suit_values[widow[take]])
            values[MAX_HAND * give + take] = tables.worth_of_five[made, suited]
    values[WHOLE] = evaluate_hand(tables, widow)


@compiled
def may_knock(tables: Any, deal: Any) -> bool:
    """Return whether the seat to act may knock."""
    if deal.last != NOBODY or deal.round < tables.knock_from:
        return False
    return not (deal.is_down and deal.to_act == tables.seats - 1)


@compiled
def assess(tables: Any, deal: Any, values: Any) -> Any:
    """Write the values of the legal actions, NOT_EVALUATED for others and for the knock.

    Returns:
        The best action but a knock, the knock or NO_ACTION, and by how much the knock is better.
    """
    for action in range(ACTIONS):
        values[action] = NOT_EVALUATED
    seat = deal.to_act
    hand = deal.hands[seat]
    held = evaluate_hand(tables, hand)
    if deal.is_down:
        values[WHOLE] = tables.worth_unseen
        values[TURN if seat == tables.seats - 1 else PASS] = held
    elif tables.size == 3:
        evaluate_exchanges_of_three(tables, deal, values)
    else:
        evaluate_exchanges_of_five(tables, deal, values)
        if not (deal.passed >> seat) & 1 or deal.last != NOBODY:
            values[PASS] = held
    best = np.argmax(values)
    if not may_knock(tables, deal):
        return np.int64(best), np.int64(NO_ACTION), -1.0
    chance = tables.chances[find_strength(tables, hand)] - 0.5
    surplus = tables.knock[0] + tables.knock[1] * chance
    return np.int64(best), np.int64(KNOCK), surplus - max(values[best] - held, 0.0)


@compiled
def choose_action(tables: Any, deal: Any, values: Any) -> Any:
    """Return the action of the highest value, a knock where its surplus is not negative."""
    best, knock, surplus = assess(tables, deal, values)
    return knock if knock != NO_ACTION and surplus >= 0 else best


@compiled
def exchange(tables: Any, deal: Any, give: int, take: int) -> None:
    """Exchange a card of the seat to act for one of the widow."""
    seat = deal.to_act
    given = deal.hands[seat, give]
    deal.hands[seat, give] = deal.widow[take]
    deal.widow[take] = given
    is_hidden = deal.is_down or (tables.size == 3 and take == MIDDLE)
    deal.known[seat, give] = not is_hidden
    deal.since[seat, give] = deal.turns + 1


@compiled
def pass_turn(tables: Any, deal: Any) -> None:
    """Pass the turn on; the deal is over where the last turns or the rounds are."""
    following = (deal.to_act + 1) % tables.seats
    if following == deal.last:
        deal.is_over = 1
    elif following == 0:
        if deal.round == tables.max_rounds and deal.last == NOBODY:
            deal.is_over = 1
        deal.round += 1
    deal.to_act = following


@compiled
def apply_action(tables: Any, deal: Any, action: int) -> None:
    """Do an action of the seat to act."""
    seat, size = deal.to_act, tables.size
    if action == KNOCK:
        deal.last = seat
    elif action == WHOLE:
        for slot in range(size):
            exchange(tables, deal, slot, slot)
        deal.informed = seat
    elif action < WHOLE:
        exchange(tables, deal, action // size, action % size)
        if action % size == MIDDLE:
            deal.informed = seat
    deal.passed &= ~(np.int64(1) << seat)
    if action == PASS and not deal.is_down:
        deal.passed |= np.int64(1) << seat
    deal.turns += 1
    if deal.is_down and action in (PASS, KNOCK):
        deal.to_act = seat + 1  # never the dealer, who takes the widow or turns it up
    else:
        deal.is_down = 0
        pass_turn(tables, deal)


@compiled
def find_value(tables: Any, deal: Any, seat: int) -> float:
    """Return what a deal that is over is worth to a seat: its gain less the mean gain of the others."""
    best, worst = np.int64(-1), np.int64(1 << 30)
    for other in range(tables.seats):
        strength = find_strength(tables, deal.hands[other])
        best, worst = max(best, strength), min(worst, strength)
    winners = losers = 0
    for other in range(tables.seats):
        strength = find_strength(tables, deal.hands[other])
        winners += strength == best
        losers += strength == worst
    value = 0.0
    for other in range(tables.seats):
        strength = find_strength(tables, deal.hands[other])
        gain = tables.pool / winners if strength == best else 0.0
        gain -= strength == worst and (best > worst or tables.pool == 0)
        value += gain if other == seat else -gain / (tables.seats - 1)
    return value


@compiled
def begin(tables: Any, deal: Any) -> None:
    """Begin a deal whose cards are dealt."""
    deal.to_act, deal.round, deal.last, deal.informed = 0, 1, NOBODY, NOBODY
    deal.passed = deal.is_over = deal.turns = 0
    deal.is_down = tables.size == MAX_HAND
    deal.known[:, :] = 0
    deal.since[:, :] = 0


@compiled
def deal_cards(tables: Any, deal: Any, memory: Any) -> None:
    """Deal random cards."""
    cards = memory.unseen
    for card in range(PACK):
        cards[card] = card
    dealt = 0
    for seat in range(tables.seats + 1):
        for slot in range(tables.size):
            other = dealt + draw(memory, PACK - dealt)
            cards[dealt], cards[other] = cards[other], cards[dealt]
            if seat < tables.seats:
                deal.hands[seat, slot] = cards[dealt]
            else:
                deal.widow[slot] = cards[dealt]
            dealt += 1
    begin(tables, deal)


@compiled
def simulate(tables: Any, deal: Any, deals: int, memory: Any, counts: Any) -> None:
    """Count the strengths of the hands at the end of random deals."""
    for _ in range(deals):
        deal_cards(tables, deal, memory)
        while not deal.is_over:
            apply_action(tables, deal, choose_action(tables, deal, memory.values))
        for seat in range(tables.seats):
            counts[find_strength(tables, deal.hands[seat])] += 1
