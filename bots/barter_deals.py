"""Deals of a barter game between two, compiled for its solver, `barter_equilibrium_training`.

They go by the arena's compiled rules. In each deal one seat learns: in some turns it tries all of its
choices, and adds to their regrets what each wins more than its play does. What else is done is drawn from the
play.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from arena.errors import import_optional
from bots.barter_equilibrium import ANSWER, CHOICES, GO_ON, STAND, TURN

import_optional("numba", "vector")
from numba import njit  # noqa: E402

from arena.families.barter.kernel.matches import HAND_SIZE  # noqa: E402
from bots.barter_tables import (  # noqa: E402
    DEALER,
    ELDEST,
    MAX_CHIPS,
    apply_choice,
    begin_deal,
    count_turns,
    find_hand_class,
    find_phase,
    find_row,
)

TRIED_TURNS: Final = 3
"""Turns in a row in which the seat that learns tries all of its actions."""
TRIED_AT_ONCE: Final = 0.3
"""Share of deals in which these are the first turns."""
LATER: Final = 0.8
"""Chance of each later turn to be passed over in the other deals."""
EXPLORED: Final = 0.1
"""Share of actions drawn at random, of the seat that learns before the turns in which it tries all."""
PRUNED: Final = -5.0
"""Regret below which an action is tried only in some deals."""
PRUNED_SHARE: Final = 0.9
"""Share of deals in which such an action is not tried."""
MAX_DEPTH: Final = 2 * TRIED_TURNS + 1
"""Records of a deal kept: a seat acts at most twice a turn."""

compiled: Final = njit(error_model="numpy")


class Memory(NamedTuple):
    """Memory of the solver."""

    matches: Any
    chances: Any
    values: Any
    is_tried: Any
    room: Any
    """Memory that the compiled rules need."""


@compiled
def list_chances(tables: Any, phase: Any, hand_class: Any, weights: Any, chances: Any) -> None:
    """Write the chance of each choice by its positive weight, -1 for one that there is not."""
    total, count = 0.0, 0
    for choice in range(len(CHOICES)):
        is_choice = choice == STAND
        if phase == TURN:
            is_choice |= tables.is_given[hand_class, choice % HAND_SIZE]
        elif phase == ANSWER:
            is_choice |= choice >= HAND_SIZE and tables.is_given[hand_class, choice % HAND_SIZE]
        else:
            is_choice |= choice == GO_ON
        chances[choice] = max(weights[choice], 0.0) if is_choice else -1.0
        if is_choice:
            total += chances[choice]
            count += 1
    for choice in range(len(CHOICES)):
        if chances[choice] >= 0:
            chances[choice] = chances[choice] / total if total > 0 else 1 / count


@compiled
def explore(chances: Any) -> None:
    """Let each choice be drawn now and then."""
    count = 0
    for choice in range(len(CHOICES)):
        count += chances[choice] >= 0
    for choice in range(len(CHOICES)):
        if chances[choice] >= 0:
            chances[choice] = (1 - EXPLORED) * chances[choice] + EXPLORED / count


@compiled
def add_chances(chances: Any, totals: Any) -> None:
    """Add the chances of all choices that there are."""
    for choice in range(len(CHOICES)):
        totals[choice] += max(chances[choice], 0.0)


@compiled
def draw_choice(chances: Any) -> int:
    """Return a choice drawn by chances."""
    left, drawn = np.random.random(), STAND
    for choice in range(len(CHOICES)):
        if chances[choice] > 0:
            drawn = choice
            left -= chances[choice]
            if left < 0:
                break
    return drawn


@compiled
def visit(
    tables: Any,
    memory: Any,
    depth: int,
    learner: int,
    first: int,
    ends: Any,
    regrets: Any,
    totals: Any,
    fixed: Any,
) -> float:
    """Play `matches[depth]` to the end of its deal; return the eldest's value, and learn from what is tried.

    Args:
        tables: The tables of the game.
        memory: Memory; the matches beyond the depth are overwritten.
        depth: How many actions that were tried have led here.
        learner: The seat that learns; none if it is neither.
        first: The first turn in which it tries all actions.
        ends: Values by the eldest's lead in chips after the deal, from `-MAX_CHIPS`.
        regrets: Sums of regrets by row and choice.
        totals: Sums of the chances with which the other seat chose; none are added where play is fixed.
        fixed: Weights of the play of a seat that does not learn; empty if it follows its regrets.
    """
    match = memory.matches[depth]
    while not match.is_over:
        seat, turn = match.to_act, count_turns(match)
        hand_class = find_hand_class(tables, match)
        row = find_row(tables, match, hand_class)
        chances = memory.chances[depth]
        is_fixed = seat != learner and len(fixed) > 0
        weights = fixed[row] if is_fixed else regrets[row]
        list_chances(tables, find_phase(tables, match), hand_class, weights, chances)
        if seat == learner and first <= turn < first + TRIED_TURNS:
            values, is_tried, value = memory.values[depth], memory.is_tried[depth], 0.0
            for choice in range(len(CHOICES)):
                chance = chances[choice]
                is_pruned = chance == 0 and choice != STAND and regrets[row, choice] < PRUNED
                is_tried[choice] = chance >= 0 and not (is_pruned and np.random.random() < PRUNED_SHARE)
                if is_tried[choice]:
                    memory.matches[depth + 1] = match
                    apply_choice(tables, memory.matches[depth + 1], choice, memory.room)
                    values[choice] = visit(
                        tables, memory, depth + 1, learner, first, ends, regrets, totals, fixed
                    )
                    value += chance * values[choice]
            sign = 1.0 if seat == ELDEST else -1.0
            for choice in range(len(CHOICES)):
                if is_tried[choice]:
                    regrets[row, choice] += sign * (values[choice] - value)
            return value
        if seat == learner and turn < first:
            explore(chances)
        if seat != learner and not is_fixed:
            add_chances(chances, totals[row])
        apply_choice(tables, match, draw_choice(chances), memory.room)
    lead = match.chips[ELDEST] - match.chips[DEALER]
    return float(ends[min(max(lead + MAX_CHIPS, 0), 2 * MAX_CHIPS)])


@compiled
def deal_match(tables: Any, match: Any, order: Any, lead: int) -> None:
    """Deal the last deal of a match, to seats of which the eldest leads by as many chips."""
    np.random.shuffle(order)
    match.order[:] = order
    begin_deal(tables, match, lead)


@compiled
def draw_first() -> int:
    """Return the first turn in which a seat tries all of its actions."""
    first = 0
    if np.random.random() >= TRIED_AT_ONCE:
        first = 1
        while np.random.random() < LATER:
            first += 1
    return first


@compiled
def play_deals(
    tables: Any,
    memory: Any,
    seed: int,
    deals: int,
    leads: Any,
    learners: Any,
    ends: Any,
    regrets: Any,
    totals: Any,
    fixed: Any,
    sums: Any,
) -> None:
    """Play deals from each lead in turn, each once for every learner; add the values to the sums by lead."""
    np.random.seed(seed)
    order = np.arange(tables.rules.pack)
    for number in range(deals):
        place = number % len(leads)
        for learner in learners:
            deal_match(tables, memory.matches[0], order, leads[place])
            sums[place] += visit(tables, memory, 0, learner, draw_first(), ends, regrets, totals, fixed)
