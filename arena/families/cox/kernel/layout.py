"""Memory of the compiled matches of the cox family, and the tables of a variant.

A card is its place among the distinct cards of the pack, which is the order of a rack. The kinds of cards are
counted as in `arena.families.cox.sets`: an octal digit for each kind, a bit for each wild card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arena.families.cox.cards import BANK, COX_PACK, GREENBACKS, KIND, WILD
from arena.families.cox.rules import CoxRules
from arena.families.cox.scoring import HandScoring, HighestScore
from arena.families.cox.sets import (
    ADDED,
    BLACK_SUIT_BIT,
    COMBINATION_POINTS,
    DIGIT_BITS,
    KIND_MASK,
    PARTNERS_MASK,
    SETS_IN_HAND,
    SHIFT,
    WILD_SHIFT,
)
from arena.games.kernel.layout import list_match_fields

MAX_SEATS: Final = 4
MAX_RACK: Final = 9
CARDS: Final = tuple(dict.fromkeys(COX_PACK.cards))
"""Distinct cards, in the order of a rack."""
SET_KINDS: Final = WILD_SHIFT // DIGIT_BITS
"""Number of kinds that make sets."""
WILD_CARDS: Final = len(WILD)
BANK_BIT: Final = WILD_CARDS - 1
"""Place of the Bank among the bits of wild cards; those before it are the Captains, in the order of suits."""
MAX_ACTIONS: Final = 64
KINDS: Final = ("draw", "buy", "leave", "sell", "hold", "discard", "lay")
DRAW, BUY, LEAVE, SELL, HOLD, DISCARD, LAY = range(len(KINDS))
"""Kinds of actions; the numbers of those without cards."""
NO_ACTION: Final = -1
IN_TURN: Final = 0
"""Phases: what it means to hold."""
AFTER_BUYING: Final = 1
BEFORE_SELLING: Final = 2

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("points", "i8", (MAX_SEATS,)),
        ("sold", "i8", (MAX_SEATS,)),  # hands completed
        # the deal
        ("wholesaler", "i8"),
        ("order", "i1", (len(COX_PACK),)),  # the pack as shuffled
        ("is_placed", "i1", (len(COX_PACK),)),
        ("next_card", "i8"),  # the stock, from its top card to the end
        ("stock_end", "i8"),
        ("replaced", "i8"),
        ("racks", "i1", (MAX_SEATS, MAX_RACK)),
        ("sizes", "i8", (MAX_SEATS,)),
        ("counts", "i8", (MAX_SEATS,)),  # of the kinds in each rack
        ("set_count", "i8", (MAX_SEATS,)),
        ("set_kinds", "i8", (MAX_SEATS, SETS_IN_HAND)),
        ("set_sizes", "i8", (MAX_SEATS, SETS_IN_HAND)),
        ("has_bank", "i1", (MAX_SEATS, SETS_IN_HAND)),  # by set
        ("laid", "i1", (MAX_SEATS, len(CARDS))),  # copies in the sets of each seat
        ("greenbacks", "i8", (MAX_SEATS,)),  # by number, as bits
        ("discards", "i1", (len(CARDS),)),  # copies that nobody has bought
        ("window", "i8"),
        ("discarder", "i8"),
        ("bought", "i8"),
        ("closing", "i8"),
        ("buyer", "i8"),
        ("bank_discarder", "i8"),
        ("seller", "i8"),
        ("has_ended", "i8"),
        ("phase", "i8"),
        ("choices", "i1", (MAX_ACTIONS,)),  # legal actions, in the order of the view
        ("choice_count", "i8"),
        ("gains", "i8", (SET_KINDS,)),  # by kind, points that a wild card adds
        # what observations tell
        ("held", "i8", (MAX_SEATS,)),  # points before the deal
        ("held_sold", "i8", (MAX_SEATS,)),
    ],
    align=True,
)
"""State of a match between two decisions."""

RULES: Final = np.dtype(
    [
        *[(name, "i8") for name in ("players", "pack", "step", "hand_size", "deals", "completed")],
        *[(name, "i8") for name in ("max_deals", "bank_buys", "wild_pair", "captain_fourth")],
        *[(name, "i8") for name in ("doubles_drawer", "penalty_before_double", "bank", "ones")],
        ("card_at", "i1", (len(COX_PACK),)),  # by place in the pack
        # by card
        ("place_of", "i1", (len(CARDS),)),  # place in the pack
        ("copy_share", "f8", (len(CARDS),)),
        ("added", "i8", (len(CARDS),)),
        ("shifts", "i8", (len(CARDS),)),
        ("kind_mask", "i8", (len(CARDS),)),
        ("partners", "i8", (len(CARDS),)),
        ("suit_bits", "i8", (len(CARDS),)),  # of black suits
        ("greenback_bits", "i8", (len(CARDS),)),
        # by kind
        ("values", "i8", (SET_KINDS, 5)),  # points of so many together
        ("suits", "i8", (SET_KINDS,)),  # the bit of a black suit, 0 for honours
        ("is_five", "i1", (SET_KINDS,)),
        ("paired", "i8", (WILD_CARDS,)),  # by wild card: a one for each kind that it makes sets with
        # by action
        ("kind_of", "i1", (MAX_ACTIONS,)),
        ("first_slot", "i1", (MAX_ACTIONS,)),
        ("last_slot", "i1", (MAX_ACTIONS,)),
        # numbers of actions, NO_ACTION for those that never are
        ("discard", "i1", (MAX_RACK,)),
        ("lay_fourth", "i1", (MAX_RACK,)),
        ("lay_set", "i1", (MAX_RACK, MAX_RACK)),  # by its first and its last slot
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: CoxRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    is_usual = isinstance(rules.ranking, HandScoring) and isinstance(rules.settlement, HighestScore)
    return None if is_usual else f"{rules} has a settlement of its own"


def build_rules(rules: Any, players: int, names: Sequence[str]) -> Any:
    """Return a variant as it is played at a table of `players`; `names` of its actions by number."""
    record = np.zeros(1, RULES)
    scoring, settlement = rules.scoring, rules.settlement
    record["players"], record["pack"] = players, len(COX_PACK)
    for source, options in (
        (rules, ("step", "hand_size", "bank_buys", "wild_pair")),
        (scoring, ("captain_fourth", "doubles_drawer", "penalty_before_double")),
        (settlement, ("deals", "completed", "max_deals")),
    ):
        for name in options:
            record[name] = getattr(source, name)
    _fill_cards(record)
    _number_actions(record, names)
    return record[0]


def _fill_cards(record: Any) -> None:
    copies = Counter(COX_PACK.cards)
    record["bank"] = CARDS.index(BANK)
    record["card_at"][0] = [CARDS.index(card) for card in COX_PACK.cards]
    for number, card in enumerate(CARDS):
        record["place_of"][0, number] = COX_PACK.cards.index(card)
        record["copy_share"][0, number] = 1 / copies[card]
        record["suit_bits"][0, number] = BLACK_SUIT_BIT.get(card.suit, 0)
        record["greenback_bits"][0, number] = 1 << int(card.rank) if card in GREENBACKS else 0
        for field, table in (
            ("added", ADDED),
            ("shifts", SHIFT),
            ("kind_mask", KIND_MASK),
            ("partners", PARTNERS_MASK),
        ):
            record[field][0, number] = 0 if card in GREENBACKS else table[card]
        if KIND[card] in COMBINATION_POINTS:
            kind = SHIFT[card] // DIGIT_BITS
            record["ones"] |= ADDED[card]
            record["values"][0, kind] = COMBINATION_POINTS[KIND[card]]
            record["suits"][0, kind] = BLACK_SUIT_BIT.get(card.suit, 0)
            record["is_five"][0, kind] = card.rank == "5"
            for wild in WILD:
                if wild is BANK or wild.suit == card.suit:
                    record["paired"][0, SHIFT[wild] - WILD_SHIFT] |= ADDED[card]


def _number_actions(record: Any, names: Sequence[str]) -> None:
    for table in ("discard", "lay_fourth", "lay_set"):
        record[table] = NO_ACTION
    for number, name in enumerate(names):
        kind, _, rest = name.partition(" ")
        slots = [int(slot) - 1 for slot in rest.split(",") if slot]
        record["kind_of"][0, number] = KINDS.index(kind)
        if slots:
            record["first_slot"][0, number], record["last_slot"][0, number] = slots[0], slots[-1]
        if kind == "discard":
            record["discard"][0, slots[0]] = number
        elif len(slots) == 1:
            record["lay_fourth"][0, slots[0]] = number
        elif slots:
            record["lay_set"][0, slots[0], slots[-1]] = number
