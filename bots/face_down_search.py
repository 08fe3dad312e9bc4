"""Search at `bastard-brag` and `whisky-poker`, compiled: as in `lives_search`, on deals of `face_down_deals`.

Hands that others may hold are weighed by the turns that they have had since their last card not known came.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.games import Rules
from arena.games.action import Action
from bots.belief_search import (
    CANDIDATES,
    HANDS,
    MAX_WEIGHED_TURNS,
    MIN_HANDS,
    NO_ACTION,
    choose_candidate,
    draw,
    draw_hand,
    draw_left,
    draw_unseen,
    find_likelihood,
    list_candidates,
    list_comparison_fields,
    make_comparison,
)

from bots.face_down_deals import (  # isort: skip (it checks for numba)
    ACTIONS,
    DEAL,
    KNOCK,
    MAX_HAND,
    PACK,
    PASS,
    TURN,
    WHOLE,
    apply_action,
    assess,
    begin,
    choose_action,
    find_value,
)
from bots.face_down_tables import Preparation  # isort: skip

from arena.games.kernel.compilation import cached, compiled, digest_sources  # isort: skip
from arena.games.kernel.layout import MAX_SEATS

MAX_TRIES: Final = 30
"""Limit on the hands drawn for a seat in search of one whose cards are free; then it gets any cards left."""
MAX_STEPS: Final = 8_000
"""Number of actions in playouts after which no more worlds are drawn."""

MEMORY: Final = np.dtype(
    [
        ("state", "u8"),  # of the generator of random numbers
        ("steps", "i8"),  # actions in playouts
        ("unseen", "i8", (PACK,)),
        ("unseen_size", "i8"),
        ("is_hidden", "i1", (MAX_SEATS, MAX_HAND)),  # by seat and slot, from the seat that searches
        ("is_covered", "i1", (MAX_HAND,)),  # whether it does not know the card of the widow
        ("values", "f8", (ACTIONS,)),
        ("hands", "i1", (MAX_SEATS, HANDS, MAX_HAND)),
        ("weights", "f8", (MAX_SEATS, HANDS)),  # summed up
        *list_comparison_fields(CANDIDATES),
    ],
    align=True,
)
"""Memory of a search."""


@compiled
def weigh_turn(tables: Any, deal: Any, action: int, memory: Any) -> float:
    """Return how likely the seat to act is to do an action."""
    best, knock, surplus = assess(tables, deal, memory.values)
    loss = 0.0 if action == KNOCK else memory.values[best] - memory.values[action]
    return find_likelihood(knock != NO_ACTION, action == KNOCK, surplus / tables.scale, loss / tables.scale)


@compiled
def find_first_turn(tables: Any, deal: Any, seat: int, memory: Any) -> Any:
    """Return the number of the turn from which a seat has held all cards that are hidden."""
    first = 0
    for slot in range(tables.size):
        if memory.is_hidden[seat, slot]:
            first = max(first, deal.since[seat, slot])
    return first


@compiled
def sample_hands(tables: Any, past: Any, actions: Any, deal: Any, seat: int, memory: Any) -> None:
    """Sample hands of a seat, with their weights."""
    first, total = find_first_turn(tables, deal, seat, memory), 0.0
    hands = max(MIN_HANDS, min(HANDS, MAX_WEIGHED_TURNS // max(1, len(actions))))
    for number in range(hands):
        drawn = 0
        for slot in range(tables.size):
            memory.hands[seat, number, slot] = deal.hands[seat, slot]
            if memory.is_hidden[seat, slot]:
                memory.hands[seat, number, slot] = draw_unseen(memory, drawn)
                drawn += 1
        weight = 1.0
        for turn in range(first, len(actions)):
            before = past[turn]
            if before.to_act == seat:
                for slot in range(tables.size):
                    if memory.is_hidden[seat, slot]:
                        before.hands[seat, slot] = memory.hands[seat, number, slot]
                weight *= weigh_turn(tables, before, actions[turn], memory)
        total += weight
        memory.weights[seat, number] = total
    memory.weights[seat, hands:] = total


@compiled
def draw_sampled(tables: Any, deal: Any, seat: int, taken: Any, memory: Any) -> Any:
    """Draw a hand of those sampled with no card of `taken`; return the cards taken then, as bits, or 0."""
    taken_after = np.int64(0)
    for _ in range(MAX_TRIES if memory.weights[seat, HANDS - 1] > 0 else 0):
        if not taken_after:
            taken_after = draw_hand(deal, seat, taken, tables.size, memory)
    return taken_after


@compiled
def draw_world(tables: Any, deal: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with, and the widow unseen cards where it is covered."""
    taken = np.int64(1) << 62  # no card: never 0
    left = 0
    start = draw(memory, tables.seats)
    for distance in range(tables.seats):
        other = (start + distance) % tables.seats
        if other != seat:
            taken_after = draw_sampled(tables, deal, other, taken, memory)
            taken = taken_after or taken
            left |= (taken_after == 0) << other
    drawn = 0
    for other in range(tables.seats):
        for slot in range(tables.size):
            if (left >> other) & 1 and memory.is_hidden[other, slot]:
                deal.hands[other, slot], drawn = draw_left(taken, drawn, memory)
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


compare: Final = make_comparison(draw_world, play_out, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    @cached
    def search(
        tables: Any, past: Any, actions: Any, worlds: Any, max_worlds: int, z: float, memory: Any
    ) -> Any:
        """Return the number of the best action of the seat to act.

        Args:
            tables: Those for the seats in the deal.
            past: Memory of as many deals as actions.
            actions: The numbers of those done in the deal.
            worlds: Memory of three deals, the first with the cards dealt in one that is possible.
            max_worlds: Sampled worlds.
            z: Standard errors by which an action must be better than the most valuable one.
            memory: See `MEMORY`; `state` is the seed, and it has what is not seen.
        """
        sources  # noqa: B018 (part of the key)
        deal = worlds[0]
        begin(tables, deal)
        for number in range(len(actions)):
            past[number] = deal
            apply_action(tables, deal, actions[number])
        best, knock, surplus = assess(tables, deal, memory.values)
        count = list_candidates(memory.values, best, knock, surplus, memory.candidates)
        if count == 1:
            return memory.candidates[0]
        seat = deal.to_act
        for other in range(tables.seats):
            memory.weights[other, HANDS - 1] = 0
            if other != seat:
                sample_hands(tables, past, actions, deal, other, memory)
        played = compare(tables, worlds, seat, count, max_worlds, memory)
        return choose_candidate(count, played, z, memory)

    return search


SOURCES: Final = ("belief_search.py", "face_down_deals.py", "face_down_search.py", "face_down_tables.py")
DIGEST: Final = digest_sources(*(Path(__file__).with_name(name) for name in SOURCES))
search: Final = _compile_search(DIGEST)
prepare: Final = cache(Preparation)


class CompiledSearch:
    """The search in deals with one number of seats, and its memory."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.tables = prepare(rules, seats).tables
        self.worlds = np.zeros(3, DEAL)
        self.memory = np.zeros(1, MEMORY)[0]
        self.size = rules.hand_size

    def find_number(self, action: Action) -> int:
        """Return the number of an action."""
        if len(action.take) == 1:
            return self.size * action.give[0] + action.take[0]
        return {"pass": PASS, "knock": KNOCK, "turn": TURN}.get(action.kind, WHOLE)

    def write(self, hands: list[list[int]], widow: list[int], actions: list[Action]) -> None:
        """Write a deal: the hands and the widow as they were dealt, the actions done."""
        for seat, hand in enumerate(hands):
            self.worlds[0]["hands"][seat][: self.size] = hand
        self.worlds[0]["widow"][: self.size] = widow
        self.actions = np.array([self.find_number(action) for action in actions], np.int64)
        self.past = np.zeros(len(actions), DEAL)

    def write_hidden(self, is_hidden: list[list[bool]], is_covered: list[bool], unseen: list[int]) -> None:
        """Write what the seat to act does not see: which cards in hands and widow, and all such cards."""
        memory = self.memory
        for seat, slots in enumerate(is_hidden):
            memory["is_hidden"][seat][: self.size] = slots
        memory["is_covered"][: self.size] = is_covered
        memory["unseen"][: len(unseen)] = unseen
        memory["unseen_size"] = len(unseen)

    def choose(self, max_worlds: int, z: float, seed: int) -> int:
        """Return the number of the best action of the seat to act; arguments as those of `search`."""
        self.memory["state"] = seed
        return int(search(self.tables, self.past, self.actions, self.worlds, max_worlds, z, self.memory))
