"""Memory of the compiled matches of the barter family, and the tables of a variant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arena.families.barter.deal import DECLINE, STAND
from arena.families.barter.rules import BarterRules
from arena.families.barter.view import HAND_SIZE
from arena.games.kernel.hand_strengths import fill_strengths, fill_tie_classes
from arena.games.kernel.layout import MAX_PACK, MAX_SEATS, MAX_STRENGTHS, list_match_fields, list_stock_fields
from arena.games.settlement.paid_trades import LivesMarket, Money, StanderMoney, TransferMarket

MAX_ROUNDS: Final = 20
MAX_EXCHANGES: Final = MAX_ROUNDS * MAX_SEATS
KINDS: Final = ("trade", "barter", "give", "stand", "knock", "decline", "continue")
TRADE, BARTER, GIVE, STAND_KIND, KNOCK_KIND, DECLINE_KIND, CONTINUE_KIND = range(len(KINDS))
"""Kinds of actions."""
MONEY: Final = 0
"""Kinds of settlement."""
TRANSFER: Final = 1
LIVES: Final = 2
SETTLEMENTS: Final[dict[Any, int]] = {
    Money: MONEY,
    StanderMoney: MONEY,
    TransferMarket: TRANSFER,
    LivesMarket: LIVES,
}
PENALTIES: Final = ("none", "best", "each")
"""Whom a beaten stander pays, by number."""

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("tokens", "i2", (MAX_SEATS,)),
        ("chips", "i8", (MAX_SEATS,)),
        ("pool", "i8"),
        # the deal
        ("hands", "i1", (MAX_SEATS, HAND_SIZE)),
        ("turn", "i8"),
        ("round_number", "i8"),
        ("satisfied", "i8"),  # seats that stand, as bits
        ("standing", "i8"),  # how many they are
        ("seats", "i8"),  # seats in the deal
        ("asker", "i8"),  # the seat whose barter is not answered yet
        ("offered", "i8"),  # the slot of the card it gives
        ("legal", "i8"),  # numbers of actions, as bits
        # what observations tell
        ("held", "i2", (MAX_SEATS,)),  # tokens before the deal
        ("held_chips", "i8", (MAX_SEATS,)),  # chips before the deal is settled
        ("held_pool", "i8"),
        ("seen", "i8", (MAX_SEATS,)),  # cards that a seat has held or been given, as bits
        ("shown", "i8"),  # cards that all have seen, as bits
        ("all_shown", "i8"),  # the hands were shown
        ("exchanges", "i1", (MAX_EXCHANGES, 4)),  # seat, partner (NOBODY in a trade), cards given and got
        ("exchange_count", "i8"),
        ("traders", "i1", (MAX_EXCHANGES,)),  # by trade
        ("trade_count", "i8"),
        ("known", "i8", (MAX_SEATS,)),  # room to find what a seat knows
        ("known_under", "i8", (MAX_EXCHANGES,)),  # the same, by trade: of the card that went under the stock
        # under the stock: cards of seats that are out, then traded
        *list_stock_fields(MAX_PACK, MAX_SEATS * HAND_SIZE + MAX_EXCHANGES),
    ],
    align=True,
)
"""State of a match between two decisions."""

OPTIONS: Final = ("step", "rounds", "open_hands", "stand_afterwards", "until_all", "needs_rank_to_knock")
SETTLEMENT_OPTIONS: Final = (
    *("min_tokens", "tokens", "deals", "price", "stake", "dealer_stake", "split_pool"),
    *("dealer_antes", "dealer_first"),
)
RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("pack", "i8"),
        *[(name, "i8") for name in (*OPTIONS, *SETTLEMENT_OPTIONS)],
        ("settlement", "i8"),
        ("stand_penalty", "i8"),
        ("is_left", "i8"),  # the partner is the seat whose turn is next
        ("stop", "i8"),  # numbers of actions; -1 for one that never is
        ("refusal", "i8"),
        ("first_give", "i8"),
        ("go_on", "i8"),
        ("declines", "i8"),  # the refusal is to decline
        ("kind_of", "i1", (16,)),  # by action
        # tables by card and by strength
        ("strengths", "i2", (MAX_PACK, MAX_PACK, MAX_PACK)),  # of hands; larger is better
        ("tie_class", "i2", (MAX_STRENGTHS,)),  # hands of one class tie for worst
        ("is_qualified", "i1", (MAX_STRENGTHS,)),  # such a hand can win
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: BarterRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    if type(rules.settlement) not in SETTLEMENTS:
        return f"{rules} has a pool that is formed once"
    if getattr(rules.settlement, "bottom_tie", "exact") == "seat":
        return f"in {rules} ties for worst go by seat"
    return f"{rules} has more than {MAX_ROUNDS} rounds" if rules.rounds > MAX_ROUNDS else None


def build_rules(rules: Any, players: int, names: Sequence[str]) -> Any:
    """Return a variant as it is played at a table of `players`; `names` of its actions by number."""
    record = np.zeros(1, RULES)
    settlement = rules.settlement
    for name in OPTIONS:
        record[name] = getattr(rules, name)
    for name in SETTLEMENT_OPTIONS:
        record[name] = getattr(settlement, name, 0)
    if SETTLEMENTS[type(settlement)] == MONEY:
        record["deals"] = settlement.deals or players
    record["players"], record["pack"] = players, len(rules.whole_pack)
    record["settlement"] = SETTLEMENTS[type(settlement)]
    record["stand_penalty"] = PENALTIES.index(getattr(settlement, "stand_penalty", "none"))
    record["is_left"] = rules.partner_step == 1
    _number_actions(record, rules, names)
    ranks = fill_strengths(record, rules)
    fill_tie_classes(record, rules, ranks)
    record["is_qualified"][0, : len(ranks)] = [rank.category != "nothing" for rank in ranks]
    return record[0]


def _number_actions(record: Any, rules: BarterRules, names: Sequence[str]) -> None:
    record["stop"] = names.index(rules.stop.kind)
    record["refusal"] = -1 if rules.refusal is None else names.index(rules.refusal.kind)
    record["first_give"] = names.index("give 1")
    record["go_on"] = names.index("continue") if rules.stand_afterwards else -1
    record["declines"] = rules.refusal is DECLINE
    assert rules.refusal in (None, DECLINE, STAND)
    record["kind_of"][0, : len(names)] = [KINDS.index(name.partition(" ")[0]) for name in names]
