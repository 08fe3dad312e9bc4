"""Tables that the compiled play looks things up in, made from the rules of a variant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from arena.errors import InvalidRules
from arena.families.exchange.actions import KNOCK_OR_CONTINUE
from arena.families.exchange.interrupts import ForcedShow
from arena.families.exchange.kernel import action_table_access, layout
from arena.families.exchange.kernel.layout import NO_ROW, RULES
from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.widow_kinds import (
    BlindWidow,
    OpenWidow,
    OptionalBlindWidow,
    SecondPacket,
    Widow,
    packets,
)
from arena.games.action import HORSE, Action, LegalActions
from arena.games.kernel.hand_strengths import fill_strengths, fill_tie_classes
from arena.games.kernel.layout import KNOCK31
from arena.games.rules import Rules
from arena.games.settlement.base import CommerceSettlement, Lives, Penalties, TotalPenalties, Transfer
from arena.games.settlement.prize_pool import PrizePool

SETTLEMENTS: Final = {
    Lives: layout.LIVES,
    Transfer: layout.TRANSFER,
    Penalties: layout.PENALTIES,
    TotalPenalties: layout.PENALTIES,
    PrizePool: layout.PRIZES,
}
SERVED_WIDOWS: Final = (Widow, OpenWidow, BlindWidow, OptionalBlindWidow, SecondPacket)
KINDS: Final = {
    "exchange": layout.EXCHANGE,
    "pass": layout.PASS,
    "knock": layout.KNOCK,
    "renew": layout.RENEW,
    "continue": layout.CONTINUE,
    "keep": layout.KEEP,
    "take": layout.TAKE_PACKET,
    "horse": layout.HORSE,
    "no-horse": layout.NO_HORSE,
}
RANKS_789: Final = "789"


class Tables(NamedTuple):
    """Everything about a variant that does not change while it is played."""

    rules: Any
    """A record of options and of tables of a fixed size, see `layout.RULES`."""
    actions: Any
    """The tables by action and by row of legal actions, see `action_table_access`."""


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
    if type(rules.widow) not in SERVED_WIDOWS:
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
        ("offer_row", rules.settlement.has_offers, HORSE),
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
    values: dict[str, int] = {
        "players": players,
        "step": rules.step,
        "pack": rules.pack,
        "hand_size": rules.hand_size,
        "table_size": rules.table_size,
        "rounds": rules.rounds,
        "open_hands": rules.open_hands,
        "widow_grows": rules.widow.grows,
        "private_take": rules.widow.private_take,
        "is_blind": rules.widow.blind,
        "has_packet": isinstance(rules.widow, SecondPacket),
        "locks": rules.exchange.locks,
        "shows_at_once": isinstance(rules.interrupts, ForcedShow),
        "settlement": SETTLEMENTS[type(rules.settlement)],
        "min_tokens": rules.settlement.min_tokens,
    }
    if isinstance(rules.settlement, PrizePool):
        values["price_of_horse"] = rules.settlement.price_of_horse
    for part in (rules.closing, rules.settlement):
        for field in fields(part):  # type: ignore[arg-type]
            if field.name in (RULES.names or ()) and field.name not in values:
                value = getattr(part, field.name)
                values[field.name] = KNOCK31.index(value) if isinstance(value, str) else value
    for name, value in values.items():
        record[name] = value


def _add_ranks(record: Any, rules: ExchangeRules) -> None:
    """Add the tables by strength, and those by card: places in the pack instead of card numbers."""
    cards = rules.whole_pack.cards
    ranks = fill_strengths(record, rules)
    fill_tie_classes(record, rules, ranks)
    count = len(ranks)
    record["rank_789"][0, : len(cards)] = [
        1 << RANKS_789.index(c.rank) if c.rank in RANKS_789 else 0 for c in cards
    ]
    record["is_qualified"][0, :count] = [rank.category != "nothing" for rank in ranks]
    record["doubled_total"][0, :count] = [2 * (rank.value or 0) for rank in ranks]


def _build_actions(legal: list[LegalActions], number_of: Callable[[Action], int], count: int) -> Any:
    table = np.zeros((count, action_table_access.ACTION_WIDTH), np.int16)
    for action in {action: None for row in legal for action in row.actions}:
        row, size = table[number_of(action)], len(action.give)
        row[action_table_access.KIND] = KINDS[action.kind]
        row[action_table_access.COUNT] = size
        row[action_table_access.GIVE : action_table_access.GIVE + size] = action.give
        row[action_table_access.TAKE : action_table_access.TAKE + size] = action.take
    return table.ravel()


def _build_legal(legal: list[LegalActions], number_of: Callable[[Action], int], count: int) -> Any:
    table = np.zeros((len(legal), action_table_access.ORDER + 2 * count), np.int16)
    for row, choices in zip(table, legal, strict=True):
        numbers = [number_of(action) for action in choices.actions]
        row[action_table_access.SIZE] = len(numbers)
        row[action_table_access.DEFAULT] = number_of(choices.default)
        row[action_table_access.KINDS] = sum({1 << KINDS[action.kind] for action in choices.actions})
        row[action_table_access.ORDER : action_table_access.ORDER + len(numbers)] = numbers
        row[action_table_access.ORDER + count :][numbers] = 1
    return table.ravel()
