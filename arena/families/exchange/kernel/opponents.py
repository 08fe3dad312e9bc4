"""The actions that `random`, `greedy` and `stand-pat` choose in the exchange family, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.families.exchange.kernel.action_table_access import (
    action_kind,
    count_legal,
    default_action,
    exchange_size,
    given_slot,
    legal_action,
    taken_slot,
)
from arena.families.exchange.kernel.layout import EXCHANGE, HORSE, KEEP, KNOCK, PASS
from arena.games.kernel.compilation import compiled
from arena.games.kernel.opponents import ASKED, GREEDY, NO_CHOICE, RANDOM, draw_random
from arena.games.kernel.settlement import hand_strength


@compiled
def find_best_exchange(tables: Any, match: Any) -> Any:
    """Return the first legal exchange that makes the best hand, -1 if none betters the hand held."""
    row, hand, widow = match.legal, match.hands[match.to_act], match.widow
    best, chosen = hand_strength(tables, match, match.to_act), -1
    for place in range(count_legal(tables, row)):
        action = legal_action(tables, row, place)
        if action_kind(tables, action) != EXCHANGE:
            break
        a, b, c = hand[0], hand[1], hand[2]
        for swap in range(exchange_size(tables, action)):
            slot, taken = given_slot(tables, action, swap), widow[taken_slot(tables, action, swap)]
            if slot == 0:
                a = taken
            elif slot == 1:
                b = taken
            else:
                c = taken
        strength = tables.rules.strengths[a, b, c]
        if strength > best:
            best, chosen = strength, action
    return np.int64(chosen)


@compiled
def stop_or_pass(tables: Any, match: Any) -> Any:
    """Return the action that ends the deal soonest, or else changes least."""
    row = match.legal
    last = count_legal(tables, row) - 1
    for place in range(last, -1, -1):
        action = legal_action(tables, row, place)
        if action_kind(tables, action) in (KNOCK, PASS, KEEP, HORSE):
            return action
    return legal_action(tables, row, last)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of the seat to act by its policy, `NO_CHOICE` if it is asked and has a choice."""
    row = match.legal
    if count_legal(tables, row) == 1:
        return default_action(tables, row)
    if policy == ASKED:
        return NO_CHOICE
    if policy == RANDOM:
        drawn = draw_random(bot, count_legal(tables, row), room)
        return legal_action(tables, row, drawn)
    if policy == GREEDY and match.looked:
        exchange = find_best_exchange(tables, match)
        if exchange >= 0:
            return exchange
    return stop_or_pass(tables, match)
