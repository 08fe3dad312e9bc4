"""The rewards of a match that is over: by placing, which sum to zero, or by payoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, cast, get_args

from arena.errors import ConfigError, suggest_nearest
from arena.games import Match, Rules
from arena.games.settlement.base import ChipSettlement

RewardKind = Literal["placing", "payoff"]
REWARD_KINDS: Final = get_args(RewardKind)
LOWEST_PLACING_REWARD: Final = -1.0
LOWEST_PAYOFF: Final = -1000.0
"""Stands for the lowest payoff in chips and points, which have no bound."""


def check_reward_kind(kind: str) -> RewardKind:
    """Return the kind of reward.

    Raises:
        ConfigError: There is none of that name.
    """
    if kind not in REWARD_KINDS:
        raise ConfigError(f"no rewards {kind!r}: {suggest_nearest(str(kind), REWARD_KINDS)}")
    return cast(RewardKind, kind)


def placing_rewards(placings: Sequence[int]) -> tuple[float, ...]:
    """Return by seat the part of the others placed worse less the part placed better: from -1 to 1.

    Example:
        >>> placing_rewards((1, 2, 2))
        (1.0, -0.5, -0.5)
    """
    others = len(placings) - 1
    return tuple(
        [
            (sum([other > own for other in placings]) - sum([other < own for other in placings])) / others
            for own in placings
        ]
    )


def match_rewards(match: Match, kind: RewardKind) -> tuple[float, ...]:
    """Return the rewards by seat of a match that is over."""
    if kind == "placing":
        return placing_rewards(match.placings)
    return tuple(map(float, match.payoffs))


def lowest_reward(rules: Rules, players: int, kind: RewardKind) -> float:
    """Return a reward as low as any of a match: the one for an illegal action.

    A payoff in tokens is at the lowest what one begins with and a free ride; one in chips or points has no
    bound, and `LOWEST_PAYOFF` stands for it.
    """
    if kind == "placing":
        return LOWEST_PLACING_REWARD
    tokens = rules.settlement.initial_holdings(players).tokens
    is_in_tokens = tokens is not None and not isinstance(rules.settlement, ChipSettlement)
    return -1.0 - max(tokens) if tokens and is_in_tokens else LOWEST_PAYOFF
