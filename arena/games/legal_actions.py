"""What a seat may choose from at a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.games.action import Action


class Choices:
    """The legal actions of a decision, shared by all decisions that offer the same."""

    __slots__ = ("actions", "code", "forced", "quiet")

    def __init__(self, actions: Sequence[Action], quiet: Action) -> None:
        self.actions: Final = tuple(actions)
        self.forced: Final = len(self.actions) == 1
        """Whether there is nothing to choose."""
        self.quiet: Final = quiet
        """What is played for a seat that failed."""
        self.code: Final = {one: place for place, one in enumerate(self.actions)}
        """Each action's place among the legal ones."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Choices, (self.actions, self.quiet)
