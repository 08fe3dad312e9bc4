"""The turns of a deal on arrays, as in `arena.families.draw.deal`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY

DRAW_STOCK: Final = 0
"""Number of the first action; the discard of a slot is DISCARD plus the slot."""
TAKE: Final = 1
KNOCK: Final = 2
DISCARD: Final = 3
SHOWN_TOTAL: Final = 62
"""Doubled total of a hand that must be shown at once."""

GOES_ON: Final = 0
"""Results of an action: what becomes of the deal."""
IS_SHOWN: Final = 1
"""The seat that acted shows its hand, and the deal is settled."""
ALL_SHOW: Final = 2
IS_DRAWN: Final = 3
"""Nobody wins or loses: the stock is empty."""


@compiled
def strength_of(tables: Any, a: int, b: int, c: int) -> Any:
    return np.int64(tables.rules.strengths[a, b, c])


@compiled
def is_shown(tables: Any, hand: Any) -> Any:
    """Return whether a hand must be shown at once."""
    return tables.rules.doubled_total[strength_of(tables, hand[0], hand[1], hand[2])] >= SHOWN_TOTAL


@compiled
def may_knock(tables: Any, deal: Any) -> Any:
    return deal.knocker == NOBODY and deal.round_number >= tables.rules.min_round


@compiled
def play_action(tables: Any, deal: Any, action: int, drawn: int, stock: int) -> Any:
    """Do an action for the seat to act, and return what becomes of the deal.

    Args:
        tables: Those of the variant.
        deal: The deal; if it is over, it is not settled yet.
        action: Its number.
        drawn: The card drawn, if the action draws from the stock.
        stock: Cards in the stock after that.
    """
    seat = deal.to_act
    hand = deal.hands[seat]
    deal.actions += 1
    if action == KNOCK:
        deal.knocker = seat
        if deal.actions == 1 and tables.rules.instant_knock:
            return ALL_SHOW
        return pass_turn(tables, deal, stock)
    if action < KNOCK:
        if action == TAKE:
            deal.pile_size -= 1
            drawn = deal.pile[deal.pile_size]
        hand[3] = drawn
        deal.is_discarding = 1
        deal.must_keep = action
        return GOES_ON
    slot = action - DISCARD
    deal.pile[deal.pile_size] = hand[slot]
    deal.pile_size += 1
    for place in range(slot, 3):
        hand[place] = hand[place + 1]
    deal.is_discarding = 0
    if is_shown(tables, hand):
        return IS_SHOWN
    return pass_turn(tables, deal, stock)


@compiled
def pass_turn(tables: Any, deal: Any, stock: int) -> Any:
    """Pass the turn on, or end the deal."""
    seat = deal.next_seat[deal.to_act]
    is_last = seat == deal.knocker
    if seat == deal.eldest and deal.knocker == NOBODY:
        is_last = deal.round_number == tables.rules.rounds
        deal.round_number += 1
    if is_last:
        return ALL_SHOW
    if stock == 0 and tables.rules.is_drawn:
        return IS_DRAWN
    deal.to_act = seat
    return GOES_ON
