"""The placings and rewards of a match that is over, on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY


@compiled
def compute_placings(players: int, match: Any, placings: Any) -> None:
    """Write placings by seat: by tokens, then by the deal one went out in; ties share the better number."""
    for seat in range(players):
        better = 0
        for other in range(players):
            more = match.tokens[other] - match.tokens[seat]
            if more == 0:
                more = going_out_key(match, other) - going_out_key(match, seat)
            better += more > 0
        placings[seat] = 1 + better


@compiled
def write_token_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match in tokens that is over, by seat."""
    players = rules.players
    compute_placings(players, match, placings)
    for seat in range(players):
        rewards[seat] = match.tokens[seat] - rules.tokens
    if not by_payoff:
        reward_placings(players, placings, rewards)


@compiled
def write_chip_rewards(rules: Any, match: Any, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the rewards of a match in chips that is over, by seat."""
    for seat in range(rules.players):
        rewards[seat] = match.chips[seat]
    write_payoff_rewards(rules.players, by_payoff, placings, rewards)


@compiled
def write_payoff_rewards(players: int, by_payoff: bool, placings: Any, rewards: Any) -> None:
    """Write the placings by the payoffs that `rewards` has, and what they are worth in the place of these."""
    for seat in range(players):
        ahead = 0
        for other in range(players):
            ahead += int(rewards[other] > rewards[seat])
        placings[seat] = 1 + ahead
    if not by_payoff:
        reward_placings(players, placings, rewards)


@compiled
def reward_placings(players: int, placings: Any, rewards: Any) -> None:
    """Write by seat the share of the others placed worse less the share placed better."""
    for seat in range(players):
        ahead = 0
        for other in range(players):
            ahead += int(placings[other] > placings[seat]) - int(placings[other] < placings[seat])
        rewards[seat] = ahead / np.float64(players - 1)


@compiled
def going_out_key(match: Any, seat: int) -> int:
    """Return when a seat went out: later is larger, never is largest."""
    return 1 << 14 if match.went_out[seat] == NOBODY else int(match.went_out[seat])
