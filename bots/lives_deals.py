"""Deals of `lives` compiled, and a fast `tuned` that plays them: what the search of `expert` plays out.

Seats are places in the order of turns, the eldest 0; cards are places in the pack of 52. An action is the
number of the way to exchange, 3 * the slot of the hand + the slot of the widow, or PASS or KNOCK: its place
among the legal actions of the rules.
"""

from functools import cache
from itertools import combinations, permutations
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from arena.errors import import_optional
from arena.games import Rules
from arena.games.hand_lookup import compute_strengths
from bots.belief_search import NO_ACTION, NOT_EVALUATED
from bots.tuned import CERTAIN, MAX_CONSIDERED, MAX_SEATS, chances_by_strength, load_constants
from bots.tuned_training import GAIN, KNOCK_AT, RISE, START, UNSEEN, WIDOW

import_optional("numba", "vector")
from arena.games.kernel.compilation import compiled  # noqa: E402

PACK: Final = 52
MAX_DEALT: Final = 16
PASS: Final = 9
KNOCK: Final = 10
EXCHANGES_AND_PASS: Final = 10
NOBODY: Final = -1
LEVELS: Final = 17
"""Number of chances at which the potential of three cards is tabulated; others are interpolated."""

DEAL: Final = np.dtype(
    [
        ("seats", "i8"),
        ("turn", "i8"),  # turns so far
        ("max_turns", "i8"),  # without a knock
        ("passes", "i8"),  # in a row
        ("knocker", "i8"),
        ("widow", "i1", (3,)),
        ("hands", "i1", (MAX_DEALT, 3)),
        ("known", "i1", (MAX_DEALT, 3)),  # whether all others know the card
    ],
    align=True,
)
"""Data type of the state of a deal."""


class Tables(NamedTuple):
    """Tables about hands for one number of seats in the deal; they do not change."""

    strengths: Any
    """Strength by three cards; larger is better, equal hands have the same."""
    triples: Any
    """Number among all sets of three, by three cards in any order."""
    chances: Any
    """Chance not to have the worst hand of all seats, by strength."""
    chances_of: Any
    """The same chance, by the number of other hands that count and by strength."""
    level: Any
    """Highest level that the chance of a hand reaches, by strength."""
    fraction: Any
    """Share of the way from that level to the next, by strength."""
    potentials: Any
    """Mean chance of the best hand with one more card, at least the level's, by triple and level."""
    own: Any
    """Constants of `tuned`."""
    others: Any
    """Constants of the model of the other players, close to `counter`."""


@cache
def build_tables(rules: Rules, seats: int) -> Tables:
    """Return the tables of `lives` for `seats` seats in the deal."""
    strengths, _ = compute_strengths(rules.ranking, rules.whole_pack)
    numbers = [card.number for card in rules.whole_pack.cards]
    chances_of = np.array([chances_by_strength(rules, others + 1) for others in range(seats)]) / CERTAIN
    chances = chances_of[seats - 1]
    levels = 1 - (1 - np.linspace(0, 1, LEVELS)) ** 2  # dense where most chances are, near 1
    level = np.minimum(np.searchsorted(levels, chances, side="right") - 1, LEVELS - 2)
    triples = np.zeros((PACK, PACK, PACK), np.int16)
    sets = list(combinations(range(PACK), 3))
    for number, card_set in enumerate(sets):
        for order in permutations(card_set):
            triples[order] = number
    by_card = np.array(strengths, np.int16)[np.ix_(numbers, numbers, numbers)]
    return Tables(
        by_card,
        triples,
        chances,
        chances_of,
        level,
        (chances - levels[level]) / (levels[level + 1] - levels[level]),
        _compute_potentials(by_card, chances, levels, np.array(sets)),
        np.array(msgspec.structs.astuple(load_constants(rules.name)[min(seats, MAX_SEATS)])),
        np.array(msgspec.structs.astuple(START), np.float64),
    )


def _compute_potentials(strengths: Any, chances: Any, levels: Any, sets: Any) -> Any:
    a, b, c = sets.T
    potentials = np.zeros((len(sets), LEVELS), np.float32)
    for card in range(PACK):
        made = np.maximum(strengths[a, b, c], strengths[a, b, card])
        made = np.maximum(made, np.maximum(strengths[a, c, card], strengths[b, c, card]))
        is_other = (sets != card).all(axis=1)[:, None]
        potentials += is_other * np.maximum(chances[made][:, None], levels) / (PACK - 3)
    return potentials


@compiled
def take_turn(deal: Any, action: int) -> bool:
    """Do an action; return whether the deal is over."""
    seat = deal.turn % deal.seats
    deal.turn += 1
    if action == PASS:
        deal.passes += 1
    else:
        deal.passes = 0
    if action == KNOCK:
        deal.knocker = seat
    elif action != PASS:
        mine, theirs = action // 3, action % 3
        given = deal.hands[seat, mine]
        deal.hands[seat, mine] = deal.widow[theirs]
        deal.widow[theirs] = given
        deal.known[seat, mine] = 1
    if deal.knocker != NOBODY:
        return bool(deal.turn % deal.seats == deal.knocker)
    return bool(deal.passes == 2 * deal.seats or deal.turn == deal.max_turns)


@compiled
def find_losers(tables: Any, deal: Any) -> int:
    """Return the seats of the worst hand as bits."""
    worst = 1 << 14
    losers = 0
    for seat in range(deal.seats):
        hand = deal.hands[seat]
        strength = tables.strengths[hand[0], hand[1], hand[2]]
        if strength < worst:
            worst, losers = strength, 0
        if strength == worst:
            losers |= 1 << seat
    return losers


@compiled
def best_reachable(tables: Any, hand: Any, widow: Any) -> Any:
    """Return the strength of the best hand within one exchange."""
    strengths, a, b, c = tables.strengths, hand[0], hand[1], hand[2]
    best = strengths[a, b, c]
    for slot in range(3):
        card = widow[slot]
        best = max(best, strengths[a, b, card], strengths[a, c, card], strengths[b, c, card])
    return best


@compiled
def evaluate(tables: Any, constants: Any, hand: Any, widow: Any, now: int) -> float:
    """Return the value of a hand of strength `now` and a widow, as `Tuned.evaluate` does.

    All cards but the hand's count as unseen, and the mean over them is interpolated.
    """
    best = best_reachable(tables, hand, widow)
    row = tables.potentials[tables.triples[hand[0], hand[1], hand[2]]]
    level = tables.level[best]
    mean = row[level] + tables.fraction[best] * (row[level + 1] - row[level])
    later = constants[WIDOW] * tables.chances[best] + constants[UNSEEN] * mean
    return float((1 - constants[WIDOW] - constants[UNSEEN]) * tables.chances[now] + later)


@compiled
def evaluate_action(tables: Any, constants: Any, hand: Any, widow: Any, action: int, made: int) -> float:
    """Return the value of an exchange or a pass; `made` is the strength of the hand after it."""
    if action == PASS:
        return evaluate(tables, constants, hand, widow, made)
    mine, theirs = action // 3, action % 3
    hand[mine], widow[theirs] = widow[theirs], hand[mine]
    value = evaluate(tables, constants, hand, widow, made)
    hand[mine], widow[theirs] = widow[theirs], hand[mine]
    return value


@compiled
def chance_after_knock(tables: Any, deal: Any, seat: int, strength: int) -> float:
    """Return the chance of a hand if all others have one turn more, as `Tuned.chance_after_knock` does."""
    unknown = deal.seats - 1
    for other in range(deal.seats):
        known = deal.known[other]
        if other != seat and known[0] and known[1] and known[2]:
            if best_reachable(tables, deal.hands[other], deal.widow) < strength:
                return 1.0
            unknown -= 1
    return float(tables.chances_of[unknown, strength])


@compiled
def find_made(tables: Any, hand: Any, widow: Any, made: Any) -> None:
    """Write the strength of the hand after each exchange and after a pass."""
    a, b, c = hand[0], hand[1], hand[2]
    for slot in range(3):
        card = widow[slot]
        made[slot] = tables.strengths[card, b, c]
        made[3 + slot] = tables.strengths[a, card, c]
        made[6 + slot] = tables.strengths[a, b, card]
    made[PASS] = tables.strengths[a, b, c]


@compiled
def assess(tables: Any, constants: Any, deal: Any, also: int, values: Any, made: Any) -> Any:
    """Evaluate the decision of the seat to act as `tuned` does.

    Args:
        tables: Those for the seats in the deal.
        constants: Those of the seat.
        deal: The deal; only what the seat knows of it counts.
        also: An action to evaluate in any case, NO_ACTION for none.
        values: The values of exchanges and of a pass are written, NOT_EVALUATED for the worst of them.
        made: Memory for strengths.

    Returns:
        The best action but a knock, and by how much the chance after a knock is enough for one.
    """
    seat = deal.turn % deal.seats
    hand, widow = deal.hands[seat], deal.widow
    find_made(tables, hand, widow, made)
    if deal.knocker != NOBODY:
        for action in range(EXCHANGES_AND_PASS):
            values[action] = tables.chances[made[action]]
        return np.argmax(made[:EXCHANGES_AND_PASS]), -1.0
    for action in range(EXCHANGES_AND_PASS):
        values[action] = NOT_EVALUATED
    chosen = best = 0
    for considered in range(MAX_CONSIDERED):
        best = -1
        for action in range(EXCHANGES_AND_PASS):
            if values[action] == NOT_EVALUATED and (best < 0 or made[action] > made[best]):
                best = action
        values[best] = evaluate_action(tables, constants, hand, widow, best, made[best])
        if considered == 0 or values[best] > values[chosen]:
            chosen = best
    if 0 <= also <= PASS and values[also] == NOT_EVALUATED:
        values[also] = evaluate_action(tables, constants, hand, widow, also, made[also])
    chances = tables.chances
    gain = max(chances[made[chosen]] - chances[made[PASS]], 0.0)
    enough = constants[KNOCK_AT] + constants[RISE] * (deal.turn // deal.seats) + constants[GAIN] * gain
    return np.int64(chosen), chance_after_knock(tables, deal, seat, made[PASS]) - min(enough, 1.0)


@compiled
def choose_action(tables: Any, constants: Any, deal: Any, values: Any, made: Any) -> Any:
    """Return the action of the fast `tuned`."""
    chosen, surplus = assess(tables, constants, deal, NO_ACTION, values, made)
    return np.int64(KNOCK) if surplus >= 0 and deal.knocker == NOBODY else chosen
