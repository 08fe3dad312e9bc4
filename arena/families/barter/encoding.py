"""Actions and observations of the games of trade and barter."""

from __future__ import annotations

from operator import attrgetter

from arena.adapters.family_encoding import format_slots
from arena.adapters.observation_layout import LayoutBuilder
from arena.families.barter.deal import STAND_OR_CONTINUE
from arena.families.barter.rules import BarterRules
from arena.games.action import HORSE, Action


def action_names(rules: BarterRules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers."""
    actions = [*rules.turns[True, True].actions, *rules.answers.actions]
    if rules.stand_afterwards:
        actions += STAND_OR_CONTINUE.actions
    if getattr(rules.settlement, "horse", False):
        actions += HORSE.actions
    return [name_action(action, ()) for action in actions]


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name: `trade 1`, `knock`."""
    return f"{action.kind} {format_slots(action.give)}" if action.give else action.kind


def add_features(builder: LayoutBuilder) -> None:
    """Add the open barter, the seats that stand and what is known of the other hands."""
    builder.add_hand(builder.rules.hand_size)
    builder.add_seat("asker", "the seat whose barter has not been answered yet", attrgetter("asker"))
    builder.add_seats("satisfied", "the seats that stand and trade no more", attrgetter("satisfied"))
    builder.add_known_cards()
    builder.add_seen_cards()


def deal_limits(rules: BarterRules, players: int) -> tuple[int, int]:
    """Count for each turn an offer, its refusal, another choice, and whether one stands then; horses."""
    return 4 * rules.rounds * players + 4 * players, 8
