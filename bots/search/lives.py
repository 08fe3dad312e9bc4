"""Search at `lives` and `pounce`: its compiled deals, and a fast `tuned` that plays them.

The others are taken to play as `tuned` does, with constants like those of `counter`. A hand that one may hold
weighs as much as its turns in this deal are likely with that hand.

Seats are places in the order of turns, the eldest 0; cards are places in the pack of 52. An action is the
number of the way to exchange, 3 * the slot of the hand + the slot of the widow, or PASS or KNOCK: its place
among the legal actions of the rules.
"""

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations, permutations
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from arena.families.exchange.view import ExchangeView
from arena.games import View, variant
from arena.games.action import Action
from arena.play import Info
from bots.search.belief_search import (
    CANDIDATES,
    MAX_TRIES,
    NO_ACTION,
    NOT_EVALUATED,
    SOURCES,
    BeliefSearch,
    best_reachable,
    draw_hand,
    draw_left,
    find_likelihood,
    find_strengths,
    list_candidates,
    list_hand_fields,
    make_memory_type,
    make_sampling,
    make_search,
    write_unseen,
)
from bots.tuned import (
    CERTAIN,
    GAIN,
    KNOCK_AT,
    MAX_CONSIDERED,
    RISE,
    START,
    UNSEEN,
    WIDOW,
    chances_by_strength,
    load_constants,
)
from bots.tuned import MAX_SEATS as MAX_FITTED

from arena.games.kernel.compilation import cached, compiled, digest_sources  # isort: skip (checked for numba)
from arena.games.kernel.layout import MAX_SEATS

LIVES: Final = variant("lives")
PACK: Final = 52
PASS: Final = 9
KNOCK: Final = 10
EXCHANGES_AND_PASS: Final = 10
NOBODY: Final = -1
ROUNDS: Final = 20
"""Rounds without a knock after which a deal ends."""
MAX_TURNS: Final = 1024
LEVELS: Final = 17
"""Number of chances at which the potential of three cards is tabulated; others are interpolated."""
MAX_STEPS: Final = 40_000
"""Number of actions in playouts after which no more worlds are drawn."""
SEARCHED: Final = {"exchange", "pass", "knock"}
"""Kinds of actions that it knows: at `pounce` it plays until somebody has pounced or may."""

DEAL: Final = np.dtype(
    [
        ("seats", "i8"),
        ("turn", "i8"),  # turns so far
        ("max_turns", "i8"),  # without a knock
        ("passes", "i8"),  # in a row
        ("knocker", "i8"),
        ("widow", "i1", (3,)),
        ("hands", "i1", (MAX_SEATS, 3)),
        ("known", "i1", (MAX_SEATS, 3)),  # whether all others know the card
    ],
    align=True,
)
"""Data type of the state of a deal."""
TURN: Final = np.dtype(
    [
        ("action", "i8"),  # an exchange: the slot of the widow
        ("given", "i8"),
        ("taken", "i8"),
        ("knocker", "i8"),  # before the turn
        ("widow", "i1", (3,)),  # before the turn
    ],
    align=True,
)
"""A turn taken in the deal."""
MEMORY: Final = make_memory_type(
    CANDIDATES, ("values", "f8", (KNOCK + 1,)), ("made", "i8", (KNOCK + 1,)), *list_hand_fields(3)
)


class Tables(NamedTuple):
    """Tables about hands for one number of seats in the deal; they do not change."""

    strengths: Any
    """Strength by three cards; larger is better, equal hands have the same."""
    triples: Any
    """Number among all sets of three, by three cards in any order."""
    chances: Any
    """Chance not to have the worst hand of all seats, by strength."""
    chances_of: Any
    """The same chance, by the number of other hands that count and by strength."""
    level: Any
    """Highest level that the chance of a hand reaches, by strength."""
    fraction: Any
    """Share of the way from that level to the next, by strength."""
    potentials: Any
    """Mean chance of the best hand with one more card, at least the level's, by triple and level."""
    own: Any
    """Constants of `tuned`."""
    others: Any
    """Constants of the model of the other players, close to `counter`."""


@cache
def build_tables(seats: int) -> Tables:
    """Return the tables for `seats` seats in the deal."""
    strengths = find_strengths(LIVES)
    chances_of = np.array([chances_by_strength(LIVES, others + 1) for others in range(seats)]) / CERTAIN
    chances = chances_of[seats - 1]
    levels = 1 - (1 - np.linspace(0, 1, LEVELS)) ** 2  # dense where most chances are, near 1
    level = np.minimum(np.searchsorted(levels, chances, side="right") - 1, LEVELS - 2)
    triples = np.zeros((PACK, PACK, PACK), np.int16)
    sets = list(combinations(range(PACK), 3))
    for number, card_set in enumerate(sets):
        for order in permutations(card_set):
            triples[order] = number
    return Tables(
        strengths,
        triples,
        chances,
        chances_of,
        level,
        (chances - levels[level]) / (levels[level + 1] - levels[level]),
        _compute_potentials(strengths, chances, levels, np.array(sets)),
        np.array(msgspec.structs.astuple(load_constants("lives")[min(seats, MAX_FITTED)])),
        np.array(msgspec.structs.astuple(START), np.float64),
    )


def _compute_potentials(strengths: Any, chances: Any, levels: Any, sets: Any) -> Any:
    a, b, c = sets.T
    potentials = np.zeros((len(sets), LEVELS), np.float32)
    for card in range(PACK):
        made = np.maximum(strengths[a, b, c], strengths[a, b, card])
        made = np.maximum(made, np.maximum(strengths[a, c, card], strengths[b, c, card]))
        is_other = (sets != card).all(axis=1)[:, None]
        potentials += is_other * np.maximum(chances[made][:, None], levels) / (PACK - 3)
    return potentials


# --- a deal ---


@compiled
def take_turn(deal: Any, action: int) -> bool:
    """Do an action; return whether the deal is over."""
    seat = deal.turn % deal.seats
    deal.turn += 1
    if action == PASS:
        deal.passes += 1
    else:
        deal.passes = 0
    if action == KNOCK:
        deal.knocker = seat
    elif action != PASS:
        mine, theirs = action // 3, action % 3
        given = deal.hands[seat, mine]
        deal.hands[seat, mine] = deal.widow[theirs]
        deal.widow[theirs] = given
        deal.known[seat, mine] = 1
    if deal.knocker != NOBODY:
        return bool(deal.turn % deal.seats == deal.knocker)
    return bool(deal.passes == 2 * deal.seats or deal.turn == deal.max_turns)


@compiled
def find_losers(tables: Any, deal: Any) -> int:
    """Return the seats of the worst hand as bits."""
    worst = 1 << 14
    losers = 0
    for seat in range(deal.seats):
        hand = deal.hands[seat]
        strength = tables.strengths[hand[0], hand[1], hand[2]]
        if strength < worst:
            worst, losers = strength, 0
        if strength == worst:
            losers |= 1 << seat
    return losers


# --- the fast `tuned` ---


@compiled
def evaluate(tables: Any, constants: Any, hand: Any, widow: Any, now: int) -> float:
    """Return the value of a hand of strength `now` and a widow, as `Tuned.evaluate` does.

    All cards but the hand's count as unseen, and the mean over them is interpolated.
    """
    best = best_reachable(tables.strengths, hand, widow)
    row = tables.potentials[tables.triples[hand[0], hand[1], hand[2]]]
    level = tables.level[best]
    mean = row[level] + tables.fraction[best] * (row[level + 1] - row[level])
    later = constants[WIDOW] * tables.chances[best] + constants[UNSEEN] * mean
    return float((1 - constants[WIDOW] - constants[UNSEEN]) * tables.chances[now] + later)


@compiled
def evaluate_action(tables: Any, constants: Any, hand: Any, widow: Any, action: int, made: int) -> float:
    """Return the value of an exchange or a pass; `made` is the strength of the hand after it."""
    if action == PASS:
        return evaluate(tables, constants, hand, widow, made)
    mine, theirs = action // 3, action % 3
    hand[mine], widow[theirs] = widow[theirs], hand[mine]
    value = evaluate(tables, constants, hand, widow, made)
    hand[mine], widow[theirs] = widow[theirs], hand[mine]
    return value


@compiled
def chance_after_knock(tables: Any, deal: Any, seat: int, strength: int) -> float:
    """Return the chance of a hand if all others have one turn more, as `Tuned.chance_after_knock` does."""
    unknown = deal.seats - 1
    for other in range(deal.seats):
        known = deal.known[other]
        if other != seat and known[0] and known[1] and known[2]:
            if best_reachable(tables.strengths, deal.hands[other], deal.widow) < strength:
                return 1.0
            unknown -= 1
    return float(tables.chances_of[unknown, strength])


@compiled
def find_made(tables: Any, hand: Any, widow: Any, made: Any) -> None:
    """Write the strength of the hand after each exchange and after a pass."""
    a, b, c = hand[0], hand[1], hand[2]
    for slot in range(3):
        card = widow[slot]
        made[slot] = tables.strengths[card, b, c]
        made[3 + slot] = tables.strengths[a, card, c]
        made[6 + slot] = tables.strengths[a, b, card]
    made[PASS] = tables.strengths[a, b, c]


@compiled
def assess(tables: Any, constants: Any, deal: Any, also: int, values: Any, made: Any) -> Any:
    """Evaluate the decision of the seat to act as `tuned_training.assess` does.

    The knock has no value. Returned are the best action but a knock, and by how much the chance after a knock
    is enough for one.
    """
    seat = deal.turn % deal.seats
    hand, widow = deal.hands[seat], deal.widow
    find_made(tables, hand, widow, made)
    if deal.knocker != NOBODY:
        for action in range(EXCHANGES_AND_PASS):
            values[action] = tables.chances[made[action]]
        return np.argmax(made[:EXCHANGES_AND_PASS]), -1.0
    for action in range(EXCHANGES_AND_PASS):
        values[action] = NOT_EVALUATED
    chosen = best = 0
    for considered in range(MAX_CONSIDERED):
        best = -1
        for action in range(EXCHANGES_AND_PASS):
            if values[action] == NOT_EVALUATED and (best < 0 or made[action] > made[best]):
                best = action
        values[best] = evaluate_action(tables, constants, hand, widow, best, made[best])
        if considered == 0 or values[best] > values[chosen]:
            chosen = best
    if 0 <= also <= PASS and values[also] == NOT_EVALUATED:
        values[also] = evaluate_action(tables, constants, hand, widow, also, made[also])
    chances = tables.chances
    gain = max(chances[made[chosen]] - chances[made[PASS]], 0.0)
    enough = constants[KNOCK_AT] + constants[RISE] * (deal.turn // deal.seats) + constants[GAIN] * gain
    return np.int64(chosen), chance_after_knock(tables, deal, seat, made[PASS]) - min(enough, 1.0)


@compiled
def choose_action(tables: Any, constants: Any, deal: Any, values: Any, made: Any) -> Any:
    """Return the action of the fast `tuned`."""
    chosen, surplus = assess(tables, constants, deal, NO_ACTION, values, made)
    return np.int64(KNOCK) if surplus >= 0 and deal.knocker == NOBODY else chosen


# --- the search ---


@compiled
def begin(tables: Any, past: Any, actions: Any, deals: Any, memory: Any) -> Any:
    """Write the cards that the seat to act neither sees nor knows to be in a hand; return the seat."""
    deal = deals[0]
    seat = deal.turn % deal.seats
    seen = np.int64(0)
    for slot in range(3):
        seen |= np.int64(1) << deal.widow[slot]
        for other in range(deal.seats):
            is_hidden = other != seat and not deal.known[other, slot]
            memory.is_hidden[other, slot] = is_hidden
            if not is_hidden:
                seen |= np.int64(1) << deal.hands[other, slot]
    for other in range(deal.seats):
        hidden = memory.is_hidden[other]
        memory.is_sampled[other] = other < deal.turn and hidden[0] + hidden[1] + hidden[2] > 0
    write_unseen(seen, PACK, memory)
    return seat


@compiled
def undo(deal: Any, seat: int, turn: Any) -> Any:
    """Put a hand and the widow back as they were before a turn, and return the action."""
    action = turn.action
    for slot in range(3):
        deal.widow[slot] = turn.widow[slot]
        if turn.action < PASS and deal.hands[seat, slot] == turn.taken:
            deal.hands[seat, slot] = turn.given
            action = 3 * slot + turn.action
    return action


@compiled
def weigh_turn(tables: Any, deal: Any, action: int, memory: Any) -> float:
    """Return how likely the seat to act is to do an action."""
    best, surplus = assess(tables, tables.others, deal, action, memory.values, memory.made)
    loss = 0.0 if action == KNOCK else memory.values[best] - memory.values[action]
    return find_likelihood(deal.knocker == NOBODY, action == KNOCK, surplus, loss)


@compiled
def weigh_hand(tables: Any, past: Any, actions: Any, deals: Any, seat: int, memory: Any) -> float:
    """Return how likely a seat's turns are with its hand in `deals[1]`; they are taken back one by one."""
    deals[2] = deals[1]
    deal = deals[2]
    for other in range(deal.seats):
        for slot in range(3):
            deal.known[other, slot] = 0  # then the cards of others count for nothing
    weight = 1.0
    for number in range(deal.turn - 1, -1, -1):
        if number % deal.seats == seat:
            deal.turn = number
            deal.knocker = past[number].knocker
            weight *= weigh_turn(tables, deal, undo(deal, seat, past[number]), memory)
    return weight


@compiled
def draw_world(tables: Any, deal: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with."""
    taken = np.int64(0)
    for _ in range(MAX_TRIES):  # then cards may be in two hands; it happens hardly ever
        taken = np.int64(1) << 62  # no card: never 0 unless a hand was refused
        for other in range(deal.seats):
            if other != seat and memory.weights[other, -1] > 0 and taken:
                taken = draw_hand(deal, other, taken, 3, memory)
        if taken:
            break
    drawn = 0
    for other in range(deal.seats):
        for slot in range(3):
            if memory.is_hidden[other, slot] and memory.weights[other, -1] == 0:
                deal.hands[other, slot], drawn = draw_left(taken, drawn, memory)


@compiled
def play_out(tables: Any, deal: Any, action: int, memory: Any) -> float:
    """Play a deal to its end, by the fast `tuned` after the first action; return its value to the seat.

    A token that the seat loses counts -1, one that another loses 1 over the number of the others.
    """
    seat = deal.turn % deal.seats
    is_over = take_turn(deal, action)
    while not is_over:
        memory.steps += 1
        constants = tables.own if deal.turn % deal.seats == seat else tables.others
        is_over = take_turn(deal, choose_action(tables, constants, deal, memory.values, memory.made))
    losers = find_losers(tables, deal)
    value = 0.0
    for other in range(deal.seats):
        if (losers >> other) & 1:
            value += -1.0 if other == seat else 1 / (deal.seats - 1)
    return value


@compiled
def find_candidates(tables: Any, deal: Any, memory: Any) -> Any:
    """Write the action of the fast `tuned`, a knock and the next best; return how many they are.

    It is the first alone where nobody plays after it.
    """
    best, surplus = assess(tables, tables.own, deal, NO_ACTION, memory.values, memory.made)
    knock = KNOCK if deal.knocker == NOBODY else NO_ACTION
    count = list_candidates(memory.values[:EXCHANGES_AND_PASS], best, knock, surplus, memory.candidates)
    return np.int64(1) if (deal.turn + 1) % deal.seats == deal.knocker else count


find_best: Final = make_search(
    begin, find_candidates, make_sampling(weigh_hand), draw_world, play_out, MAX_STEPS
)


def _compile_search(sources: int) -> Any:
    @cached
    def search(tables: Any, past: Any, actions: Any, deals: Any, worlds: int, z: float, memory: Any) -> Any:
        sources  # noqa: B018 (part of the key)
        return find_best(tables, past, actions, deals, worlds, z, memory)

    return search


search: Final = _compile_search(digest_sources(*SOURCES))


class Search(BeliefSearch):
    """The search in deals with one number of seats."""

    def __init__(self, info: Info, seats: int) -> None:
        super().__init__(info, build_tables(seats), np.zeros(3, DEAL), MEMORY, search)
        self.past = np.zeros(MAX_TURNS, TURN)

    def act(self, view: Any, rng: Random, worlds: int, z: float) -> Action | None:
        kinds = {view.legal[0].kind, *[event.action.kind for event in view.past]}
        return super().act(view, rng, worlds, z) if kinds <= SEARCHED else None

    def find_action(self, view: View, number: int) -> Action:
        return view.legal[number]

    def write_deal(self, view: ExchangeView, rng: Random) -> None:
        """Write the deal as the seat knows it, and the turns taken."""
        order, deal = view.order, self.deals[0]
        deal["seats"] = len(order)
        deal["max_turns"] = ROUNDS * len(order)
        deal["widow"] = [self.places[card] for card in view.widow]
        deal["knocker"] = NOBODY
        deal["known"] = 0
        passes = 0
        shown: list[Any] = []  # the cards of this seat that the others know
        for number, turn in enumerate(view.turns()):
            row, kind = self.past[number], turn.action.kind
            row["knocker"] = deal["knocker"]
            row["widow"] = [self.places[card] for card in turn.widow]
            passes = passes + 1 if kind == "pass" else 0
            if kind == "exchange":
                given, taken = turn.cards
                row["action"] = turn.action.take[0]
                row["given"], row["taken"] = self.places[given], self.places[taken]
                if turn.seat == view.seat:
                    shown = [card for card in shown if card != given] + [taken]
            else:
                row["action"] = KNOCK if kind == "knock" else PASS
            if kind == "knock":
                deal["knocker"] = order.index(turn.seat)
        deal["passes"] = passes
        deal["turn"] = len(view.turns())
        known = view.known
        for place, seat in enumerate(order):
            cards = view.hand if seat == view.seat else known[seat]
            for slot, card in enumerate(cards):
                deal["hands"][place][slot] = self.places[card]
                deal["known"][place][slot] = seat != view.seat or card in shown


def find_search(info: Info) -> Callable[[int], BeliefSearch]:
    """Return a function that makes the search for a number of seats."""
    return partial(Search, info)
