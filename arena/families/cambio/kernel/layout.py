"""Memory of the compiled matches of the cambio family, and the tables of a variant."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np

from arena.families.cambio.actions import (
    MAX_HAND_FOR_SEVERAL,
    MAX_SEVERAL,
    draw_again,
    peek_any,
    peek_other,
    peek_own,
    swap_any,
    swap_own,
)
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.scoring import CaboSettlement, CambioSettlement
from arena.games.kernel.layout import list_match_fields, list_stock_fields

MAX_SEATS: Final = 8
MAX_SLOTS: Final = MAX_HAND_FOR_SEVERAL + 1
MAX_PACK: Final = 63
MAX_ACTIONS: Final = 1024
MAX_CHOICES: Final = 512
MAX_STEPS: Final = 3
SEVERAL: Final = tuple(
    slots for count in range(2, MAX_SEVERAL + 1) for slots in combinations(range(MAX_HAND_FOR_SEVERAL), count)
)
"""Slots whose cards may be replaced at once, in the order of actions."""
KINDS: Final = ("draw", "cambio", "skip", "place", "discard", "peek", "swap", "continue")
DRAW, CALL, SKIP, PLACE, DISCARD, PEEK, SWAP, CONTINUE = range(len(KINDS))
"""Kinds of actions."""
POWERS: Final = (peek_own, peek_other, peek_any, swap_own, swap_any, draw_again)
NO_STEP, PEEK_OWN, PEEK_OTHER, PEEK_ANY, SWAP_OWN, SWAP_ANY, DRAW_AGAIN = range(len(POWERS) + 1)
"""Steps of powers."""
FORMS: Final = ("sum", "won", "cabo")
SUM, WON, CABO = range(len(FORMS))
"""Kinds of settlement."""
NO_ACTION: Final = -1
IN_TURN: Final = 0
"""Phases: what the pending decision is about."""
IN_POWER: Final = 1
IN_DRAW_AGAIN: Final = 2

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("points", "i8", (MAX_SEATS,)),
        # the deal
        ("hands", "i1", (MAX_SEATS, MAX_SLOTS)),
        ("sizes", "i8", (MAX_SEATS,)),
        ("known_by", "i8", (MAX_PACK,)),  # by card, the seats that know where it lies, as bits
        ("pile", "i1", (MAX_PACK,)),  # discards, the top card last
        ("pile_size", "i8"),
        ("drawn", "i8"),
        ("steps", "i1", (MAX_STEPS,)),  # steps left of the power that is being used
        ("caller", "i8"),
        ("turn", "i8"),
        ("round_number", "i8"),
        ("phase", "i8"),
        ("choices", "i2", (MAX_CHOICES,)),  # legal actions, in the order of the view
        ("choice_count", "i8"),
        # what observations tell
        ("held", "i8", (MAX_SEATS,)),  # points before the deal
        # under the stock: discards shuffled anew
        *list_stock_fields(MAX_PACK, MAX_PACK),
        ("refills", "i8"),
    ],
    align=True,
)
"""State of a match between two decisions."""

RULES: Final = np.dtype(
    [
        *[(name, "i8") for name in ("players", "pack", "step", "hand_size", "slots", "actions")],
        *[(name, "i8") for name in ("rounds", "call_after", "several", "always_takes", "has_valueless")],
        *[(name, "i8") for name in ("form", "deals", "until", "caller_penalty", "halved", "has_columns")],
        ("is_peeked", "i1", (MAX_SLOTS,)),  # by slot: seen before play
        # by card
        ("rank_of", "i1", (MAX_PACK,)),
        ("values", "i2", (MAX_PACK,)),
        ("is_valueless", "i1", (MAX_PACK,)),
        ("powers", "i1", (MAX_PACK, MAX_STEPS)),
        # numbers of actions, NO_ACTION for those that never are
        *[(name, "i8") for name in ("draw_stock", "draw_discard", "call", "skip", "discard", "go_on")],
        ("place", "i2", (MAX_SLOTS,)),
        ("several_places", "i2", (len(SEVERAL),)),
        ("peek", "i2", (MAX_SEATS, MAX_SLOTS)),  # by distance and slot
        ("swap", "i2", (MAX_SEATS, MAX_SLOTS, MAX_SEATS, MAX_SLOTS)),
        # by action
        ("kind_of", "i1", (MAX_ACTIONS,)),
        ("spots", "i1", (MAX_ACTIONS, 4)),  # distances and slots
        ("slot_bits", "i2", (MAX_ACTIONS,)),  # slots of a hand
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: CambioRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    settlement = rules.settlement
    if rules.snaps.snap:
        return f"{rules} has snaps"
    unserved = {
        "put_back": rules.put_back,
        "penalty_cards": rules.penalty_cards,
        "renewed": not rules.renewed,
        "halved_once": getattr(settlement, "halved_once", False),
    }
    for name in [name for name, is_set in unserved.items() if is_set]:
        return f"{rules} has the option `{name}`"
    if isinstance(settlement, CambioSettlement) and settlement.scoring != "lives":
        return None
    return None if type(settlement) is CaboSettlement else f"{rules} is not played for points"


def build_rules(rules: Any, players: int, names: Sequence[str]) -> Any:
    """Return a variant as it is played at a table of `players`; `names` of its actions by number."""
    record = np.zeros(1, RULES)
    settlement = rules.settlement
    for name in ("step", "hand_size", "rounds", "call_after", "several", "always_takes"):
        record[name] = getattr(rules, name)
    record["players"], record["pack"], record["actions"] = players, len(rules.whole_pack), len(names)
    form = FORMS.index(getattr(settlement, "scoring", "cabo"))
    until = settlement.until if form != WON else 0
    record["form"], record["until"] = form, until
    usual_deals = getattr(settlement, "usual_deals", 0) or players
    record["deals"] = settlement.deals or (0 if until else usual_deals)
    record["caller_penalty"] = settlement.caller_penalty
    record["halved"] = getattr(settlement, "halved", False)
    record["has_columns"], record["has_valueless"] = bool(rules.ranking.columns), bool(rules.valueless)
    record["slots"] = MAX_SLOTS if rules.several else rules.hand_size
    record["is_peeked"][0, list(rules.peeked)] = 1
    for place, card in enumerate(rules.whole_pack.cards):
        record["rank_of"][0, place] = rules.whole_pack.rank_index[card]
        record["values"][0, place] = rules.ranking.find_value(card)
        record["is_valueless"][0, place] = card.rank in rules.valueless
        steps = [1 + POWERS.index(step) for step in rules.powers.get(card, ())]
        record["powers"][0, place, : len(steps)] = steps
    _number_actions(record, names)
    return record[0]


def _number_actions(record: Any, names: Sequence[str]) -> None:
    number = {name: place for place, name in enumerate(names)}
    for field, name in (
        ("draw_stock", "draw stock"),
        ("draw_discard", "draw discard"),
        ("call", "cambio"),
        ("skip", "skip"),
        ("discard", "discard"),
        ("go_on", "continue"),
    ):
        record[field] = number.get(name, NO_ACTION)
    for table in ("place", "several_places", "peek", "swap"):
        record[table] = NO_ACTION
    for name, place in number.items():
        kind, _, rest = name.partition(" ")
        record["kind_of"][0, place] = KINDS.index(kind)
        if kind == "place":
            slots = tuple([int(slot) - 1 for slot in rest.split(",")])
            record["slot_bits"][0, place] = sum([1 << slot for slot in slots])
            if len(slots) == 1:
                record["place"][0, slots[0]] = place
            else:
                record["several_places"][0, SEVERAL.index(slots)] = place
        elif kind in ("peek", "swap"):
            spots = [int(part) - (at % 2) for at, part in enumerate(rest.replace(" ", ":").split(":"))]
            record["spots"][0, place, : len(spots)] = spots
            record[kind][(0, *spots)] = place
            if kind == "swap":
                record[kind][(0, *spots[2:], *spots[:2])] = place
