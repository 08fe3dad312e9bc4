"""Search in deals of `lives`, compiled: what the others may hold, and which action does best against that.

The others are taken to play as `tuned` does, with constants like those of `counter`. A hand that one may hold
weighs as much as its turns in this deal are likely with that hand. Candidates are played out to the end of
the deal in the same sampled worlds.
"""

from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np

from bots.lives_deals import (  # isort: skip (it checks for numba)
    DEAL,
    EXCHANGES_AND_PASS,
    KNOCK,
    MAX_DEALT,
    NO_ACTION,
    NOBODY,
    NOT_EVALUATED,
    PACK,
    PASS,
    assess,
    choose_action,
    find_losers,
    take_turn,
)

from arena.games.exchange.kernel.compilation import cached, compiled  # isort: skip

MAX_TURNS: Final = 1024
HANDS: Final = 256
"""Hands sampled for each other seat; worlds are drawn from them by weight."""
CANDIDATES: Final = 5
MOVE_SCALE: Final = 0.05
"""Loss of value, in chance, at which an action is half as likely as the best one."""
KNOCK_SCALE: Final = 0.05
"""Surplus of the chance at which a knock is clearly likelier than not."""
MIN_LIKELIHOOD: Final = 0.01
"""Added to each likelihood: nobody plays just like that."""
LOOK_EVERY: Final = 32
"""Worlds after which candidates that are clearly worse are dropped."""
CLEARLY: Final = 2.0
MAX_TRIES: Final = 30

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

MEMORY: Final = np.dtype(
    [
        ("state", "u8"),  # of the generator of random numbers
        ("unseen", "i8", (PACK,)),
        ("unseen_size", "i8"),
        ("values", "f8", (KNOCK + 1,)),
        ("made", "i8", (KNOCK + 1,)),
        ("hands", "i1", (MAX_DEALT, HANDS, 3)),
        ("weights", "f8", (MAX_DEALT, HANDS)),  # summed up
        ("candidates", "i8", (CANDIDATES,)),
        ("is_dropped", "i8", (CANDIDATES,)),
        ("sums", "f8", (CANDIDATES,)),  # of the paired differences to the first candidate
        ("squares", "f8", (CANDIDATES,)),
    ],
    align=True,
)
"""Memory of a search."""


@compiled
def draw(memory: Any, count: int) -> Any:
    """Return a random number below `count`. Source: SplitMix64, Steele, Lea and Flood 2014."""
    memory.state += np.uint64(0x9E3779B97F4A7C15)
    mixed = memory.state
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.int64(((mixed >> np.uint64(33)) * np.uint64(count)) >> np.uint64(31))


@compiled
def draw_unseen(memory: Any, drawn: int) -> Any:
    """Return one more unseen card, where so many of them are drawn already."""
    unseen = memory.unseen
    at = drawn + draw(memory, memory.unseen_size - drawn)
    card = unseen[at]
    unseen[at] = unseen[drawn]
    unseen[drawn] = card
    return card


@compiled
def find_unseen(deal: Any, seat: int, memory: Any) -> None:
    """Write the cards that a seat neither sees nor knows to be in a hand."""
    seen = np.int64(0)
    for slot in range(3):
        seen |= np.int64(1) << deal.widow[slot]
        for other in range(deal.seats):
            if other == seat or deal.known[other, slot]:
                seen |= np.int64(1) << deal.hands[other, slot]
    memory.unseen_size = 0
    for card in range(PACK):
        if not (seen >> card) & 1:
            memory.unseen[memory.unseen_size] = card
            memory.unseen_size += 1


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
    """Return how likely the seat to act is to do an action: rational functions, the same on all machines."""
    best, surplus = assess(tables, tables.others, deal, action, memory.values, memory.made)
    likelihood = 1.0
    if deal.knocker == NOBODY:
        scaled = surplus / KNOCK_SCALE
        likelihood = (1 + scaled / np.sqrt(1 + scaled * scaled)) / 2
        if action != KNOCK:
            likelihood = 1 - likelihood
    if action != KNOCK:
        loss = (memory.values[best] - memory.values[action]) / MOVE_SCALE
        likelihood /= 1 + loss * loss
    return likelihood + MIN_LIKELIHOOD


@compiled
def weigh_hand(tables: Any, past: Any, deal: Any, seat: int, memory: Any) -> float:
    """Return how likely a seat's turns are if it holds its hand in `deal`, which is taken back with them."""
    weight = 1.0
    for number in range(deal.turn - 1, -1, -1):
        if number % deal.seats == seat:
            deal.turn = number
            deal.knocker = past[number].knocker
            weight *= weigh_turn(tables, deal, undo(deal, seat, past[number]), memory)
    return weight


@compiled
def sample_hands(tables: Any, past: Any, worlds: Any, seat: int, memory: Any) -> None:
    """Sample hands of a seat that has had a turn, with their weights."""
    total = 0.0
    for number in range(HANDS):
        worlds[1] = worlds[0]
        deal = worlds[1]
        for other in range(deal.seats):
            for slot in range(3):
                deal.known[other, slot] = 0  # then the cards of others count for nothing
        drawn = 0
        for slot in range(3):
            if not worlds[0].known[seat, slot]:
                deal.hands[seat, slot] = draw_unseen(memory, drawn)
                drawn += 1
            memory.hands[seat, number, slot] = deal.hands[seat, slot]
        total += weigh_hand(tables, past, deal, seat, memory)
        memory.weights[seat, number] = total


@compiled
def draw_hand(deal: Any, seat: int, taken: Any, memory: Any) -> Any:
    """Draw a hand of those sampled; return the cards taken with its own as bits, or 0 if one was taken."""
    weights = memory.weights[seat]
    aim = draw(memory, 1 << 30) / (1 << 30) * weights[HANDS - 1]
    low, high = 0, HANDS - 1
    while low < high:
        middle = (low + high) // 2
        if weights[middle] > aim:
            high = middle
        else:
            low = middle + 1
    for slot in range(3):
        card = memory.hands[seat, low, slot]
        bit = np.int64(1) << card
        if taken & bit:
            return np.int64(0)
        taken |= bit
        deal.hands[seat, slot] = card
    return taken


@compiled
def draw_world(deal: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with."""
    taken = np.int64(0)
    for _ in range(MAX_TRIES):  # then cards may be in two hands; it happens hardly ever
        taken = np.int64(1) << 62  # no card: never 0 unless a hand was refused
        for other in range(deal.seats):
            if other != seat and memory.weights[other, HANDS - 1] > 0 and taken:
                taken = draw_hand(deal, other, taken, memory)
        if taken:
            break
    drawn = 0
    for other in range(deal.seats):
        for slot in range(3):
            if other != seat and memory.weights[other, HANDS - 1] == 0 and not deal.known[other, slot]:
                card = draw_unseen(memory, drawn)
                drawn += 1
                while (taken >> card) & 1:
                    card = draw_unseen(memory, drawn)
                    drawn += 1
                deal.hands[other, slot] = card


@compiled
def play_out(tables: Any, deal: Any, action: int, memory: Any) -> float:
    """Play a deal to its end, by the fast `tuned` after the first action; return its value to the seat.

    A token that the seat loses counts -1, one that another loses 1 over the number of the others.
    """
    seat = deal.turn % deal.seats
    is_over = take_turn(deal, action)
    while not is_over:
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
    """Write the action of the fast `tuned`, a knock and the next best; return how many they are."""
    values, candidates = memory.values, memory.candidates
    best, surplus = assess(tables, tables.own, deal, NO_ACTION, values, memory.made)
    may_knock = deal.knocker == NOBODY
    candidates[0] = KNOCK if may_knock and surplus >= 0 else best
    if candidates[0] != KNOCK:
        values[best] = NOT_EVALUATED
    count = 1
    if may_knock and candidates[0] != KNOCK:
        candidates[1] = KNOCK
        count = 2
    while count < CANDIDATES:
        best = np.argmax(values[:EXCHANGES_AND_PASS])
        if values[best] == NOT_EVALUATED:
            break
        values[best] = NOT_EVALUATED
        candidates[count] = best
        count += 1
    return np.int64(count)


@compiled
def find_lead(memory: Any, place: int, played: int) -> Any:
    """Return by how much a candidate is better than the first on average, and the standard error."""
    mean = memory.sums[place] / played
    return mean, np.sqrt(max(memory.squares[place] / played - mean * mean, 0.0) / played)


@compiled
def drop_worse(memory: Any, count: int, played: int) -> Any:
    """Drop candidates that are clearly worse than the first, or no different; return how many are left."""
    left = 0
    for place in range(1, count):
        mean, error = find_lead(memory, place, played)
        if mean < -CLEARLY * error or memory.squares[place] == 0:
            memory.is_dropped[place] = 1
        left += 1 - memory.is_dropped[place]
    return left


@compiled
def compare(tables: Any, worlds: Any, count: int, max_worlds: int, memory: Any) -> Any:
    """Play the candidates out in the same worlds; return in how many."""
    seat = worlds[0].turn % worlds[0].seats
    for place in range(count):
        memory.is_dropped[place] = 0
        memory.sums[place] = memory.squares[place] = 0
    for number in range(1, max_worlds + 1):
        worlds[1] = worlds[0]
        draw_world(worlds[1], seat, memory)
        first = 0.0
        for place in range(count):
            if not memory.is_dropped[place]:
                worlds[2] = worlds[1]
                value = play_out(tables, worlds[2], memory.candidates[place], memory)
                first = value if place == 0 else first
                memory.sums[place] += value - first
                memory.squares[place] += (value - first) ** 2
        if number % LOOK_EVERY == 0 and drop_worse(memory, count, number) == 0:
            return number
    return max_worlds


def _compile_search(sources: int) -> Any:
    """Return the compiled search."""

    @cached
    def search(tables: Any, past: Any, worlds: Any, max_worlds: int, z: float, memory: Any) -> Any:
        """Return the best action of the seat to act.

        Args:
            tables: those for the seats in the deal.
            past: the turns taken, see `TURN`.
            worlds: the deal as the seat knows it, other hands unknown, and memory of two deals.
            max_worlds: sampled worlds.
            z: standard errors by which an action must be better than that of the fast `tuned`.
            memory: see `MEMORY`; its `state` is the seed.
        """
        sources  # noqa: B018 (part of the key)
        deal = worlds[0]
        seat = deal.turn % deal.seats
        count = find_candidates(tables, deal, memory)
        if deal.knocker != NOBODY and (deal.turn + 1) % deal.seats == deal.knocker:
            return memory.candidates[0]  # nobody plays after it
        find_unseen(deal, seat, memory)
        for other in range(deal.seats):
            known = deal.known[other]
            memory.weights[other, HANDS - 1] = 0
            if other != seat and other < deal.turn and not (known[0] and known[1] and known[2]):
                sample_hands(tables, past, worlds, other, memory)
        played = compare(tables, worlds, count, max_worlds, memory)
        best, lead = 0, 0.0
        for place in range(1, count):
            mean, error = find_lead(memory, place, played)
            if not memory.is_dropped[place] and mean > max(z * error, lead):
                best, lead = place, mean
        return memory.candidates[best]

    return search


def digest_sources() -> int:
    """Return a number that changes with the sources of what is compiled."""
    digest = blake2b(digest_size=7)
    for name in ("lives_deals.py", "lives_search.py", "tuned.py", "tuned_training.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    return int.from_bytes(digest.digest(), "big")


search: Final = _compile_search(digest_sources())


def new_deals() -> Any:
    """Return the memory of three deals."""
    return np.zeros(3, DEAL)


def new_past() -> Any:
    """Return the memory of the turns of a deal."""
    return np.zeros(MAX_TURNS, TURN)


def new_memory() -> Any:
    """Return the memory of a search."""
    return np.zeros(1, MEMORY)[0]
