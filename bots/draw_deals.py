"""Deals of the draw family and the play of the heuristic `thirty` and of `retuned` in them, compiled.

Seats are places in the order of turns, the eldest 0; cards are places in the pack.
"""

from functools import cache
from math import erf, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from arena.families.draw.heuristic import Constants
from arena.families.draw.rules import DrawRules
from arena.games import Rules
from arena.games.settlement.shared_pot import KnockerPot
from arena.play.heuristics.weighted_heuristic import HEURISTIC, MAX_TURNS, chances_by_strength
from arena.play.token_worth import TokenWorth
from bots.belief_search import draw
from bots.retuned import WEIGHTS_FILE, load_constants

from arena.games.kernel.compilation import compiled  # isort: skip (it checks for numba)
from arena.families.draw.kernel.layout import build_rules, explain_unserved
from arena.families.draw.kernel.settlement import return_antes, share_pot
from arena.families.draw.kernel.turns import (
    DISCARD,
    DRAW_STOCK,
    GOES_ON,
    IS_DRAWN,
    KNOCK,
    TAKE,
    may_knock,
    play_action,
    strength_of,
)
from arena.games.kernel.layout import MAX_PACK, MAX_SEATS, NOBODY
from arena.games.kernel.settlement import lose_penalties

ACTIONS: Final = 7
NOT_LEGAL: Final = -1e9
MAX_TOKENS: Final = 20
"""Most tokens of a seat that are searched; the worth of more would take long to compute."""
MAX_ROUNDS: Final = 60
MAX_DEALS: Final = 64
"""Most deals of a match for chips that are searched."""
MAX_CHIPS: Final = 64
"""Largest lead in chips that is told apart."""
DEAL_CHANGE: Final = 3.0
"""Standard deviation of the change of a lead in a deal, in stakes."""

OWN, WEIGHTED, PLAIN = range(3)
"""Policies."""

DEAL: Final = np.dtype(
    [
        ("hands", "i8", (MAX_SEATS, 4)),  # in the order of the rules; the fourth card is that taken or drawn
        ("tokens", "i8", (MAX_SEATS,)),
        ("chips", "i8", (MAX_SEATS,)),
        ("pool", "i8"),
        ("deals_left", "i8"),  # after this one, where chips decide
        ("next_seat", "i8", (MAX_SEATS,)),
        ("policies", "i8", (MAX_SEATS,)),  # by which each is taken to play
        ("pile", "i8", (MAX_PACK,)),  # its top card last
        ("pile_size", "i8"),
        ("stock", "i8", (MAX_PACK,)),
        ("stock_size", "i8"),
        ("next_card", "i8"),  # place in the stock
        ("to_act", "i8"),
        ("eldest", "i8"),  # the first place
        ("is_discarding", "i8"),
        ("must_keep", "i8"),  # the fourth card
        ("knocker", "i8"),
        ("round_number", "i8"),
        ("actions", "i8"),  # done so far
        ("is_over", "i8"),
    ],
    align=True,
)
"""State of a deal between two decisions."""

POLICY: Final = np.dtype(
    [
        ("knock_at", "f8"),  # total
        ("usual", "f8"),  # score of the action of the heuristic
        ("draw", "f8"),
        ("knock", "f8"),
        ("knock_turns", "f8"),
        ("knock_chance", "f8"),
        ("now", "f8"),
        ("later", "f8"),
    ],
    align=True,
)
"""Constants of a policy, as in `weighted_heuristic`."""


class DealTables(NamedTuple):
    """Tables for one number of seats in the deal; they do not change."""

    rules: Any
    policies: Any
    chances: Any
    """Chance to do better than the others, by strength."""
    potentials: Any
    """Mean chance of the best hand that one more card makes, by three cards."""
    leads: Any
    """The worth of tokens, by those of a seat and those of another, both less those with which one is out."""
    chip_leads: Any
    """The worth of a lead in chips, by the deals left and the lead from `-MAX_CHIPS`."""


@compiled
def strength_of_four(tables: Any, hand: Any, last: int) -> Any:
    """Return the strength of the best three of the cards of a hand and another."""
    a, b, c = hand[0], hand[1], hand[2]
    best = strength_of(tables, a, b, c)
    best = max(best, strength_of(tables, a, b, last))
    best = max(best, strength_of(tables, a, c, last))
    return max(best, strength_of(tables, b, c, last))


@compiled
def refill(deal: Any, memory: Any) -> None:
    """Make a stock of the discards but the top one."""
    count = deal.pile_size - 1
    for place in range(count):
        deal.stock[place] = deal.pile[place]
    for place in range(count):
        other = place + draw(memory, count - place)
        card = deal.stock[other]
        deal.stock[other] = deal.stock[place]
        deal.stock[place] = card
    deal.pile[0] = deal.pile[count]
    deal.pile_size = 1
    deal.stock_size = count
    deal.next_card = 0


@compiled
def apply_action(tables: Any, deal: Any, action: int, memory: Any) -> None:
    """Do an action for the seat to act."""
    drawn = NOBODY
    if action == DRAW_STOCK:
        if deal.next_card == deal.stock_size:
            refill(deal, memory)
        drawn = deal.stock[deal.next_card]
        deal.next_card += 1
    ending = play_action(tables, deal, action, drawn, deal.stock_size - deal.next_card)
    if ending != GOES_ON:
        deal.is_over = 1
        if ending == IS_DRAWN:
            return_antes(tables.rules, deal)
        elif tables.rules.is_pot:
            share_pot(tables, deal)
        else:
            lose_penalties(tables, deal)


@compiled
def value_deal(tables: Any, deal: Any, seat: int) -> Any:
    """Return the mean lead of a seat over the others at the end of a deal."""
    value = 0.0
    out = tables.rules.min_tokens - 1
    for other in range(tables.rules.players):
        if other != seat and tables.rules.is_pot:
            lead = min(max(deal.chips[seat] - deal.chips[other], -MAX_CHIPS), MAX_CHIPS)
            value += tables.chip_leads[deal.deals_left, lead + MAX_CHIPS]
        elif other != seat:
            value += tables.leads[deal.tokens[seat] - out, deal.tokens[other] - out]
    return value / (tables.rules.players - 1)


@compiled
def score_turn(
    tables: Any, policy: Any, hand: Any, top: int, can_knock: Any, actions: Any, scores: Any
) -> None:
    """Write the scores of the actions with which a turn begins.

    Args:
        tables: Those of the deal.
        policy: Constants.
        hand: Three cards.
        top: The top of the discard pile.
        can_knock: Whether that is legal.
        actions: Those done so far in the deal.
        scores: By action.
    """
    a, b, c = hand[0], hand[1], hand[2]
    strength = strength_of(tables, a, b, c)
    made = strength_of_four(tables, hand, top)
    held = tables.chances[strength]
    weight = policy.now + policy.later
    scores[DRAW_STOCK] = policy.draw + weight * (tables.potentials[a, b, c] - held)
    scores[TAKE] = policy.draw + weight * (tables.chances[made] - held)
    scores[KNOCK] = NOT_LEGAL
    if can_knock:
        turns = min(actions / tables.rules.players, MAX_TURNS) / MAX_TURNS
        scores[KNOCK] = policy.knock + policy.knock_chance * (held - 0.5) + policy.knock_turns * turns
    if can_knock and tables.rules.doubled_total[strength] >= 2 * policy.knock_at:
        scores[KNOCK] += policy.usual
    elif made > strength:
        scores[TAKE] += policy.usual
    else:
        scores[DRAW_STOCK] += policy.usual


@compiled
def score_discards(tables: Any, policy: Any, hand: Any, must_keep: Any, scores: Any) -> None:
    """Write the scores of the discards of four cards."""
    best, usual = -1, 0
    for slot in range(4 - must_keep):
        a, b, c = hand[int(slot == 0)], hand[1 + int(slot <= 1)], hand[2 + int(slot <= 2)]
        strength = strength_of(tables, a, b, c)
        if strength > best:
            best, usual = strength, slot
        scores[DISCARD + slot] = policy.now * tables.chances[strength]
        scores[DISCARD + slot] += policy.later * tables.potentials[a, b, c]
    scores[DISCARD + usual] += policy.usual
    if must_keep:
        scores[DISCARD + 3] = NOT_LEGAL


@compiled
def choose_action(tables: Any, deal: Any, policy: Any, scores: Any) -> Any:
    """Return the action of a policy for the seat to act."""
    hand = deal.hands[deal.to_act]
    if deal.is_discarding:
        score_discards(tables, policy, hand, deal.must_keep, scores)
        return np.int64(DISCARD + np.argmax(scores[DISCARD:]))
    top = deal.pile[deal.pile_size - 1]
    score_turn(tables, policy, hand, top, may_knock(tables, deal), deal.actions, scores)
    return np.int64(np.argmax(scores[:DISCARD]))


@compiled
def write_potentials(tables: Any) -> None:
    """Compute the potentials of all hands."""
    pack = tables.rules.pack
    for a in range(pack):
        for b in range(a):
            for c in range(b):
                total = 0.0
                strength = strength_of(tables, a, b, c)
                for card in range(pack):
                    if card not in (a, b, c):
                        best = max(strength, strength_of(tables, a, b, card))
                        best = max(best, strength_of(tables, a, c, card))
                        total += tables.chances[max(best, strength_of(tables, b, c, card))]
                mean = total / (pack - 3)
                for x, y, z in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
                    tables.potentials[x, y, z] = mean


def is_served(rules: DrawRules, players: int) -> bool:
    """Return whether the compiled deals serve a table of a variant."""
    if explain_unserved(rules) or players > MAX_SEATS or rules.rounds > MAX_ROUNDS:
        return False
    settlement: Any = rules.settlement
    if isinstance(settlement, KnockerPot):
        return (settlement.deals or players) <= MAX_DEALS
    return bool(settlement.tokens <= MAX_TOKENS)


@cache
def build_tables(rules: DrawRules, seats: int) -> DealTables:
    """Return the tables for deals with `seats` seats."""
    record = build_rules(rules, seats)
    pack = record["pack"]
    is_pot = isinstance(rules.settlement, KnockerPot)
    tables = DealTables(
        record,
        build_policies(rules, seats),
        np.array(chances_by_strength(rules, seats, is_pot)[:-1]),
        np.zeros((pack, pack, pack), np.float32),
        np.zeros((1, 1)) if is_pot else build_leads(rules),
        build_chip_leads(rules.settlement) if isinstance(rules.settlement, KnockerPot) else np.zeros((1, 1)),
    )
    write_potentials(tables)
    return tables


def build_chip_leads(settlement: KnockerPot) -> Any:
    """Return the worth of a lead in chips, if each deal left changes it by a normal amount."""
    leads = np.arange(-MAX_CHIPS, MAX_CHIPS + 1)
    rows = [np.sign(leads).astype(float)]
    for left in range(1, MAX_DEALS):
        scale = DEAL_CHANGE * settlement.stake * sqrt(2 * left)
        rows.append(np.array([erf(lead / scale) for lead in leads]))
    return np.array(rows)


def build_leads(rules: Rules) -> Any:
    """Return the worth of tokens, by those of a seat and those of another."""
    worth = TokenWorth(rules)
    tokens = range(worth.min_tokens - 1, rules.settlement.tokens + 1)  # type: ignore[attr-defined]
    return np.array([[worth.lead(own, other) for other in tokens] for own in tokens])


def build_policies(rules: Rules, seats: int) -> Any:
    """Return the constants of the policies."""
    fitted = load_constants(WEIGHTS_FILE).get(rules.name, {})
    weights = fitted.get(2 if seats == 2 else 4) or fitted.get(4, {})
    policies = np.zeros(3, POLICY)
    policies["knock_at"] = Constants().knock
    for number in (OWN, WEIGHTED):
        policies[number]["usual"] = 1
        policies[number]["knock_at"] = weights.get(f"{HEURISTIC}knock", Constants().knock)
        for name in ("draw", "knock", "knock.turns", "knock.chance", "now", "later"):
            policies[number][name.replace(".", "_")] = weights.get(name, 0)
    policies[PLAIN]["usual"] = 4
    return policies
