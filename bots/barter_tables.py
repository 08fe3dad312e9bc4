"""Tables of a barter game between two for compiled play: hand classes, rows of what a seat knows, actions.

They go by the arena's compiled rules; the eldest is seat 0, the dealer seat 1.
"""

from functools import cache
from itertools import permutations
from typing import Any, Final, NamedTuple

import numpy as np

from arena.errors import import_optional
from arena.families.barter.actions import HAND_SIZE
from arena.families.barter.rules import BarterRules
from arena.games.settlement.paid_trades import Money
from bots.barter_equilibrium import (
    AFTER,
    ANSWER,
    BARTER,
    CHOICES,
    EXCHANGES,
    LEADS,
    NOTHING,
    PHASES,
    SEATS,
    STAND,
    TRADE,
    TURN,
    TURNS,
    UNKNOWN,
    DealPlay,
    find_class,
    list_situations,
    number_classes,
)

import_optional("numba", "vector")

from arena.families.barter.kernel.layout import build_rules  # noqa: E402
from arena.families.barter.kernel.matches import apply_action, lay_out, reset_deal  # noqa: E402
from arena.games.kernel.compilation import compiled  # noqa: E402
from arena.games.kernel.layout import NOBODY, Tables  # noqa: E402

ELDEST: Final = 0
DEALER: Final = 1
MAX_CHIPS: Final = 64
"""Largest lead in chips at the end of a deal that is told apart."""
GROWTHS: Final = (1, 2, 4, 8, 16, 32)
"""Powers of the share of hands that are worse: a card that is the best to give for none of them is kept."""
NAMES: Final = (
    *[f"{kind} {slot}" for kind in ("trade", "barter") for slot in (1, 2, 3)],
    *("stand", "give 1", "give 2", "give 3", "continue"),
)
"""The actions by number, as the compiled rules take them."""


class PlayTables(NamedTuple):
    """Tables of a game between two; they do not change."""

    game: Any
    """Tables of the compiled rules."""
    rules: Any
    classes: Any
    """Hand classes by the three cards."""
    slots: Any
    """Slots of the lowest, middle and highest card, by the three cards."""
    is_given: Any
    """Whether the lowest, middle and highest card is ever given, by hand class."""


@compiled
def find_phase(tables: Any, match: Any) -> int:
    """Return what the seat to act is asked."""
    if match.asker != NOBODY:
        return ANSWER
    return AFTER if (match.legal >> tables.rules.go_on) & 1 else TURN


@compiled
def count_turns(match: Any) -> int:
    """Return the number of turns that are over."""
    return int(SEATS * (match.round_number - 1) + (match.turn != match.eldest))


@compiled
def find_exchange(match: Any, seat: int) -> int:
    """Return how a seat last exchanged, or offered to."""
    if match.asker == seat:
        return BARTER
    for number in range(match.exchange_count - 1, -1, -1):
        if match.exchanges[number, 0] == seat:
            return TRADE if match.exchanges[number, 1] == NOBODY else BARTER
    return NOTHING


@compiled
def find_hand_class(tables: Any, match: Any) -> int:
    """Return the class of the hand of the seat to act."""
    hand = match.hands[match.to_act]
    return int(tables.classes[hand[0], hand[1], hand[2]])


@compiled
def find_row(tables: Any, match: Any, hand_class: Any) -> int:
    """Return the number of what the seat to act knows: of its situation and hand class."""
    seat = match.to_act
    lead = (match.chips[match.eldest] - match.chips[match.dealer] - LEADS[0]) // 2
    row = min(max(lead, 0), len(LEADS) - 1)
    turn = count_turns(match)
    row = row * TURNS + (turn if turn < TURNS else TURNS - 2 + turn % 2)
    row = row * len(PHASES) + find_phase(tables, match)
    row = row * len(EXCHANGES) + find_exchange(match, 1 - seat)
    row = row * len(EXCHANGES) + find_exchange(match, seat)
    return int(row * len(tables.is_given) + hand_class)


@compiled
def find_action(tables: Any, match: Any, choice: int) -> int:
    """Return the number of the action that a choice is for the seat to act."""
    rules, phase = tables.rules, find_phase(tables, match)
    if choice == STAND:
        return int(rules.stop)
    if phase == AFTER:
        return int(rules.go_on)
    hand = match.hands[match.to_act]
    slot = np.int64(tables.slots[hand[0], hand[1], hand[2], choice % HAND_SIZE])
    if phase == ANSWER:
        return int(rules.first_give + slot)
    return int(slot + HAND_SIZE if choice >= HAND_SIZE else slot)


@compiled
def apply_choice(tables: Any, match: Any, choice: int, room: Any) -> None:
    """Do what a choice says for the seat to act."""
    apply_action(tables.game, match, find_action(tables, match, choice), room)


@compiled
def begin_deal(tables: Any, match: Any, lead: int) -> None:
    """Deal the cards of `match.order` as the last deal of a match; the eldest leads by as many chips."""
    for seat in range(SEATS):
        match.went_out[seat] = NOBODY
    reset_deal(tables.rules, match, DEALER)
    match.order_size = tables.rules.pack
    match.number = tables.rules.deals - 1
    match.is_over = match.pool = 0
    match.chips[ELDEST], match.chips[DEALER] = lead, 0
    lay_out(tables.game, match)


@cache
def build_tables(rules: BarterRules) -> PlayTables:
    """Return the tables of a game between two with two deals."""
    game = Tables(build_rules(rules, SEATS, NAMES))
    game.rules["deals"] = SEATS
    classes, slots = build_classes(rules)
    return PlayTables(game, game.rules, classes, slots, find_given(game.rules["strengths"], classes, slots))


def build_classes(rules: BarterRules) -> tuple[Any, Any]:
    """Return hand classes and the slots of their cards, by the places of three cards in the pack."""
    cards = rules.whole_pack.cards
    size = len(cards)
    classes = np.zeros((size, size, size), np.int16)
    slots = np.zeros((size, size, size, HAND_SIZE), np.int8)
    for places in permutations(range(size), HAND_SIZE):
        key, slots[places] = find_class(rules.whole_pack, tuple([cards[place] for place in places]))
        classes[places] = number_classes()[key]
    return classes, slots


def number_choices(play: DealPlay) -> Any:
    """Return the numbers of the choices of a deal's play by row; -1 where there is none."""
    numbers = np.full(128, -1, np.int8)
    numbers[[ord(choice) for choice in CHOICES]] = range(len(CHOICES))
    unmet = UNKNOWN * len(number_classes())
    text = "".join([play.get(str(situation), unmet) for situation in list_situations()])
    return numbers[np.frombuffer(text.encode(), np.uint8)]


def find_given(strengths: Any, classes: Any, slots: Any) -> Any:
    """Return by class and card, lowest first, whether it is the best to give for a hand of some strength."""
    is_given = np.zeros((len(number_classes()), HAND_SIZE), np.bool_)
    size = len(classes)
    hands = np.array([hand for hand in permutations(range(size), HAND_SIZE) if hand[0] < hand[1] < hand[2]])
    dealt = np.sort(strengths[tuple(hands.T)])
    shares = (
        (
            np.searchsorted(dealt, np.arange(dealt[-1] + 1))
            + np.searchsorted(dealt, np.arange(dealt[-1] + 1), "right")
        )
        / 2
        / len(dealt)
    )
    first_of_class = {int(classes[tuple(hand)]): hand for hand in hands[::-1]}
    for number, hand in first_of_class.items():
        others = [card for card in range(size) if card not in hand]
        held = [np.delete(hand, slot) for slot in slots[tuple(hand)]]
        made = [shares[strengths[first, other, others]] for first, other in held]
        for growth in GROWTHS:
            means = [round(float((share**growth).mean()), 12) for share in made]
            is_given[number, means.index(max(means))] = True
    return is_given


def list_leads(rules: BarterRules) -> list[int]:
    """Return the leads of the eldest before a deal that with the antes paid are `LEADS`."""
    assert isinstance(rules.settlement, Money)
    return [lead - rules.settlement.dealer_antes + 1 for lead in LEADS]


def value_ends_of_match() -> Any:
    """Return the chance to have won by the lead in chips at the end of a match, a tie a half."""
    return (np.sign(np.arange(-MAX_CHIPS, MAX_CHIPS + 1)) + 1) / 2


def value_ends_of_first_deal(leads: Any, values: Any) -> Any:
    """Return the chance of the eldest of the first deal by its lead after that; it deals the next.

    Args:
        leads: Leads of the eldest before the last deal.
        values: Its chance by lead. Beyond the leads a match is decided.
    """
    own = np.arange(-MAX_CHIPS, MAX_CHIPS + 1)
    return 1 - np.interp(-own, [leads[0] - 1, *leads, leads[-1] + 1], [0, *values, 1])
