"""What a seat may choose from at a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.games.action import Action


class LegalActions:
    """The legal actions of a decision, shared by all decisions that offer the same."""

    __slots__ = ("actions", "default", "index", "is_forced")

    def __init__(self, actions: Sequence[Action], default: Action) -> None:
        self.actions: Final = tuple(actions)
        self.is_forced: Final = len(self.actions) == 1
        """Whether there is nothing to choose."""
        self.default: Final = default
        """What is played for a seat that failed."""
        self.index: Final = {one: place for place, one in enumerate(self.actions)}
        """Each action's place among the legal ones."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return LegalActions, (self.actions, self.default)
