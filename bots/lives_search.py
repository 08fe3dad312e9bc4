"""Search in deals of `lives`, compiled: what the others may hold, and which action does best against that.

The others are taken to play as `tuned` does, with constants like those of `counter`. A hand that one may hold
weighs as much as its turns in this deal are likely with that hand. Candidates are played out to the end of
the deal in the same sampled worlds.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np

from bots.belief_search import (
    CANDIDATES,
    HANDS,
    NO_ACTION,
    choose_candidate,
    draw_hand,
    draw_unseen,
    find_likelihood,
    list_candidates,
    list_comparison_fields,
    make_comparison,
)

from bots.lives_deals import (  # isort: skip (it checks for numba)
    DEAL,
    EXCHANGES_AND_PASS,
    KNOCK,
    MAX_DEALT,
    NOBODY,
    PACK,
    PASS,
    assess,
    choose_action,
    find_losers,
    take_turn,
)

from arena.games.kernel.compilation import cached, compiled, digest_sources  # isort: skip

MAX_TURNS: Final = 1024
MAX_TRIES: Final = 30
MAX_STEPS: Final = 40_000
"""Number of actions in playouts after which no more worlds are drawn."""

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
        ("steps", "i8"),  # actions in playouts
        ("unseen", "i8", (PACK,)),
        ("unseen_size", "i8"),
        ("values", "f8", (KNOCK + 1,)),
        ("made", "i8", (KNOCK + 1,)),
        ("hands", "i1", (MAX_DEALT, HANDS, 3)),
        ("weights", "f8", (MAX_DEALT, HANDS)),  # summed up
        *list_comparison_fields(CANDIDATES),
    ],
    align=True,
)
"""Memory of a search."""


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
    """Return how likely the seat to act is to do an action."""
    best, surplus = assess(tables, tables.others, deal, action, memory.values, memory.made)
    loss = 0.0 if action == KNOCK else memory.values[best] - memory.values[action]
    return find_likelihood(deal.knocker == NOBODY, action == KNOCK, surplus, loss)


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
def draw_world(tables: Any, deal: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with."""
    taken = np.int64(0)
    for _ in range(MAX_TRIES):  # then cards may be in two hands; it happens hardly ever
        taken = np.int64(1) << 62  # no card: never 0 unless a hand was refused
        for other in range(deal.seats):
            if other != seat and memory.weights[other, HANDS - 1] > 0 and taken:
                taken = draw_hand(deal, other, taken, 3, memory)
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
    """Write the action of the fast `tuned`, a knock and the next best; return how many they are."""
    best, surplus = assess(tables, tables.own, deal, NO_ACTION, memory.values, memory.made)
    knock = KNOCK if deal.knocker == NOBODY else NO_ACTION
    return list_candidates(memory.values[:EXCHANGES_AND_PASS], best, knock, surplus, memory.candidates)


compare: Final = make_comparison(draw_world, play_out, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    @cached
    def search(tables: Any, past: Any, worlds: Any, max_worlds: int, z: float, memory: Any) -> Any:
        """Return the best action of the seat to act.

        Args:
            tables: Those for the seats in the deal.
            past: The turns taken, see `TURN`.
            worlds: The deal as the seat knows it, other hands unknown, and memory of two deals.
            max_worlds: Sampled worlds.
            z: Standard errors by which an action must be better than that of the fast `tuned`.
            memory: See `MEMORY`; its `state` is the seed.
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
        played = compare(tables, worlds, seat, count, max_worlds, memory)
        return choose_candidate(count, played, z, memory)

    return search


SOURCES: Final = ("belief_search.py", "lives_deals.py", "lives_search.py", "tuned.py", "tuned_training.py")
search: Final = _compile_search(digest_sources(*(Path(__file__).with_name(name) for name in SOURCES)))


def new_deals() -> Any:
    """Return the memory of three deals."""
    return np.zeros(3, DEAL)


def new_past() -> Any:
    """Return the memory of the turns of a deal."""
    return np.zeros(MAX_TURNS, TURN)


def new_memory() -> Any:
    """Return the memory of a search."""
    return np.zeros(1, MEMORY)[0]
