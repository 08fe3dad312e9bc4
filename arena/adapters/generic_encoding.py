"""The encoding of games that give none: action numbers, features and limits, found by random play.

Actions are those that `Rules.list_actions` returns or, where it returns none, those that are legal somewhere
in a fixed sample of matches. What a seat observes of the game itself is its hand and the cards it has seen.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from arena.adapters.observation_layout import LayoutBuilder
from arena.errors import PluginError
from arena.games import Rules
from arena.games.action import Action

EXPLORED_DECISIONS: Final = 4000
WORD: Final = r"[a-z][a-z-]*"
SAFETY: Final = 4
"""A deal has at most as many decisions as the longest explored, times this."""
MAX_PRIVATE_NUMBERS: Final = 32
"""Most numbers that one decision tells a seat, in the tensors of OpenSpiel."""


class Exploration(NamedTuple):
    """Actions and lengths met in a sample of matches.

    Attributes:
        actions: The legal actions, in the order in which they were met first.
        hand_size: The most cards in a hand.
        decisions: The most decisions in a deal.
        words: The words of actions and events.
    """

    actions: tuple[Action, ...]
    hand_size: int
    decisions: int
    words: tuple[str, ...]


@lru_cache(maxsize=64)
def explore(rules: Rules, players: int) -> Exploration:
    """Play a fixed sample of matches at random, first what was not played yet."""
    rng, actions = Random(0), dict[Action, int]()
    words: dict[str, None] = {}
    largest = longest = done = matches = 0
    while done < EXPLORED_DECISIONS:
        match, matches = rules.match(players, f"explore {matches}"), matches + 1
        while not match.is_over and done < EXPLORED_DECISIONS:
            seat, deal = match.seat_to_act, match.deal
            assert seat is not None
            legal = deal.legal_actions.actions
            fewest = min([actions.setdefault(action, 0) for action in legal])
            chosen = rng.choice(
                [action for action in legal if actions[action] == fewest or rng.random() < 0.5]
            )
            actions[chosen] += 1
            match.apply(chosen)
            done += 1
            largest = max(largest, *map(len, deal.hands))
            longest = max(longest, len(deal.action_indices))
            for view in (deal.view(seat), deal.view((seat + 1) % players)):
                for event in view.events[-2:]:
                    words.update(dict.fromkeys(re.findall(WORD, event)))
    for action in actions:
        words.update(dict.fromkeys(re.findall(WORD, action.template)))
    return Exploration(tuple(actions), largest, longest, tuple(words))


def action_names(rules: Rules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers."""
    actions = rules.list_actions(players) or explore(rules, players).actions
    return [name_action(action, ()) for action in actions]


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name: its notation with slots, from 1, in the place of cards."""
    slots = [str(slot + 1) for slot in (*action.give, *action.take)]
    named = action.named_cards(slots) if action.named_count else []
    text = action.template % tuple(named) if len(named) == action.named_count else action.template
    unnamed = slots[: len(slots) - len(named)]
    words = [text, *unnamed] if text.startswith(action.kind) else [action.kind, text, *unnamed]
    return " ".join(words)


def add_features(builder: LayoutBuilder) -> None:
    """Add the hand and the cards seen in the deal, in it and in events.

    Of a hand larger than any that was met, the first cards are in slots; all are among the cards seen.
    """
    slots = explore(builder.rules, builder.players).hand_size
    meaning = "the own cards, in the order of the hand's slots"
    builder.add_slots("hand", slots, meaning, lambda view: view.hand[:slots])
    builder.add_seen_cards()


def deal_limits(rules: Rules, players: int) -> tuple[int, int]:
    """Return several times the most decisions of a deal that were met."""
    return SAFETY * explore(rules, players).decisions, MAX_PRIVATE_NUMBERS


def unknown_action(rules: Rules, name: str) -> PluginError:
    """Return the error about an action without a number."""
    return PluginError(
        f"the action {name!r} of {rules} has no number: it was not met in {EXPLORED_DECISIONS:,} decisions "
        "of random play, so the game must list its actions (`Rules.list_actions`)"
    )
