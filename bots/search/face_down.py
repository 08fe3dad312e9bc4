"""Search at `bastard-brag` and `whisky-poker`: its compiled deals, and a plain play of them.

In both cards of the widow lie face down. Hands that others may hold are weighed by the turns that they have
had since their last card not known came. Hands are valued by what they win now and with one more card.

Seats are places in the order of turns, the eldest 0 and the dealer the last; cards are places in the pack of
52. An exchange of one card is the number `size` * the slot of the hand + the slot of the widow, with `size`
cards in a hand; the other actions are WHOLE, PASS, KNOCK and TURN.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.view import ExchangeView
from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.hand_lookup import compute_strengths
from arena.games.rankings.base import HandRank
from arena.games.rules import Rules
from arena.play import Info
from arena.play.heuristics.weighted_heuristic import typical_ranks
from bots.search.belief_search import (
    CANDIDATES,
    NO_ACTION,
    NOT_EVALUATED,
    SOURCES,
    BeliefSearch,
    draw,
    draw_known_hands,
    draw_left,
    find_likelihood,
    find_strengths,
    list_candidates,
    list_hand_fields,
    make_memory_type,
    make_sampling,
    make_search,
    sum_later,
)

from arena.games.kernel.compilation import cached, compiled, digest_sources  # isort: skip (checked for numba)
from arena.games.kernel.layout import MAX_SEATS, NOBODY

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
SIMULATED_DEALS: Final = 4_000
"""Deals whose last hands tell what a hand wins."""
NOW: Final = 1.0
"""Weight of what a hand wins in its value."""
LATER: Final = 3.0
"""Weight of what it wins on average with one more card."""
KNOCKS: Final = {"bastard-brag": (-0.5, 5.0), "whisky-poker": (1.8, 12.0)}
"""Value of a knock with a chance of a half, and its weight of the chance less a half, by game."""
FLUSH_DRAW: Final = 9 / 47
"""Chance that one more card makes a flush of four cards of one suit."""
MAX_STEPS: Final = 8_000
"""Number of actions in playouts after which no more worlds are drawn."""

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
MEMORY: Final = make_memory_type(
    CANDIDATES,
    ("is_covered", "i1", (MAX_HAND,)),  # whether the seat does not know the card of the widow
    ("values", "f8", (ACTIONS,)),
    *list_hand_fields(MAX_HAND),
)


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


# --- values ---


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


# --- a deal ---


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
def begin_deal(tables: Any, deal: Any) -> None:
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
    begin_deal(tables, deal)


@compiled
def simulate(tables: Any, deal: Any, deals: int, memory: Any, counts: Any) -> None:
    """Count the strengths of the hands at the end of random deals."""
    for _ in range(deals):
        deal_cards(tables, deal, memory)
        while not deal.is_over:
            apply_action(tables, deal, choose_action(tables, deal, memory.values))
        for seat in range(tables.seats):
            counts[find_strength(tables, deal.hands[seat])] += 1


# --- the search ---


@compiled
def begin(tables: Any, past: Any, actions: Any, deals: Any, memory: Any) -> Any:
    """Play the deal up to the decision, and return the seat to act."""
    deal = deals[0]
    begin_deal(tables, deal)
    for number in range(len(actions)):
        past[number] = deal
        apply_action(tables, deal, actions[number])
    for other in range(tables.seats):
        memory.is_sampled[other] = other != deal.to_act
    return deal.to_act


@compiled
def weigh_turn(tables: Any, deal: Any, action: int, memory: Any) -> float:
    """Return how likely the seat to act is to do an action."""
    best, knock, surplus = assess(tables, deal, memory.values)
    loss = 0.0 if action == KNOCK else memory.values[best] - memory.values[action]
    return find_likelihood(knock != NO_ACTION, action == KNOCK, surplus / tables.scale, loss / tables.scale)


@compiled
def weigh_hand(tables: Any, past: Any, actions: Any, deals: Any, seat: int, memory: Any) -> float:
    """Return how likely a seat's turns are with its hand in `deals[1]`, since it holds all hidden cards."""
    deal, first, weight = deals[1], 0, 1.0
    for slot in range(tables.size):
        if memory.is_hidden[seat, slot]:
            first = max(first, deal.since[seat, slot])
    for turn in range(first, len(actions)):
        before = past[turn]
        if before.to_act == seat:
            for slot in range(tables.size):
                if memory.is_hidden[seat, slot]:
                    before.hands[seat, slot] = deal.hands[seat, slot]
            weight *= weigh_turn(tables, before, actions[turn], memory)
    return weight


@compiled
def draw_world(tables: Any, deal: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with, and the widow unseen cards where it is covered."""
    taken, drawn = draw_known_hands(deal, seat, tables.seats, tables.size, memory)
    for slot in range(tables.size):
        if memory.is_covered[slot]:
            deal.widow[slot], drawn = draw_left(taken, drawn, memory)


@compiled
def play_out(tables: Any, deal: Any, action: int, memory: Any) -> float:
    """Play a deal to its end by values after the first action; return its value to the seat."""
    seat = deal.to_act
    apply_action(tables, deal, action)
    while not deal.is_over:
        memory.steps += 1
        apply_action(tables, deal, choose_action(tables, deal, memory.values))
    return find_value(tables, deal, seat)


@compiled
def find_candidates(tables: Any, deal: Any, memory: Any) -> Any:
    """Write the most valuable action, a knock and the next best; return how many they are."""
    best, knock, surplus = assess(tables, deal, memory.values)
    return list_candidates(memory.values, best, knock, surplus, memory.candidates)


find_best: Final = make_search(
    begin, find_candidates, make_sampling(weigh_hand), draw_world, play_out, MAX_STEPS
)


def _compile_search(sources: int) -> Any:
    """Return the compiled `find_best` and `simulate`."""

    @cached
    def search(tables: Any, past: Any, actions: Any, deals: Any, worlds: int, z: float, memory: Any) -> Any:
        sources  # noqa: B018 (part of the key)
        return find_best(tables, past, actions, deals, worlds, z, memory)

    @cached
    def play_deals(tables: Any, deal: Any, deals: int, memory: Any, counts: Any) -> None:
        sources  # noqa: B018 (part of the key)
        simulate(tables, deal, deals, memory, counts)

    return search, play_deals


search, play_deals = _compile_search(digest_sources(*SOURCES))


# --- tables ---


class Strengths(NamedTuple):
    """Strengths of the hands of a game.

    Attributes:
        ranks: The rank of each strength, the lowest first.
        of_three: By three cards; empty where hands have five.
        of_five: By the sum of `RANK_VALUES`, and whether they are of one suit; empty where hands have three.
        sets: Ranks of five cards as places in the order of ranks, with the number of hands that have them.
    """

    ranks: list[HandRank]
    of_three: Any
    of_five: Any
    sets: list[tuple[tuple[int, ...], int]]


def list_strengths(rules: Rules) -> Strengths:
    """Return the strengths of a game's hands."""
    if rules.hand_size == 3:
        _, ranks = compute_strengths(rules.ranking, rules.whole_pack)
        return Strengths(ranks, find_strengths(rules), np.zeros((1, 2), np.int16), [])
    sets: list[tuple[tuple[int, ...], int]] = []
    ranks_by_key = {}
    for ranks_held in combinations_with_replacement(range(len(RANK_VALUES)), MAX_HAND):
        counts = Counter(ranks_held)
        if max(counts.values()) <= SUITS:
            sets.append((ranks_held, prod(comb(SUITS, count) for count in counts.values())))
            key = sum(RANK_VALUES[rank] for rank in ranks_held)
            for is_suited in range(1 + (len(counts) == MAX_HAND)):
                hand = make_hand(rules, ranks_held, is_suited=bool(is_suited))
                ranks_by_key[key, is_suited] = rules.ranking.rank(hand, rules.whole_pack)
    ranks = sorted(set(ranks_by_key.values()))
    place = {rank: strength for strength, rank in enumerate(ranks)}
    of_five = np.zeros((MAX_KEYS, 2), np.int16)
    for (key, is_suited), rank in ranks_by_key.items():
        of_five[key, is_suited] = place[rank]
    return Strengths(ranks, np.zeros((1, 1, 1), np.int16), of_five, sets)


def make_hand(rules: Rules, ranks_held: tuple[int, ...], *, is_suited: bool) -> Hand:
    """Return a hand of cards with these ranks, of one suit or of several."""
    left: dict[int, list[Card]] = {}
    for card in rules.whole_pack.cards:
        left.setdefault(rules.whole_pack.rank_index[card], []).append(card)
    hand = [left[rank].pop(0) for rank in ranks_held]
    if not is_suited and len(left[ranks_held[0]]) == SUITS - 1:
        hand[0] = left[ranks_held[0]].pop()
    return tuple(hand)


def compute_chances(below: Any, seats: int, pool: int) -> Any:
    """Return what a hand wins that beats this share of others, between 0 and 1."""
    not_worst = 1 - (1 - below) ** (seats - 1)
    return (pool * below ** (seats - 1) + not_worst) / (pool + 1)


@cache
def prepare(rules: ExchangeRules, seats: int) -> Tables:
    """Return the tables of all searches in deals with one number of seats.

    What a hand wins is taken from typical hands first, then from the last hands of deals played by that.
    """
    pool = seats if rules.hand_size == MAX_HAND else 0
    strengths, typical = list_strengths(rules), typical_ranks(rules)
    below = np.array([bisect_left(typical, rank) / len(typical) for rank in strengths.ranks])
    tables = build_tables(rules, seats, strengths, compute_chances(below, seats, pool))
    counts = np.zeros(len(below))
    play_deals(tables, np.zeros(1, DEAL)[0], SIMULATED_DEALS, np.zeros(1, MEMORY)[0], counts)
    final = (np.cumsum(counts) - counts / 2) / counts.sum()
    return build_tables(rules, seats, strengths, compute_chances(final, seats, pool))


def build_tables(rules: ExchangeRules, seats: int, strengths: Strengths, chances: Any) -> Tables:
    """Return the tables; `chances` are what hands win, by strength."""
    of_three, of_five, of_two = np.zeros((1, 1, 1)), np.zeros((1, 3)), np.zeros((1, 1))
    if rules.hand_size == 3:
        later = sum_later(strengths.of_three, chances, PACK) / (PACK - 3)
        of_three = np.where(later > 0, NOW * chances[strengths.of_three] + LATER * later, 0)
        of_two = of_three.sum(axis=2) / (PACK - 2)
        unseen = of_two.sum() / (PACK * (PACK - 1))
    else:
        of_five = np.zeros((MAX_KEYS, 3))
        unseen = fill_worth_of_five(strengths, chances, of_five)
    cards = rules.whole_pack.cards
    return Tables(
        seats,
        rules.hand_size,
        rules.rounds,
        rules.closing.knock_from_round,
        seats if rules.hand_size == MAX_HAND else 0,
        strengths.of_three,
        strengths.of_five,
        np.array([RANK_VALUES[rules.whole_pack.rank_index[card]] for card in cards]),
        np.array([1 << 4 * "SHDC".index(card.suit) for card in cards]),
        chances.astype(np.float32),
        of_three.astype(np.float32),
        of_five.astype(np.float32),
        of_two.astype(np.float32),
        float(unseen),
        NOW + LATER,
        np.array(KNOCKS[rules.name]),
    )


def fill_worth_of_five(strengths: Strengths, chances: Any, worth: Any) -> float:
    """Write the values of hands of five, and return the mean of all hands."""
    by_key, total, hands = strengths.of_five, 0.0, 0
    flush = chances[[rank.category == "flush" for rank in strengths.ranks]].mean()
    for held, count in strengths.sets:
        key, sum_of_later = sum(RANK_VALUES[rank] for rank in held), 0.0
        now = chances[by_key[key, 0]]
        for rank, value in enumerate(RANK_VALUES):
            if left := SUITS - held.count(rank):
                made = [by_key[key - RANK_VALUES[given] + value, 0] for given in set(held)]
                sum_of_later += left * max(now, chances[max(made)])
        later = sum_of_later / (PACK - MAX_HAND)
        drawn = FLUSH_DRAW * max(flush, later) + (1 - FLUSH_DRAW) * later
        suited = chances[by_key[key, 1]]
        worth[key] = [
            NOW * now + LATER * later,
            NOW * now + LATER * drawn,
            NOW * suited + LATER * max(suited, later),
        ]
        total += count * worth[key, 0]
        hands += count
    return total / hands


class Search(BeliefSearch):
    """The search in deals with one number of seats."""

    WORLDS: ClassVar[int] = 256
    STANDARD_ERRORS: ClassVar[float] = 0.5

    def __init__(self, info: Info, seats: int) -> None:
        assert isinstance(info.rules, ExchangeRules)
        super().__init__(info, prepare(info.rules, seats), np.zeros(3, DEAL), MEMORY, search)
        self.size = info.rules.hand_size

    def find_number(self, action: Action) -> int:
        """Return the number of an action."""
        if len(action.take) == 1:
            return self.size * action.give[0] + action.take[0]
        return {"pass": PASS, "knock": KNOCK, "turn": TURN}.get(action.kind, WHOLE)

    def find_action(self, view: View, number: int) -> Action:
        return next(action for action in view.legal if self.find_number(action) == number)

    def write_deal(self, view: ExchangeView, rng: Random) -> None:
        """Write a deal that the view allows, the actions done in it, and what the seat does not see."""
        order, places, memory, deal = view.order, self.places, self.memory, self.deals[0]
        sampled: Any = view.sample(rng).deal
        deal["widow"][: self.size] = [places[card] for card in sampled.table_dealt]
        actions = [self.find_number(event.action) for event in sampled.log if event.seat is not None]
        self.actions, self.past = np.array(actions, np.int64), np.zeros(len(actions), DEAL)
        known = [view.hand if seat == view.seat else view.known[seat] for seat in order]
        for place, seat in enumerate(order):
            deal["hands"][place][: self.size] = [places[card] for card in sampled.dealt[seat]]
            is_hidden = [card not in known[place] for card in sampled.hands[seat]]
            memory["is_hidden"][place][: self.size] = is_hidden
        memory["is_covered"][: self.size] = [card is HIDDEN for card in view.widow]
        seen = {*view.widow}.union(*known)
        unseen = [place for card, place in places.items() if card not in seen]
        memory["unseen"][: len(unseen)], memory["unseen_size"] = unseen, len(unseen)


def find_search(info: Info) -> Callable[[int], BeliefSearch]:
    """Return a function that makes the search for a number of seats."""
    return partial(Search, info)
