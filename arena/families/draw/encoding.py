"""Actions and observations of the games with a stock and a discard pile."""

from __future__ import annotations

from arena.adapters.family_encoding import format_slots
from arena.adapters.observation_layout import LayoutBuilder, PublicHands
from arena.families.draw.deal import TURN, discard_actions
from arena.families.draw.rules import DrawRules
from arena.families.draw.view import DrawView, follow_event
from arena.games.action import Action
from arena.games.cards import Hand


def action_names(rules: DrawRules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers."""
    actions = [*TURN.actions, *discard_actions(rules.hand_size + 1, False).actions]
    return [name_action(action, ()) for action in actions]


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name: `draw stock`, `discard 4`."""
    return f"discard {format_slots(action.give)}" if action.give else action.template


def add_features(builder: LayoutBuilder) -> None:
    """Add the discard pile, the knocker and what is known of the other hands."""
    builder.add_hand(builder.rules.hand_size + 1)
    builder.add_slots("discard_top", 1, "the top card of the discard pile", _top)
    builder.add_cards("discards", "the cards of the discard pile", _pile)
    builder.add_seat("knocker", "the seat that has knocked", _knocker)
    hands = PublicHands(builder.players, follow_event)
    builder.add_known_cards(lambda view: hands.find(view.public))


def _top(view: DrawView) -> Hand:
    return view.discard[-1:]


def _pile(view: DrawView) -> Hand:
    return view.discard


def _knocker(view: DrawView) -> int | None:
    return view.knocker


def deal_limits(rules: DrawRules, players: int) -> tuple[int, int]:
    """Count for each turn a draw and a discard, and one round more after a knock."""
    return 2 * (rules.rounds + 1) * players, 6
