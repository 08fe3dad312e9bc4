"""Setting up environments: rules, opponents, the seeds of matches, and actions that are forced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Final

import numpy as np

from arena.errors import InvalidRules
from arena.games import Match, Rules, variant

SEED_BYTES: Final = 16


def make_rules(name: str | Rules, players: int, options: Mapping[str, Any]) -> Rules:
    """Return a variant's rules with options, for a table of `players`.

    Raises:
        TypeError: `players` is not a whole number, or `name` is neither a name nor rules.
        UnknownVariant: There is no such variant.
        UnknownOption: It has no such option, or not with that value.
        InvalidRules: So many cannot play.
    """
    if not isinstance(name, str | Rules):
        raise TypeError(f"a variant is given by its name or as rules, not as {name!r}")
    rules = variant(name, **options) if isinstance(name, str) else name.with_options(dict(options))
    if not isinstance(players, Integral):
        raise TypeError(f"players is a whole number, not {players!r}")
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.explain_player_limit(players)}")
    return rules


def list_opponents(opponents: Any) -> list[Any]:
    """Return opponents as a list; one name is a list of one.

    Raises:
        TypeError: They are neither a name nor a list.
    """
    if isinstance(opponents, str):
        return [opponents]
    if not isinstance(opponents, Sequence):
        raise TypeError(f"opponents is a list of bots, such as ['greedy'], not {opponents!r}")
    return list(opponents)


def choose_match_seed(seed: int | None, options: Mapping[str, Any] | None, rng: np.random.Generator) -> str:
    """Return the text that seeds the match after a reset.

    Args:
        seed: The seed of the reset; it is the match's, written in digits.
        options: The options of the reset: a text under `seed` seeds the match itself.
        rng: The randomness of the environment, for a reset without a seed.

    Raises:
        TypeError: The option `seed` is not a text.
    """
    text = (options or {}).get("seed")
    if text is not None and not isinstance(text, str):
        raise TypeError(f"options: seed is a text, as in a record, not {text!r}; a number is reset(seed=…)")
    if text is None and seed is not None:
        return str(int(seed))
    return draw_match_seed(rng) if text is None else text


def draw_match_seed(rng: np.random.Generator) -> str:
    """Return the seed of a match drawn at random."""
    return rng.bytes(SEED_BYTES).hex()


def play_forced(match: Match) -> None:
    """Play actions that are the only legal ones, of which a seat is not asked, up to a decision."""
    while not match.is_over and match.deal.legal_actions.is_forced:
        match.apply(match.deal.legal_actions.default)
