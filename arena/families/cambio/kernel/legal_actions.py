"""The legal actions of a decision on arrays, in the order of `arena.families.cambio.actions`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.cambio.kernel.layout import (
    DRAW_AGAIN,
    PEEK_ANY,
    PEEK_OTHER,
    PEEK_OWN,
    SEVERAL,
    SWAP_ANY,
)
from arena.games.kernel.compilation import compiled
from arena.games.kernel.legal_action_list import add_choice

SEVERAL_BITS = np.array([sum([1 << slot for slot in slots]) for slots in SEVERAL])
MAX_HAND_FOR_SEVERAL = 5


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
