"""Beliefs about the hands of others in deals of the draw family: a particle filter, compiled.

What a seat holds is sampled with its whole play: the cards dealt to it and those it drew, of which some are
known because it threw them. Source: Gordon, Salmond and Smith, IEE Proceedings F 140, 1993.
"""

from typing import Any, Final

import numpy as np

from bots.belief_search import draw, list_comparison_fields

from arena.games.kernel.compilation import compiled  # isort: skip (it checks for numba)
from arena.families.draw.kernel.turns import DISCARD, DRAW_STOCK, KNOCK, TAKE, is_shown
from arena.games.kernel.layout import MAX_PACK, MAX_SEATS
from bots.draw_deals import (
    ACTIONS,
    MAX_ROUNDS,
    NOT_LEGAL,
    WEIGHTED,
    score_discards,
    score_turn,
)

HANDS: Final = 512
MAX_PAST: Final = 2 * MAX_SEATS * (MAX_ROUNDS + 1)
MAX_DRAWS: Final = 64
NO_CARD: Final = -1
MOVE_SCALE: Final = 0.3
"""Loss of score at which an action is half as likely as the best one."""
KNOCK_SCALE: Final = 0.3
MIN_LIKELIHOOD: Final = 0.01

PastAction = tuple[int, str, int | None]
"""Place, kind, and the card that all saw."""
PAST: Final = np.dtype(
    [("seat", "i8"), ("action", "i8"), ("card", "i8"), ("top", "i8"), ("can_knock", "i8")], align=True
)
"""An action done: `card` is the one discarded, `top` that of the discard pile before."""

SAMPLE: Final = np.dtype(
    [
        ("row", "i1", (MAX_DRAWS,)),  # cards dealt and drawn, NO_CARD for those not decided
        ("held", "i8", (4,)),
        ("used", "i8"),  # unseen cards of the row, as bits
        ("policy", "i8"),
        ("weight", "f8"),
    ],
    align=True,
)
"""A hand that another seat may hold, with how it came by it."""

MEMORY: Final = np.dtype(
    [
        ("state", "u8"),
        ("steps", "i8"),  # actions in playouts
        ("unseen", "i8", (MAX_PACK,)),
        ("unseen_size", "i8"),
        ("scores", "f8", (ACTIONS,)),
        ("opened", "i8", (MAX_DRAWS,)),  # places in a row of the cards that may be the next one thrown
        ("known", "i8", (MAX_SEATS,)),  # cards a seat is known to hold, as bits
        ("hands", SAMPLE, (MAX_SEATS, HANDS)),
        ("copies", SAMPLE, (HANDS,)),
        ("weights", "f8", (MAX_SEATS, HANDS)),  # summed up
        *list_comparison_fields(ACTIONS),
    ],
    align=True,
)


@compiled
def find_known(past: Any, count: int, players: int, memory: Any) -> None:
    """Write the cards that each seat is known to hold."""
    for seat in range(players):
        memory.known[seat] = 0
    for number in range(count):
        turn = past[number]
        if turn.action == TAKE:
            memory.known[turn.seat] |= np.int64(1) << turn.top
        elif turn.action == DISCARD:
            memory.known[turn.seat] &= ~(np.int64(1) << turn.card)


@compiled
def find_unseen(tables: Any, deal: Any, past: Any, count: int, memory: Any) -> None:
    """Write the cards that the seat to act has never seen."""
    seen = np.int64(0)
    for slot in range(3 + deal.is_discarding):
        seen |= np.int64(1) << deal.hands[deal.to_act, slot]
    for place in range(deal.pile_size):
        seen |= np.int64(1) << deal.pile[place]
    for seat in range(tables.rules.players):
        seen |= memory.known[seat]
    memory.unseen_size = 0
    for card in range(tables.rules.pack):
        if not (seen >> card) & 1:
            memory.unseen[memory.unseen_size] = card
            memory.unseen_size += 1


@compiled
def place_discards(past: Any, count: int, seat: int, row: Any, memory: Any) -> None:
    """Decide which of the cards dealt to a seat or drawn by it are those that it threw, and no others."""
    opened = memory.opened
    known = np.int64(0)
    size = left = 3
    for slot in range(3):
        opened[slot] = slot
        row[slot] = NO_CARD
    for number in range(count):
        turn = past[number]
        if turn.seat == seat:
            if turn.action == DRAW_STOCK:
                opened[left] = size
                row[size] = NO_CARD
                size += 1
                left += 1
            elif turn.action == TAKE:
                known |= np.int64(1) << turn.top
            elif turn.action == DISCARD:
                bit = np.int64(1) << turn.card
                if known & bit:
                    known &= ~bit
                else:
                    at = draw(memory, left)
                    row[opened[at]] = turn.card
                    left -= 1
                    opened[at] = opened[left]


@compiled
def reveal(hand: Any, place: int, memory: Any) -> Any:
    """Return the card at a place of a sampled row; one that is not decided is any unseen one."""
    card = hand.row[place]
    if card == NO_CARD:
        card = memory.unseen[draw(memory, memory.unseen_size)]
        while (hand.used >> card) & 1:
            card = memory.unseen[draw(memory, memory.unseen_size)]
        hand.used |= np.int64(1) << card
    return card


@compiled
def weigh_turn(scores: Any, action: int) -> Any:
    """Return how likely a way to begin a turn is, by scores."""
    best = max(scores[DRAW_STOCK], scores[TAKE])
    likelihood = 1.0
    if scores[KNOCK] != NOT_LEGAL:
        scaled = (scores[KNOCK] - best) / KNOCK_SCALE
        likelihood = (1 + scaled / np.sqrt(1 + scaled * scaled)) / 2
        if action != KNOCK:
            likelihood = 1 - likelihood
    if action != KNOCK:
        loss = (best - scores[action]) / MOVE_SCALE
        likelihood /= 1 + loss * loss
    return likelihood + MIN_LIKELIHOOD


@compiled
def weigh_discard(tables: Any, hand: Any, policy: Any, card: int, must_keep: int, scores: Any) -> Any:
    """Throw a card; return how likely that is."""
    held = hand.held
    slot = 0
    while held[slot] != card:
        slot += 1
    score_discards(tables, policy, held, must_keep, scores)
    loss = (scores[DISCARD + np.argmax(scores[DISCARD:])] - scores[DISCARD + slot]) / MOVE_SCALE
    for place in range(slot, 3):
        held[place] = held[place + 1]
    return 0.0 if is_shown(tables, held) else 1 / (1 + loss * loss) + MIN_LIKELIHOOD


@compiled
def resample(hands: Any, memory: Any) -> Any:
    """Replace sampled hands by copies of the likelier ones where few of them weigh much; return the total."""
    total = squares = 0.0
    for number in range(HANDS):
        total += hands[number].weight
        squares += hands[number].weight ** 2
    if total == 0 or total * total > squares * HANDS / 2:
        return total
    passed = hands[0].weight
    source = 0
    for number in range(HANDS):
        aim = (number + 0.5) * total / HANDS
        while passed < aim and source < HANDS - 1:
            source += 1
            passed += hands[source].weight
        memory.copies[number] = hands[source]
    for number in range(HANDS):
        hands[number] = memory.copies[number]
        hands[number].weight = 1.0
    return float(HANDS)


@compiled
def sample_hands(tables: Any, past: Any, count: int, seat: int, memory: Any) -> None:
    """Sample hands of a seat turn by turn, with their weights summed up."""
    hands = memory.hands[seat]
    for number in range(HANDS):
        hand = hands[number]
        place_discards(past, count, seat, hand.row, memory)
        hand.policy = WEIGHTED + number % 2
        hand.used = 0
        for slot in range(3):
            hand.held[slot] = reveal(hand, slot, memory)
        hand.weight = 0.0 if is_shown(tables, hand.held) else 1.0
    place = 3
    must_keep = 0
    for event in range(count):
        turn = past[event]
        if turn.seat == seat:
            for number in range(HANDS):
                hand = hands[number]
                if hand.weight == 0:
                    continue
                policy = tables.policies[hand.policy]
                if turn.action == DISCARD:
                    hand.weight *= weigh_discard(tables, hand, policy, turn.card, must_keep, memory.scores)
                else:
                    score_turn(tables, policy, hand.held, turn.top, turn.can_knock, event, memory.scores)
                    hand.weight *= weigh_turn(memory.scores, turn.action)
                if turn.action == TAKE:
                    hand.held[3] = turn.top
                elif turn.action == DRAW_STOCK:
                    hand.held[3] = reveal(hand, place, memory)
            place += turn.action == DRAW_STOCK
            must_keep = turn.action == TAKE
            resample(hands, memory)
    total = 0.0
    for number in range(HANDS):
        total += hands[number].weight
        memory.weights[seat, number] = total
