"""Memory of compiled matches: what the records of all families have."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

MAX_SEATS: Final = 16
MAX_PACK: Final = 52
MAX_STRENGTHS: Final = 2048
MAX_SEED_BYTES: Final = 96
"""Longest match seed, so that what is hashed for a deal is one block of 128 bytes."""
NOBODY: Final = -1
Field = tuple[str, str] | tuple[str, str, tuple[int, ...]]
"""A field of a record: its name, type and shape."""

KNOCK31: Final = ("loses", "double", "exempt")
"""Costs of a shown total for the knocker, by number."""
PENALTY_OPTIONS: Final = [
    ("min_tokens", "i8"),
    ("one_rider", "i8"),
    ("knocker_double", "i8"),
    ("knocker_alone", "i8"),
    ("knocker_safe", "i8"),
    ("ties_lose", "i8"),
    ("comeback", "i8"),
    ("sweep", "i8"),
    ("knock31", "i8"),
]
"""Fields of the options of penalties, as `lose_penalties` reads them from the rules of any family."""
ROOM: Final = np.dtype([("message", "u1", (128,)), ("work", "u8", (16,)), ("digest", "u8", (8,))], align=True)
"""Memory that hashing needs."""


class Tables(NamedTuple):
    """Everything about a variant that does not change while it is played."""

    rules: Any


def list_match_fields(seats: int) -> list[Field]:
    """Return the fields of a match and its deal that every family has."""
    return [
        ("seed", "u1", (MAX_SEED_BYTES + 4,)),  # `<length>:<text>`, as it is hashed
        ("seed_length", "i8"),
        ("is_over", "i8"),
        ("went_out", "i2", (seats,)),  # the deal a seat went out in, NOBODY while it is in
        # the deal
        ("number", "i8"),
        ("dealer", "i8"),
        ("eldest", "i8"),
        ("next_seat", "i1", (seats,)),  # whose turn is next; NOBODY for a seat not in the deal
        ("to_act", "i8"),
        # what observations tell
        ("events", "i8"),  # public events in the deal
        ("last_kind", "i1", (seats,)),  # each seat's latest action in the deal, NOBODY before its first
    ]


def list_stock_fields(pack: int, under: int) -> list[Field]:
    """Return the fields of the stock, for a pack and for the cards that may come to lie under it."""
    return [
        ("order", "i1", (pack,)),  # the cards in the order drawn, as far as it is decided
        ("order_size", "i8"),
        ("placed", "i8"),  # the cards `order` has, as bits
        ("streamed", "i8"),  # blocks of random bytes used
        ("next_card", "i8"),
        ("under", "i1", (under,)),
        ("under_size", "i8"),
    ]
