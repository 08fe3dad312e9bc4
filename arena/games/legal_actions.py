"""The legal actions of a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.games.action import Action, action


class LegalActions:
    """Legal actions of a decision, shared by all decisions that offer the same."""

    __slots__ = ("actions", "default", "index", "is_forced")

    def __init__(self, actions: Sequence[Action], default: Action) -> None:
        self.actions: Final = tuple(actions)
        self.is_forced: Final = len(self.actions) == 1
        self.default: Final = default
        """The quiet action: played for a seat that failed."""
        self.index: Final = {legal: place for place, legal in enumerate(self.actions)}

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return LegalActions, (self.actions, self.default)


NO_ACTIONS: Final = LegalActions((), action("none"))
"""Legal actions of a seat that is not to act."""
