"""Places in the tables by action and by row of legal actions, which are one array of numbers.

Each action has its kind, how many cards it exchanges, and the slots of the hand and of the widow. Each row
has the number of its legal actions, the default, the kinds as bits, the actions in the order of the view, and
by action whether it is legal.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.exchange.kernel.layout import MAX_HAND
from arena.games.kernel.compilation import compiled

KIND: Final = 0
COUNT: Final = 1
GIVE: Final = 2
TAKE: Final = GIVE + MAX_HAND
ACTION_WIDTH: Final = TAKE + MAX_HAND

SIZE: Final = 0
DEFAULT: Final = 1
KINDS: Final = 2
ORDER: Final = 3


@compiled
def action_kind(tables: Any, action: int) -> Any:
    """Return what an action does, one of the kinds of `layout`."""
    return np.int64(tables.actions[action * ACTION_WIDTH + KIND])


@compiled
def exchange_size(tables: Any, action: int) -> Any:
    """Return how many cards an action exchanges."""
    return np.int64(tables.actions[action * ACTION_WIDTH + COUNT])


@compiled
def given_slot(tables: Any, action: int, place: int) -> Any:
    return np.int64(tables.actions[action * ACTION_WIDTH + GIVE + place])


@compiled
def taken_slot(tables: Any, action: int, place: int) -> Any:
    return np.int64(tables.actions[action * ACTION_WIDTH + TAKE + place])


@compiled
def row_start(tables: Any, row: int) -> Any:
    """Return where a row of legal actions begins."""
    rules = tables.rules
    return np.int64(rules.legal_at + row * (ORDER + 2 * rules.action_count))


@compiled
def count_legal(tables: Any, row: int) -> Any:
    return np.int64(tables.actions[row_start(tables, row) + SIZE])


@compiled
def default_action(tables: Any, row: int) -> Any:
    """Return the action that is played where nobody is asked."""
    return np.int64(tables.actions[row_start(tables, row) + DEFAULT])


@compiled
def legal_kinds(tables: Any, row: int) -> Any:
    """Return the kinds of the legal actions as bits."""
    return np.int64(tables.actions[row_start(tables, row) + KINDS])


@compiled
def legal_action(tables: Any, row: int, place: int) -> Any:
    """Return the legal action at that place of the view's."""
    return np.int64(tables.actions[row_start(tables, row) + ORDER + place])


@compiled
def is_legal(tables: Any, match: Any, action: int) -> bool:
    """Return whether an action is legal; it may be any number."""
    count = tables.rules.action_count
    start = row_start(tables, match.legal) + ORDER + count
    return bool(0 <= action < count and tables.actions[start + action])


@compiled
def write_mask(tables: Any, match: Any, mask: Any) -> None:
    """Write 1 for each legal action and 0 for the others."""
    count = tables.rules.action_count
    start = row_start(tables, match.legal) + ORDER + count
    for action in range(count):
        mask[action] = tables.actions[start + action]
