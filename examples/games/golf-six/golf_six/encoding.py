"""Actions and observations by number, for other libraries."""

from __future__ import annotations

from arena.adapters.observation_layout import LayoutBuilder
from arena.games.authoring import Action, Hand
from golf_six.deal import FIRST_TURNED
from golf_six.rules import GridRules
from golf_six.view import GridView

DECISIONS_IN_A_TURN = 3
"""Draw, put down, turn up."""
NUMBERS_IN_A_DECISION = 16
"""Limit on the numbers that a decision tells a seat: the cards of a column and those around them."""


def action_names(rules: GridRules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers."""
    return [name_action(action, ()) for action in rules.list_actions(players)]


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name, which is its notation: it names places of one's own alone."""
    return action.template


def add_features(builder: LayoutBuilder) -> None:
    """Add the cards face up, the discard pile, the card drawn, and who has closed."""
    builder.add_hands("grids", builder.rules.hand_size, "the cards in front of each seat", _known)
    builder.add_slots("drawn", 1, "the card drawn and not yet put down", _drawn)
    builder.add_slots("discard_top", 1, "the top card of the discard pile", _top)
    builder.add_cards("discards", "the cards of the discard pile", _pile)
    builder.add_seat("closer", "the seat that turned up its last card first", _closer)


def _known(view: GridView) -> tuple[Hand, ...]:
    return view.known


def _drawn(view: GridView) -> Hand:
    return (view.drawn,) if view.drawn else ()


def _top(view: GridView) -> Hand:
    return view.discard[-1:]


def _pile(view: GridView) -> Hand:
    return view.discard


def _closer(view: GridView) -> int | None:
    return view.closer


def deal_limits(rules: GridRules, players: int) -> tuple[int, int]:
    """Count the cards turned up first, all turns, and the last turns after somebody has closed."""
    turns = (rules.rounds + 1) * players
    return FIRST_TURNED * players + DECISIONS_IN_A_TURN * turns, NUMBERS_IN_A_DECISION
