"""Legal actions as bits of a number, for families with few actions: the order is that of the view's."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.opponents import draw_random


@compiled
def is_legal(tables: Any, match: Any, action: int) -> bool:
    """Return whether an action is legal; it may be any number."""
    return bool(0 <= action < 63 and (match.legal >> action) & 1)


@compiled
def choose_bit(bits: Any, is_random: bool, bot: Any, room: Any) -> Any:
    """Return the place of a bit that is set: of any, as the `random` bot chooses, or of the last."""
    count = 0
    left = bits
    while left:
        count += left & 1
        left >>= 1
    number = draw_random(bot, count, room) if is_random else count - 1
    place = np.int64(0)
    while number or not (bits >> place) & 1:
        number -= (bits >> place) & 1
        place += 1
    return place


@compiled
def write_mask(tables: Any, match: Any, mask: Any) -> None:
    """Write 1 for each legal action and 0 for the others."""
    for place in range(len(mask)):
        mask[place] = (match.legal >> place) & 1
