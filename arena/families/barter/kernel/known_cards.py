"""The cards that a seat knows others to hold, as `arena.families.barter.view` finds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.seats import is_dealt_in


@compiled
def find_known(rules: Any, match: Any, observer: Any, stock: Any) -> None:
    """Write into `match.known` by seat the cards it is known to hold, as bits.

    Args:
        rules: The variant.
        match: The match.
        observer: The seat that knows.
        stock: Cards in the stock: trade number n takes the card that trade number n - `stock` put under it.
    """
    for seat in range(rules.players):
        match.known[seat] = 0
    if match.all_shown or rules.open_hands:
        for seat in range(rules.players):
            if is_dealt_in(match, seat):
                for slot in range(len(match.hands[seat])):
                    match.known[seat] |= np.int64(1) << match.hands[seat, slot]
        return
    trade = 0
    for number in range(match.exchange_count):
        row = match.exchanges[number]
        if row[1] == NOBODY:
            follow_trade(match, observer, stock, trade, row)
            trade += 1
        elif row[0] == observer:
            follow_own_barter(match, row[1], row[3], row[2])
        elif row[1] == observer:
            follow_own_barter(match, row[0], row[2], row[3])
        else:
            match.known[row[0]] = match.known[row[1]] = 0


@compiled
def follow_trade(match: Any, observer: Any, stock: Any, trade: Any, row: Any) -> None:
    """Follow the card given, which may come again, and the card taken, which may have been seen before."""
    seat, given = row[0], np.int64(1) << row[2]
    again = trade + stock  # the trade that takes the card given
    taker = match.traders[again] if again < match.trade_count else NOBODY
    match.known_under[trade] = 0
    if seat == observer:
        if taker != NOBODY and taker != observer:
            match.known_under[trade] = given
        return
    if taker == observer:
        match.known[seat] &= ~given
    else:
        match.known[seat] = 0
    if trade >= stock:
        match.known[seat] |= match.known_under[trade - stock]


@compiled
def follow_own_barter(match: Any, partner: Any, got: Any, given: Any) -> None:
    """Follow the observer's barter: the partner has the card given, and no more the one got."""
    match.known[partner] &= ~(np.int64(1) << got)
    match.known[partner] |= np.int64(1) << given
