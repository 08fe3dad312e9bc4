"""Numbers for actions, for tuples of legal actions and for forms of views, as Python hosts know them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from random import SystemRandom
from typing import Any

from arena.games import Rules, View
from arena.games.action import Action
from arena.play.bot_runtime.wire import ACTION, FORM, LEGAL

BITS = 31


class Numbering:
    """The numbers of one worker, the same for all its hosts; each host is told those that it meets.

    They are drawn at random: in turn they would tell a bot how much others have been asked.
    """

    def __init__(self) -> None:
        self.actions: dict[Action, int] = {}
        self.meaning: dict[int, list[Any]] = {}
        """What says the meaning of a number to a host."""
        self._forms: dict[tuple[type[View], Rules], int] = {}
        self._legal: dict[tuple[Action, ...], int] = {}
        self._by_id: dict[int, int] = {}
        """Those numbers by the ids of tuples, which are kept above."""
        self._draw = SystemRandom().getrandbits

    def action(self, action: Action) -> int:
        """The number of an action."""
        number = self.actions.get(action)
        if number is None:
            number = self.actions[action] = self._new()
            self.meaning[number] = [ACTION, number, pickle.dumps(action)]
        return number

    def legal(self, column: Sequence[tuple[Action, ...]]) -> list[int]:
        """The numbers of tuples of legal actions."""
        known = self._by_id
        return [known.get(id(actions)) or self._number_of(actions) for actions in column]

    def _number_of(self, actions: tuple[Action, ...]) -> int:
        number = self._legal.get(actions)
        if number is None:
            number = self._legal[actions] = self._by_id[id(actions)] = self._new()
            self.meaning[number] = [LEGAL, number, [self.action(one) for one in actions]]
        return number

    def form(self, kind: type[View], rules: Rules) -> int:
        """The number of a family's views in a variant."""
        number = self._forms.get((kind, rules))
        if number is None:
            number = self._forms[kind, rules] = self._new()
            where = f"{kind.__module__}:{kind.__qualname__}"
            self.meaning[number] = [FORM, number, where, rules.name, dict(rules.overrides)]
        return number

    def _new(self) -> int:
        while (number := self._draw(BITS)) in self.meaning:
            pass
        return number
