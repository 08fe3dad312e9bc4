"""The matches of a vector environment, however they are played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import get_action_space
from arena.adapters.observation import get_encoder
from arena.adapters.rewards import RewardKind
from arena.games import Rules

BEGIN: Final = -1
"""Command in place of an action: begin the match whose seed is set."""
SKIP: Final = -2
"""Command in place of an action: leave the match as it is."""
RUNNING: Final = 0
"""Status of a match in which a seat is asked."""
OVER: Final = 1
ILLEGAL: Final = 2
"""Status of a match that an illegal action has ended."""


class BatchSpec(NamedTuple):
    """The game, number of matches and rewards of a batch.

    Attributes:
        rules: The variant.
        players: Seats at the table.
        matches: The number of matches.
        reward_kind: What the rewards at the end of a match are.
        illegal_reward: The reward of an illegal action.
    """

    rules: Rules
    players: int
    matches: int
    reward_kind: RewardKind
    illegal_reward: float


class MatchBatch(ABC):
    """Many matches, each played up to a decision of a seat that is asked, or to its end.

    Attributes:
        observations: By match, what `seats` observes.
        masks: By match, 1 for each legal action; all zeros where the match is over.
        seats: The seat asked; where a match is over, the one that was asked last, or what was set since.
        statuses: RUNNING, OVER or ILLEGAL.
        rewards: By match and seat; zeros until a match is over.
    """

    def __init__(self, spec: BatchSpec) -> None:
        rules, players, count = spec.rules, spec.players, spec.matches
        self.observations: NDArray[Any] = np.zeros((count, get_encoder(rules, players).size), np.float32)
        self.masks: NDArray[Any] = np.zeros((count, len(get_action_space(rules, players))), np.int8)
        self.seats: NDArray[Any] = np.zeros(count, np.int64)
        self.statuses: NDArray[Any] = np.full(count, OVER, np.int8)
        self.rewards: NDArray[Any] = np.zeros((count, players), np.float64)

    @abstractmethod
    def set_seed(self, place: int, seed: str) -> None:
        """Set the seed of the match that begins next at a place."""

    @abstractmethod
    def seat_bots(self, places: Sequence[int], bots: Sequence[Any]) -> None:
        """Set who plays the matches that begin next at these places.

        Args:
            places: Numbers of matches.
            bots: By seat, a bot; None for a seat that is asked.
        """

    @abstractmethod
    def advance(self, todo: NDArray[np.int64]) -> None:
        """Play on up to the next decision of a seat that is asked, or the end of the match.

        Args:
            todo: For each match BEGIN, SKIP or the number of an action, legal or not.
        """
