"""Numbers for actions, for tuples of legal actions and for views, as Python hosts know them."""

from __future__ import annotations

import pickle
from random import SystemRandom
from typing import Any

from arena.games import View
from arena.games.action import Action
from arena.play.botside.wire import ACTION, LEGAL, VIEW

BITS = 31


class Numbering:
    """The numbers of one worker, the same for all its hosts; each host is told those that it meets.

    They are drawn at random: in turn they would tell a bot how much others have been asked.
    """

    def __init__(self) -> None:
        self.actions: dict[Action, int] = {}
        self.meaning: dict[int, list[Any]] = {}
        """What says the meaning of a number to a host."""
        self._views: dict[type[View], int] = {}
        self._legal: dict[tuple[Action, ...], int] = {}
        self._legal_by_id: dict[int, tuple[tuple[Action, ...], int]] = {}
        self._draw = SystemRandom().getrandbits

    def action(self, action: Action) -> int:
        """The number of an action."""
        number = self.actions.get(action)
        if number is None:
            number = self.actions[action] = self._new()
            self.meaning[number] = [ACTION, number, pickle.dumps(action)]
        return number

    def legal(self, actions: tuple[Action, ...]) -> int:
        """The number of a tuple of legal actions."""
        found = self._legal_by_id.get(id(actions))
        if found is not None:
            return found[1]
        number = self._legal.get(actions)
        if number is None:
            number = self._legal[actions] = self._new()
            self.meaning[number] = [LEGAL, number, [self.action(one) for one in actions]]
            self._legal_by_id[id(actions)] = actions, number  # kept, so that the id stays its own
        return number

    def view(self, kind: type[View]) -> int:
        """The number of a family's views."""
        number = self._views.get(kind)
        if number is None:
            number = self._views[kind] = self._new()
            self.meaning[number] = [VIEW, number, f"{kind.__module__}:{kind.__qualname__}"]
        return number

    def _new(self) -> int:
        while (number := self._draw(BITS)) in self.meaning:
            pass
        return number
