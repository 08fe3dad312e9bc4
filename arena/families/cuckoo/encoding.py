"""Actions and observations of the games of one card each."""

from __future__ import annotations

from operator import attrgetter

from arena.adapters.family_encoding import CARDS_IN_A_RANK
from arena.adapters.observation_layout import LayoutBuilder
from arena.families.cuckoo.deal import TURN
from arena.families.cuckoo.rules import CuckooRules
from arena.games.action import Action


def action_names(rules: CuckooRules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers."""
    return [name_action(action, ()) for action in TURN.actions]


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name: `keep` or `swap`."""
    return action.kind


def add_features(builder: LayoutBuilder) -> None:
    """Add the dealer's further cards and what is known of the other hands."""
    rules = builder.rules
    assert isinstance(rules, CuckooRules)
    builder.add_hand(rules.hand_size)
    if rules.table_size:
        builder.add_slots("further", rules.table_size, "the dealer's other cards", attrgetter("further"))
    builder.add_known_cards()
    builder.add_seen_cards()


def deal_limits(rules: CuckooRules, players: int) -> tuple[int, int]:
    """Count a turn each; a swap may show a king and all queens."""
    return players, 4 + 4 * (CARDS_IN_A_RANK + 1)
