"""Memory of the compiled matches: one record a match, one record for the rules."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.games.kernel.layout import (
    MAX_PACK,
    MAX_SEATS,
    MAX_STRENGTHS,
    PENALTY_OPTIONS,
    list_match_fields,
    list_stock_fields,
)

MAX_HAND: Final = 3
NO_ROW: Final = -1
HIDDEN_CARD: Final = -1

TAKE_TURN: Final = 0
"""Phases: what the pending decision is about."""
ANSWER_KNOCK: Final = 1
EXCHANGE_BLIND: Final = 2
CHOOSE_PACKET: Final = 3
ANSWER_OFFER: Final = 4

EXCHANGE: Final = 0
"""Kinds of actions."""
PASS: Final = 1
KNOCK: Final = 2
RENEW: Final = 3
CONTINUE: Final = 4
KEEP: Final = 5
TAKE_PACKET: Final = 6
HORSE: Final = 7
NO_HORSE: Final = 8

LIVES: Final = 0
"""Kinds of settlement."""
TRANSFER: Final = 1
PENALTIES: Final = 2
PRIZES: Final = 3

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("tokens", "i2", (MAX_SEATS,)),
        ("chips", "i8", (MAX_SEATS,)),
        ("pool", "i8"),
        ("horse", "i8"),  # one can still be bought
        # the deal
        ("offered", "i8"),  # seats still to be offered a horse, as bits
        ("hands", "i1", (MAX_SEATS, MAX_HAND)),  # places of cards in the pack
        ("dealt", "i1", (MAX_SEATS, MAX_HAND)),
        ("widow", "i1", (MAX_PACK,)),
        ("widow_size", "i8"),
        ("phase", "i8"),
        ("legal", "i8"),  # row of the tables of legal actions
        ("turn", "i8"),
        ("trading", "i8"),
        ("idle", "i8"),  # sets of seats are bits
        ("locked", "i8"),
        ("passed", "i8"),
        ("round_number", "i8"),
        ("passes", "i8"),
        ("deadlock", "i8"),
        ("knocks", "i8"),
        ("knocker", "i8"),
        ("last", "i8"),
        ("looked", "i8"),  # the dealer has looked at his hand
        ("is_down", "i8"),  # the widow lies face down
        ("shown", "i8"),  # the hands were shown: the deal is over
        # what observations tell
        ("held", "i2", (MAX_SEATS,)),  # tokens before the deal, or when a horse is offered
        ("held_chips", "i8", (MAX_SEATS,)),
        ("held_pool", "i8"),
        ("held_horse", "i8"),
        ("known", "i8", (MAX_SEATS,)),  # cards all others know a seat to hold, as bits
        ("seen", "i8"),  # cards that lay face up or were exchanged in the deal, as bits
        # under the stock: cards of the seats that are out
        *list_stock_fields(MAX_PACK, MAX_SEATS * MAX_HAND),
    ],
    align=True,
)
"""State of a match between two decisions."""


PRIZE_OPTIONS: Final = ("stake", "ante", "prize", "horse", "price_of_horse", "counter_value")
RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("step", "i8"),
        ("pack", "i8"),
        ("hand_size", "i8"),
        ("table_size", "i8"),
        ("widow_grows", "i8"),
        ("is_blind", "i8"),
        ("has_packet", "i8"),
        ("private_take", "i8"),
        ("open_hands", "i8"),
        ("locks", "i8"),
        ("shows_at_once", "i8"),
        ("knocks", "i8"),
        ("last_turns", "i8"),
        ("knock_after_move", "i8"),
        ("knock_from_round", "i8"),
        ("double_pass", "i8"),
        ("deadlock", "i8"),
        ("deadlock_final_turn", "i8"),
        ("renews", "i8"),
        ("call_789", "i8"),
        ("rounds", "i8"),
        ("settlement", "i8"),
        ("tokens", "i8"),
        ("deals", "i8"),
        *PENALTY_OPTIONS,
        *[(name, "i8") for name in PRIZE_OPTIONS],
        # tables by card
        ("strengths", "i2", (MAX_PACK, MAX_PACK, MAX_PACK)),  # of hands; larger is better
        ("rank_789", "i1", (MAX_PACK,)),  # 1, 2 or 4 for seven, eight and nine, 0 for others
        # tables by strength
        ("tie_class", "i2", (MAX_STRENGTHS,)),  # hands of one class tie for worst
        ("is_qualified", "i1", (MAX_STRENGTHS,)),  # such a hand can win
        ("doubled_total", "i1", (MAX_STRENGTHS,)),  # twice the total it counts; 0 where hands do not count
        # rows of the legal actions, NO_ROW where that is never asked
        ("turn_row", "i2", (MAX_PACK, 2, 2, 2, 2)),  # widow's size; may exchange, pass, knock, renew
        ("knock_row", "i8"),  # whether to knock after a move
        ("blind_row", "i8"),  # the dealer's exchange before he looks at his hand
        ("packet_row", "i8"),  # the dealer's choice between two packets
        ("offer_row", "i8"),  # the offer of a horse
        ("action_count", "i8"),
        ("legal_at", "i8"),  # where the rows begin in the tables by action
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def new_matches(count: int) -> Any:
    """Return the memory of `count` matches."""
    return np.zeros(count, MATCH)
