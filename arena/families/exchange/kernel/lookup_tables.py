"""Tables that the compiled play looks things up in, made from the rules of a variant, and memory of matches.

The tables by action and by row of legal actions are one array of numbers. Each action has its kind, how many
cards it exchanges, and the slots of the hand and of the widow. Each row has the number of its legal actions,
the default, the kinds as bits, the actions in the order of the view, and by action whether it is legal.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from arena.errors import InvalidRules
from arena.families.exchange.actions import KNOCK_OR_CONTINUE
from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.widows import ForcedShow, HiddenWidow, MiddleDown, SecondPacket, packets
from arena.games.action import HORSE as HORSE_OFFER
from arena.games.action import Action, LegalActions
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import (
    MAX_PACK,
    MAX_SEATS,
    MAX_STRENGTHS,
    PENALTY_OPTIONS,
    fill_options,
    fill_strengths,
    list_match_fields,
    list_stock_fields,
)
from arena.games.rules import Rules
from arena.games.settlement.base import CommerceSettlement, Lives, Penalties, TotalPenalties, Transfer
from arena.games.settlement.prize_pool import PrizePool

# --- memory ---

MAX_HAND: Final = 3
NO_ROW: Final = -1

TAKE_TURN, ANSWER_KNOCK, EXCHANGE_BLIND, CHOOSE_PACKET, ANSWER_OFFER = range(5)
"""Phases: what the pending decision is about."""

KINDS: Final = ("exchange", "pass", "knock", "renew", "continue", "keep", "take", "horse", "no-horse")
EXCHANGE, PASS, KNOCK, RENEW, CONTINUE, KEEP, TAKE_PACKET, HORSE, NO_HORSE = range(len(KINDS))
"""Kinds of actions."""

LIVES, TRANSFER, PENALTIES, PRIZES = range(4)
"""Kinds of settlement."""
SETTLEMENTS: Final[dict[Any, int]] = {
    Lives: LIVES,
    Transfer: TRANSFER,
    Penalties: PENALTIES,
    TotalPenalties: PENALTIES,
    PrizePool: PRIZES,
}

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
OPTIONS: Final = (
    *("step", "hand_size", "table_size", "rounds", "open_hands", "grows", "blind", "private_take", "locks"),
    *("knocks", "last_turns", "knock_after_move", "knock_from_round", "double_pass", "deadlock"),
    *("deadlock_final_turn", "renews", "call_789", "tokens", "deals", *PENALTY_OPTIONS),
    *("stake", "ante", "prize", "horse", "price_of_horse", "counter_value"),
)
RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("pack", "i8"),
        *[(name, "i8") for name in OPTIONS],
        ("has_packet", "i8"),
        ("shows_at_once", "i8"),
        ("settlement", "i8"),
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


# --- tables of a variant ---

RANKS_789: Final = "789"

KIND: Final = 0
"""Places in the table of an action."""
COUNT: Final = 1
GIVE: Final = 2
TAKE: Final = GIVE + MAX_HAND
ACTION_WIDTH: Final = TAKE + MAX_HAND
ROW_SIZE: Final = 0
"""Places in a row of legal actions."""
ROW_DEFAULT: Final = 1
ROW_KINDS: Final = 2
ROW_ORDER: Final = 3


class Tables(NamedTuple):
    """Everything about a variant that does not change while it is played."""

    rules: Any
    """A record of options and of tables of a fixed size, see `RULES`."""
    actions: Any
    """The tables by action and by row of legal actions."""


def explain_unserved(rules: Rules, with_prizes: bool = False) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does.

    Args:
        rules: The variant.
        with_prizes: Serve matches for a pool of chips, where a deal does not end when its hands are shown.
    """
    if not isinstance(rules, ExchangeRules):
        return f"{rules} is not of the exchange family"
    if type(rules.settlement) not in SETTLEMENTS or (type(rules.settlement) is PrizePool and not with_prizes):
        return f"{rules} settles in chips"
    if isinstance(rules.widow, HiddenWidow | MiddleDown):
        return f"in {rules} cards of the widow lie face down"
    if rules.widow.grows and rules.widow.first_card:
        return f"in {rules} the widow grows before the first round"
    if rules.interrupts.extra_cards:
        return f"{rules} has pounce"
    if isinstance(rules.settlement, CommerceSettlement) and rules.settlement.bottom_tie == "seat":
        return f"in {rules} ties for worst go by seat"
    return None


def build_tables(rules: Rules, players: int, number_of: Callable[[Action], int], action_count: int) -> Tables:
    """Return the tables of a variant.

    Args:
        rules: The variant.
        players: How many play.
        number_of: The number of an action, below `action_count`.
        action_count: How many numbers there are.

    Raises:
        InvalidRules: The compiled play does not serve the variant, or so many cannot play it.
    """
    why = explain_unserved(rules, with_prizes=True)
    if why or not isinstance(rules, ExchangeRules):
        raise InvalidRules(f"no compiled play: {why}")
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.explain_player_limit(players)}")
    record = np.zeros(1, RULES)
    legal = _add_turns(record, rules, players)
    for name, is_asked, question in (
        ("knock_row", rules.closing.knock_after_move, KNOCK_OR_CONTINUE),
        ("blind_row", rules.widow.blind, rules.blind_turn),
        ("packet_row", isinstance(rules.widow, SecondPacket), packets(rules.table_size)),
        ("offer_row", rules.settlement.has_offers, HORSE_OFFER),
    ):
        record[name] = len(legal) if is_asked else NO_ROW
        legal += [question] if is_asked else []
    _add_options(record, rules, players)
    _add_ranks(record, rules)
    actions = _build_actions(legal, number_of, action_count)
    record["action_count"] = action_count
    record["legal_at"] = actions.size
    return Tables(record[0], np.concatenate([actions, _build_legal(legal, number_of, action_count)]))


def _add_turns(record: Any, rules: ExchangeRules, players: int) -> list[LegalActions]:
    """Add the rows of the turns, and return what is legal in each row."""
    widest = rules.table_size + ((rules.rounds or players) - 1 if rules.widow.grows else 0)
    widest = min(widest, len(rules.whole_pack) - 2 * rules.hand_size)
    exchanges = (False, True) if rules.exchange.locks else (True,)
    passes = (True,) if rules.closing.double_pass else (False, True)
    renewals = (False, True) if rules.closing.call_789 else (False,)
    legal: list[LegalActions] = []
    record["turn_row"] = NO_ROW
    for size in range(rules.table_size, widest + 1):
        for may in product(exchanges, passes, (False, True), renewals):
            if may[0] or may[1]:
                record["turn_row"][0][(size, *map(int, may))] = len(legal)
                legal.append(rules.turn(size, *may))
    return legal


def _add_options(record: Any, rules: ExchangeRules, players: int) -> None:
    fill_options(record, rules, rules.widow, rules.exchange, rules.closing, rules.settlement)
    record["players"], record["pack"] = players, len(rules.whole_pack)
    record["has_packet"] = isinstance(rules.widow, SecondPacket)
    record["shows_at_once"] = isinstance(rules.interrupts, ForcedShow)
    record["settlement"] = SETTLEMENTS[type(rules.settlement)]


def _add_ranks(record: Any, rules: ExchangeRules) -> None:
    """Add the tables by strength, and those by card: places in the pack instead of card numbers."""
    cards = rules.whole_pack.cards
    ranks = fill_strengths(record, rules)
    count = len(ranks)
    record["rank_789"][0, : len(cards)] = [
        1 << RANKS_789.index(c.rank) if c.rank in RANKS_789 else 0 for c in cards
    ]
    record["is_qualified"][0, :count] = [rank.category != "nothing" for rank in ranks]
    record["doubled_total"][0, :count] = [2 * (rank.value or 0) for rank in ranks]


def _build_actions(legal: list[LegalActions], number_of: Callable[[Action], int], count: int) -> Any:
    table = np.zeros((count, ACTION_WIDTH), np.int16)
    for action in {action: None for row in legal for action in row.actions}:
        row, size = table[number_of(action)], len(action.give)
        row[KIND], row[COUNT] = KINDS.index(action.kind), size
        row[GIVE : GIVE + size], row[TAKE : TAKE + size] = action.give, action.take
    return table.ravel()


def _build_legal(legal: list[LegalActions], number_of: Callable[[Action], int], count: int) -> Any:
    table = np.zeros((len(legal), ROW_ORDER + 2 * count), np.int16)
    for row, choices in zip(table, legal, strict=True):
        numbers = [number_of(action) for action in choices.actions]
        row[ROW_SIZE], row[ROW_DEFAULT] = len(numbers), number_of(choices.default)
        row[ROW_KINDS] = sum({1 << KINDS.index(action.kind) for action in choices.actions})
        row[ROW_ORDER : ROW_ORDER + len(numbers)] = numbers
        row[ROW_ORDER + count :][numbers] = 1
    return table.ravel()


# --- reading the tables ---


@compiled
def action_kind(tables: Any, action: int) -> Any:
    """Return what an action does, one of `KINDS`."""
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
    return np.int64(rules.legal_at + row * (ROW_ORDER + 2 * rules.action_count))


@compiled
def count_legal(tables: Any, row: int) -> Any:
    return np.int64(tables.actions[row_start(tables, row) + ROW_SIZE])


@compiled
def default_action(tables: Any, row: int) -> Any:
    """Return the action that is played where nobody is asked."""
    return np.int64(tables.actions[row_start(tables, row) + ROW_DEFAULT])


@compiled
def legal_kinds(tables: Any, row: int) -> Any:
    """Return the kinds of the legal actions as bits."""
    return np.int64(tables.actions[row_start(tables, row) + ROW_KINDS])


@compiled
def legal_action(tables: Any, row: int, place: int) -> Any:
    """Return the legal action at that place of the view's."""
    return np.int64(tables.actions[row_start(tables, row) + ROW_ORDER + place])


@compiled
def is_legal(tables: Any, match: Any, action: int) -> bool:
    """Return whether an action is legal; it may be any number."""
    count = tables.rules.action_count
    start = row_start(tables, match.legal) + ROW_ORDER + count
    return bool(0 <= action < count and tables.actions[start + action])


@compiled
def write_mask(tables: Any, match: Any, mask: Any) -> None:
    """Write 1 for each legal action and 0 for the others."""
    count = tables.rules.action_count
    start = row_start(tables, match.legal) + ROW_ORDER + count
    for action in range(count):
        mask[action] = tables.actions[start + action]
