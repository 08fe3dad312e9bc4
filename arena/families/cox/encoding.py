"""Actions and observations of Cox's game."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from operator import attrgetter

from arena.adapters.family_encoding import format_slots
from arena.adapters.observation_layout import CACHED_HANDS, LayoutBuilder
from arena.families.cox.cards import CARDS_IN_BASE
from arena.families.cox.rules import CoxRules
from arena.families.cox.sets import SETS_IN_HAND
from arena.families.cox.view import CoxView
from arena.games.action import Action
from arena.games.cards import Hand


def action_names(rules: CoxRules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers.

    Two cards of a set are alike and so beside each other in the rack; the third, like or wild, is after them.
    A fourth card joins a set, whose three cards the rack then lacks.
    """
    rack = rules.hand_size + 1
    sets = [(slot, slot + 1, third) for slot in range(rack) for third in range(slot + 2, rack)]
    lays = [*[(slot,) for slot in range(rack - 3)], *sets]
    words = ["draw", "buy", "leave", "sell", "hold"]
    discards = [f"discard {slot + 1}" for slot in range(rack)]
    return [*words, *discards, *[f"lay {format_slots(slots)}" for slots in lays]]


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name: `discard 3`, `lay 1,2,9`, `buy`."""
    return f"{action.kind} {format_slots(action.give)}" if action.give else action.kind


def add_features(builder: LayoutBuilder) -> None:
    """Add the sets, greenbacks, discards, supply bases and roles."""
    builder.add_hand(builder.rules.hand_size + 1)
    builder.add_slots("discard_top", 1, "the discard that may be bought", _discard)
    builder.add_seat("retailer", "the seat that dealt and played first", attrgetter("retailer"))
    builder.add_seat("wholesaler", "the seat that cut the pack", attrgetter("wholesaler"))
    builder.add_card_counts("discards", "the discards that nobody has bought", _discards)
    builder.add_hand_counts("laid", "the cards of each seat's sets", _laid)
    builder.add_by_seat(
        "sets", "each seat's sets, of 2", lambda view: [len(s) / SETS_IN_HAND for s in view.sets]
    )
    builder.add_by_seat("greenbacks", "each seat's greenbacks, of 4", _greenbacks)
    builder.add_by_seat("base", "the number of each seat's supply base, of 4", _numbers)
    builder.add_values("bases", 4, "the cards left in each supply base, of 20", _bases)


def _discard(view: CoxView) -> Hand:
    return view.table


def _discards(view: CoxView) -> Hand:
    return view.discards


def _laid(view: CoxView) -> list[Hand]:
    return [_join(sets) for sets in view.sets]


@lru_cache(maxsize=CACHED_HANDS)
def _join(sets: tuple[Hand, ...]) -> Hand:
    return tuple(chain.from_iterable(sets))


def _greenbacks(view: CoxView) -> list[float]:
    return [len(cards) / 4 for cards in view.greenbacks]


def _numbers(view: CoxView) -> list[float]:
    return [number / 4 for number in view.numbers]


def _bases(view: CoxView) -> list[float]:
    return [left / CARDS_IN_BASE for left in view.bases]


def deal_limits(rules: CoxRules, players: int) -> tuple[int, int]:
    """Count a turn for each card of the pack and each set bought: draw, lay, discard, sell, and offers."""
    turns = len(rules.whole_pack) + 4 * players
    return turns * (8 + players), 8
