"""Legal actions as a list in the order of the view, for families with many actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.opponents import draw_random


@compiled
def add_choice(match: Any, action: Any) -> None:
    match.choices[match.choice_count] = action
    match.choice_count += 1


@inlined
def play_forced(play_action: Any, rules: Any, match: Any, room: Any) -> None:
    """Play the decisions in which only one action is legal: nobody is asked for them."""
    while not match.is_over and match.choice_count == 1:
        play_action(rules, match, match.choices[0], room)


@compiled
def is_legal(tables: Any, match: Any, action: Any) -> bool:
    """Return whether an action is legal; it may be any number."""
    is_among = False
    for place in range(match.choice_count):  # as numba compiles no `any`
        is_among |= match.choices[place] == action
    return is_among


@compiled
def write_mask(tables: Any, match: Any, mask: Any) -> None:
    """Write 1 for each legal action and 0 for the others."""
    for place in range(len(mask)):
        mask[place] = 0
    for place in range(match.choice_count):
        mask[match.choices[place]] = 1


@compiled
def choose_listed(tables: Any, match: Any, is_random: bool, wanted: Any, bot: Any, room: Any) -> Any:
    """Return a legal action: any, as the `random` bot chooses; or the one wanted, else the last."""
    if is_random:
        return np.int64(match.choices[draw_random(bot, match.choice_count, room)])
    return np.int64(wanted if is_legal(tables, match, wanted) else match.choices[match.choice_count - 1])


@compiled
def find_legal_kinds(match: Any, kind_of: Any) -> Any:
    """Return the kinds of the legal actions, as bits."""
    kinds = np.int64(0)
    for place in range(match.choice_count):
        kinds |= np.int64(1) << kind_of[match.choices[place]]
    return kinds
