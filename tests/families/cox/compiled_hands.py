"""Hands of Cox's game valued, offered and completed on arrays compared with the rules.

Whole hands are rare in random play, so these are drawn from five kinds and the wild cards, and half of them
from one suit.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from arena.adapters.action_space import get_action_space
from arena.families.cox.cards import (
    BLACK,
    CAPTAINS,
    COX_PACK,
    GREENBACKS,
    HONOURS,
    KIND,
    WILD,
    remove_card,
    sort_rack,
)
from arena.families.cox.kernel import CARDS, MATCH, NO_ACTION, build_tables, score_hand
from arena.families.cox.kernel_sets import (
    can_buy,
    find_closing_discards,
    find_joined,
    is_complete,
    lay_out,
    offer_lays,
    receive_card,
)
from arena.families.cox.scoring import ExposedCards, find_closing_pair
from arena.families.cox.sets import SETS_IN_HAND, count_kinds, find_lays, has_three_alike, set_kind
from arena.families.cox.sets import can_buy as can_buy_by_rules
from arena.families.cox.sets import find_closing_discards as find_closing_discards_by_rules
from arena.families.cox.sets import find_joined as find_joined_by_rules
from arena.families.cox.sets import is_complete as is_complete_by_rules
from arena.games import variant
from arena.games.cards import Card, Hand
from arena.games.kernel.layout import NOBODY

READINGS: tuple[dict[str, Any], ...] = (
    {},
    {"bank_buys": False, "penalty_before_double": True},
    {"captain_fourth": True, "wild_pair": True, "bank_doubles": "drawer"},
)
PLAYERS = 4


def draw_hand(rng: Random) -> tuple[tuple[Hand, ...], Hand, Hand, Card]:
    """Return laid sets, a rack without three alike, greenbacks, and a discard."""
    suits = rng.choice((BLACK + HONOURS, rng.choice(BLACK)))
    kinds = rng.sample(sorted({KIND[c] for c in COX_PACK.cards if c.suit in suits and c not in WILD}), 5)
    pool = [c for c in COX_PACK.cards if c in WILD or KIND[c] in kinds]
    rng.shuffle(pool)
    sets: list[Hand] = []
    wanted = rng.choice((0, 1, 1, 2, 2))
    while len(sets) < wanted:
        laid = sort_rack(rng.sample(pool, rng.choice((3, 3, 4))))
        if set_kind(laid):
            sets.append(laid)
            for c in laid:
                pool.remove(c)
    rack: Hand = ()
    while pool and len(rack) < 8 - 3 * len(sets):
        c = pool.pop()
        if not has_three_alike(count_kinds((*rack, c))):
            rack = sort_rack((*rack, c))
    greenbacks = tuple(rng.sample(sorted(GREENBACKS, key=str), rng.randrange(3)))
    return tuple(sets), rack, greenbacks, rng.choice(pool)


def place_hand(table: Any, match: Any, sets: tuple[Hand, ...], rack: Hand, greenbacks: Hand) -> None:
    """Give seat 0 a hand: its sets by receiving and laying them out."""
    for field in ("sizes", "counts", "set_count", "greenbacks"):
        match[field][0] = 0
    for laid in sets:
        for c in laid[:2] + laid[-1:]:
            receive_card(table, match, 0, CARDS.index(c))
        lay_out(table, match, 0, 0, 2)
        match.set_sizes[0, match.set_count[0] - 1] = len(laid)
    for c in (*rack, *greenbacks):
        receive_card(table, match, 0, CARDS.index(c))


def compare_hands(count: int) -> int:
    """Compare so many hands; return how many of them may be sold after a discard."""
    sold, rng = 0, Random(7)
    readings: list[Any] = [variant("cox", **options) for options in READINGS]
    tables = [build_tables(rules, PLAYERS, get_action_space(rules, PLAYERS)).rules for rules in readings]
    match = np.zeros(1, MATCH)[0]
    for number in range(count):
        rules, table = readings[number % len(readings)], tables[number % len(readings)]
        sets, rack, greenbacks, card = draw_hand(rng)
        place_hand(table, match, sets, rack, greenbacks)
        match.closing = match.bank_discarder = NOBODY
        counts, lacking, code = count_kinds(rack), SETS_IN_HAND - len(sets), CARDS.index(card)
        assert match.counts[0] == counts
        where = f"{rules}: {sets} {rack} {greenbacks} and {card}"
        buys = can_buy_by_rules(rack, counts, card, lacking, rules.bank_buys)
        assert can_buy(table, match, 0, code) == buys, where
        complete = is_complete_by_rules(rack, counts, lacking, None, rules.wild_pair)
        assert is_complete(table, counts, lacking, NOBODY, rules.wild_pair) == complete, where
        sold += complete
        compare_lays(rules, table, match, sets, rack, where)
        exposed = ExposedCards(sets, greenbacks, 1)
        match.dealer = 0
        assert score_hand(table, match, 0) == rules.scoring.score(rack, exposed).points, where
        if buys:
            compare_closing(rules, table, match, (sets, rack, greenbacks), card, where)
    return sold


def compare_lays(rules: Any, table: Any, match: Any, sets: tuple[Hand, ...], rack: Hand, where: str) -> None:
    match.choice_count = 0
    offer_lays(table, match, 0)
    offered = [match.choices[place] for place in range(match.choice_count)]
    lays = find_lays(rack, count_kinds(rack), sets, rules.scoring.captain_fourth)
    assert NO_ACTION not in offered
    found = [(rack[table.first_slot[a]], rack[table.last_slot[a]]) for a in offered]
    assert found == [(laid[0], laid[-1]) for laid in lays], where
    for captain in CAPTAINS.values():
        joined = find_joined_by_rules(sets, captain)
        assert find_joined(table, match, 0, CARDS.index(captain)) == joined, where


def compare_closing(
    rules: Any, table: Any, match: Any, hand: tuple[tuple[Hand, ...], Hand, Hand], card: Card, where: str
) -> None:
    """Buy the card for the closing pair; compare the discards that sell the hand, and its score."""
    sets, rack, greenbacks = hand
    bought, lacking = sort_rack((*rack, card)), SETS_IN_HAND - len(sets)
    receive_card(table, match, 0, CARDS.index(card))
    discards = find_closing_discards_by_rules(bought, count_kinds(bought), lacking, card)
    slots = find_closing_discards(table, match, 0, CARDS.index(card))
    assert [c for slot, c in enumerate(bought) if slots >> slot & 1] == list(discards), where
    for gone in discards:
        left = remove_card(bought, gone)
        place_hand(table, match, sets, left, greenbacks)
        match.closing, match.buyer = CARDS.index(card), 0
        pair = find_closing_pair(left, sets, card, rules.scoring.captain_fourth)
        rest = left
        for c in pair:
            rest = remove_card(rest, c)
        wanted = rules.scoring.score(rest, ExposedCards(sets, greenbacks, 1, pair)).points
        assert score_hand(table, match, 0) == wanted, where
