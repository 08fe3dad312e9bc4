"""Memory of compiled matches, and tables of variants: what the records of all families have.

Nothing here needs numba.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from arena.games.hand_lookup import compute_strengths
from arena.games.rankings.base import HandRank
from arena.games.rules import Rules

# --- numbers ---

MAX_SEATS: Final = 16
MAX_PACK: Final = 52
MAX_STRENGTHS: Final = 2048
MAX_SEED_BYTES: Final = 96
"""Longest match seed, so that what is hashed for a deal is one block of 128 bytes."""
NOBODY: Final = -1

BEGIN: Final = -1
"""Command in place of an action: begin the match whose seed is set."""
SKIP: Final = -2
"""Command in place of an action: leave the match as it is."""
RUNNING: Final = 0
"""Status of a match in which a seat is asked."""
OVER: Final = 1
ILLEGAL: Final = 2
"""Status of a match that an illegal action has ended."""

ASKED: Final = 0
"""Policies: the seat is asked by the caller, or one of the bots plays it."""
RANDOM: Final = 1
GREEDY: Final = 2
STAND_PAT: Final = 3
POLICIES: Final = {"random": RANDOM, "greedy": GREEDY, "stand-pat": STAND_PAT}

# --- memory ---

Field = tuple[str, str] | tuple[str, str, tuple[int, ...]]
"""A field of a record: its name, type and shape."""
ROOM: Final = np.dtype([("message", "u1", (128,)), ("work", "u8", (16,)), ("digest", "u8", (8,))], align=True)
"""Memory that hashing needs."""
MAX_KEY_BYTES: Final = 64
LIMBS: Final = 16
BOT: Final = np.dtype(
    [
        ("key", "u1", (MAX_KEY_BYTES,)),
        ("key_size", "i2"),
        ("left", "u4", (LIMBS,)),  # a number of 512 bits, the highest first
    ],
    align=True,
)
"""State of a `random` bot."""


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


# --- places of observations ---

ABSENT: Final = -1
"""Place of a feature that the observation does not have."""
MAX_CARDS: Final = 80
MAX_KINDS: Final = 16
COMMON_PLACES: Final = (
    *("dealer", "in_deal", "phase", "last_action", "deal", "events", "stock", "tokens", "chips", "pool"),
)
"""Features that `vector` writes."""


def make_features(*places: str) -> np.dtype[Any]:
    """Return the type of the places and codes of an observation vector; `places` are those a family writes.

    A place is ABSENT where a variant has no such feature.
    """
    return np.dtype(
        [
            *[(name, "i4") for name in (*COMMON_PLACES, *places)],
            ("token_scale", "i4"),
            ("pot", "i4"),
            ("deals_scale", "i4"),
            ("events_scale", "i4"),
            ("points_scale", "i4"),
            ("slot_width", "i4"),
            ("kinds", "i4"),
            ("pack", "i4"),
            ("rank_of", "i1", (MAX_CARDS,)),  # by card
            ("suit_of", "i1", (MAX_CARDS,)),  # by card, after the ranks
            ("kind_place", "i1", (MAX_KINDS,)),  # by kind of action, its place; ABSENT for one that never is
        ],
        align=True,
    )


# --- tables of a variant ---

KNOCK31: Final = ("loses", "double", "exempt")
"""Costs of a shown total for the knocker, by number."""
PENALTY_OPTIONS: Final = (
    *("min_tokens", "one_rider", "knocker_double", "knocker_alone", "knocker_safe", "ties_lose", "comeback"),
    *("sweep", "knock31"),
)
"""Options of penalties, as `lose_penalties` reads them from the rules of any family."""


class Tables(NamedTuple):
    """Everything about a variant that does not change while it is played."""

    rules: Any


def fill_options(record: Any, *sources: object) -> None:
    """Write the options of rules and of their parts into the fields of a record that have their names."""
    for source in sources:
        for name in record.dtype.names:
            value = getattr(source, name, None)
            if isinstance(value, int):
                record[name] = value
            elif name == "knock31" and value:
                record[name] = KNOCK31.index(value)


def fill_strengths(record: Any, rules: Rules) -> list[HandRank]:
    """Write the strengths of hands by places of cards in the pack, and which tie; return ranks by strength.

    Hands of one class tie for worst: those without a rank may tie by sum.
    """
    cards = rules.whole_pack.cards
    by_number, ranks = compute_strengths(rules.ranking, rules.whole_pack)
    pack = len(cards)
    record["strengths"][0, :pack, :pack, :pack] = [
        [[by_number[a.number][b.number][c.number] for c in cards] for b in cards] for a in cards
    ]
    tie_class = np.arange(len(ranks))
    if getattr(rules.settlement, "bottom_tie", "exact") == "sum":
        first: dict[object, int] = {}
        for strength, rank in enumerate(ranks):
            if rank.category in ("point", "nothing"):
                tie_class[strength] = first.setdefault((rank.grade, rank.keys[0]), strength)
    record["tie_class"][0, : len(ranks)] = tie_class
    return ranks
