"""Actions and observations of Cambio."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from operator import attrgetter
from typing import Final

from arena.adapters.observation_layout import LayoutBuilder
from arena.families.cambio.actions import (
    MAX_HAND_FOR_SEVERAL,
    MAX_SEVERAL,
    SpotAction,
    draw_again,
    peek_any,
    peek_other,
    peek_own,
    place_actions,
    swap_any,
    swap_own,
)
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.view import CambioView
from arena.games.action import Action
from arena.games.cards import Hand

MAX_POWER_STEPS: Final = 3
"""Largest number of steps of a card's power: look, look, swap."""


def max_hand(rules: CambioRules) -> int:
    """Return the most cards a hand can have: penalties for snaps add to it, up to all cards but a discard."""
    if rules.snaps.snap:
        return len(rules.whole_pack) - 1
    if not rules.several:
        return rules.hand_size
    penalties = 1 + (MAX_SEVERAL - 2) * rules.penalty_cards
    return max(rules.hand_size, MAX_HAND_FOR_SEVERAL + penalties)


def action_names(rules: CambioRules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers."""
    slots = range(1, max_hand(rules) + 1)
    spots = [f"+{seat}:{slot}" for seat in range(players) for slot in slots]
    steps = {step for power_steps in rules.powers.values() for step in power_steps}
    names = ["draw stock", "draw discard", "cambio", *(["skip"] if steps or rules.snaps.snap else [])]
    names += [*[f"place {slot}" for slot in slots], "discard"]
    if rules.several:
        names += [place.template for place in _several_places()]
    peeked = [0] * bool(steps & {peek_own, peek_any}) + [*range(1, players)] * bool(
        steps & {peek_other, peek_any}
    )
    names += [f"peek +{seat}:{slot}" for seat in peeked for slot in slots]
    if steps & {swap_own, swap_any}:
        names += _swap_names(rules, players)
    if rules.snaps.snap:
        names += [*[f"snap {spot}" for spot in spots], "leave", *[f"give {slot}" for slot in slots]]
    return [*names, "continue"] if rules.call_after else names


def _several_places() -> list[Action]:
    """Return the actions that replace more than one card."""
    actions = place_actions(MAX_HAND_FOR_SEVERAL, False, True).actions
    return [action for action in actions if len(action.give) > 1]


def _swap_names(rules: CambioRules, players: int) -> Iterator[str]:
    """Yield the swaps: of an own card, or of any two; both hands together have all cards but a discard."""
    is_any = any(swap_any in steps for steps in rules.powers.values())
    slots, cards = range(1, max_hand(rules) + 1), len(rules.whole_pack) - 1
    for first, other in combinations(range(players), 2):
        if first == 0 or is_any:
            for a in slots:
                yield from (f"swap +{first}:{a} +{other}:{b}" for b in slots if a + b <= cards)


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name: `place 1`, `peek +1:4`, `swap +0:1 +2:3`."""
    if action.kind == "give" and isinstance(action, SpotAction):
        return f"give {action.spots[0][1] + 1}"
    if not isinstance(action, SpotAction):
        return action.template
    spots = sorted([(distance[seat], slot) for seat, slot in action.spots])
    return " ".join([action.kind, *[f"+{seat}:{slot + 1}" for seat, slot in spots]])


def add_features(builder: LayoutBuilder) -> None:
    """Add what is known of all hands, the discard pile, the card drawn and the caller."""
    rules = builder.rules
    assert isinstance(rules, CambioRules)
    size = max_hand(rules)
    builder.add_hands("hands", size, "the cards of each seat", _known)
    builder.add_slots("drawn", 1, "the card drawn and not yet put down", _drawn)
    builder.add_slots("discard_top", 1, "the top card of the discard pile", _top)
    builder.add_cards("discards", "the cards of the discard pile", _pile)
    builder.add_seat("caller", "the seat that has called, whose cards are frozen", attrgetter("caller"))


def _known(view: CambioView) -> tuple[Hand, ...]:
    return view.known


def _drawn(view: CambioView) -> Hand:
    return (view.drawn,) if view.drawn else ()


def _top(view: CambioView) -> Hand:
    return view.discard[-1:]


def _pile(view: CambioView) -> Hand:
    return view.discard


def deal_limits(rules: CambioRules, players: int) -> tuple[int, int]:
    """Count for each turn a draw, what becomes of the card, its power, a call, and snaps by all."""
    draws = max([1 + steps.count(draw_again) for steps in [(), *rules.powers.values()]])
    moves = 1 + 2 * draws + MAX_POWER_STEPS + rules.snaps.snap * (2 * players + 1)
    return (rules.rounds + 1) * players * moves, 16
