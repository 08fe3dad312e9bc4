"""Numbers for actions: every action that can ever be legal has one, by positions and not by cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import index as to_int
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.adapters.family_encoding import get_encoding
from arena.adapters.generic_encoding import unknown_action
from arena.adapters.observation_layout import encode_ones, seat_distances
from arena.errors import IllegalAction
from arena.games import Action, Rules, View

Mask = NDArray[np.int8]
CACHED_MASK_BYTES: Final = 1 << 22


class LegalNumbers(NamedTuple):
    """The legal actions of a decision by their numbers.

    Attributes:
        actions: Actions by number, in ascending order.
        mask: 1 for each legal number, else 0; shared and read-only.
        mask_bytes: The same as bytes.
        legal: The legal actions as the view has them.
        numbers: Their numbers, in the same order.
        phase: An encoded value for each of the `kinds` of the action space: 1 for those that are legal.
    """

    actions: Mapping[int, Action]
    mask: Mask
    mask_bytes: bytes
    legal: tuple[Action, ...]
    numbers: tuple[int, ...]
    phase: bytes


class ActionSpace:
    """The numbers of a variant's actions at a table of `players`.

    A number means a position: own slots and slots of the table are counted from 1, seats in the order of
    turns from the seat to act, which is +0.

    Attributes:
        rules: The variant.
        players: Seats at the table.
        names: Names of the actions by number, with positions: `exchange 1 for 3`, `peek +1:4`, `pass`.
        kinds: The kinds of actions: `exchange`, `pass` …

    Example:
        >>> from arena import variant
        >>> space = get_action_space(variant("lives"), players=4)
        >>> len(space), space.names[0], space.names[-1]
        (11, 'exchange 1 for 1', 'knock')
        >>> match = variant("lives").match(players=4, seed="view")
        >>> view = match.view(match.seat_to_act)
        >>> space.text(view, 0), space.parse(view, "pass")
        ('5H>6D', 9)
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules: Final = rules
        self.players: Final = players
        self._encoding: Final = get_encoding(rules)
        self.names: Final = tuple(dict.fromkeys(self._encoding.action_names(rules, players)))
        self.kinds: Final = tuple(dict.fromkeys([name.partition(" ")[0] for name in self.names]))
        self._number: Final = {name: number for number, name in enumerate(self.names)}
        self._legal: Final[dict[tuple[int, int], LegalNumbers]] = {}
        self._max_cached: Final = max(16, CACHED_MASK_BYTES // len(self.names))

    def __len__(self) -> int:
        return len(self.names)

    def __reduce__(self) -> tuple[object, ...]:
        return get_action_space, (self.rules, self.players)

    def legal(self, view: View) -> LegalNumbers:
        """Return the legal actions of a view by their numbers; none for a seat that is not to act."""
        key = (id(view.legal), view.seat)
        numbered = self._legal.get(key)
        if numbered is None or numbered.legal is not view.legal:
            if len(self._legal) >= self._max_cached:
                self._legal.clear()
            numbered = self._legal[key] = self._number_legal(view)
        return numbered

    def _number_legal(self, view: View) -> LegalNumbers:
        actions = {self.number(action, view.seat): action for action in view.legal}
        assert len(actions) == len(view.legal), "two legal actions have the same number"
        mask = bytearray(len(self.names))
        for number in actions:
            mask[number] = 1
        legal_kinds = {action.kind for action in view.legal}
        phase = encode_ones(len(self.kinds), [self.kinds.index(kind) for kind in legal_kinds])
        in_order = dict(sorted(actions.items()))
        frozen = bytes(mask)
        mask_array = np.frombuffer(frozen, np.int8)
        return LegalNumbers(in_order, mask_array, frozen, view.legal, tuple(actions), phase)

    def number(self, action: Action, seat: int) -> int:
        """Return the number of an action of a seat."""
        distance = seat_distances(self.players, self.rules.step, seat)
        name = self._encoding.name_action(action, distance)
        number = self._number.get(name)
        if number is None:
            raise unknown_action(self.rules, name)
        return number

    def mask(self, view: View) -> Mask:
        """Return a new array: 1 for each legal number, else 0."""
        return self.legal(view).mask.copy()

    def action(self, view: View, number: Any) -> Action:
        """Return the legal action of that number, a Python or numpy integer.

        Raises:
            IllegalAction: It is not legal now, or no number of this game.
        """
        try:
            chosen = self.legal(view).actions.get(to_int(number))
        except TypeError:
            raise IllegalAction(f"{number!r} is not an action: give its number, a whole number") from None
        if chosen is None:
            raise IllegalAction(self._explain(to_int(number), view))
        return chosen

    def _explain(self, number: int, view: View) -> str:
        if not 0 <= number < len(self.names):
            return f"{number} is not an action of {self.rules}: they go from 0 to {len(self.names) - 1}"
        legal = ", ".join(
            [f"{action} ({self.names[action]})" for action in list(self.legal(view).actions)[:8]]
        )
        dots = " …" if len(view.legal) > 8 else ""
        return f"action {number} ({self.names[number]}) is not legal now; legal are {legal}{dots}"

    def text(self, view: View, number: Any) -> str:
        """Return the notation of a legal action, with its cards.

        Raises:
            IllegalAction: It is not legal now.
        """
        return view.text(self.action(view, number))

    def parse(self, view: View, text: str) -> int:
        """Return the number of the legal action written as `text`.

        Raises:
            InvalidNotation: No action is written so.
            IllegalAction: The action is not legal now.
        """
        return self.number(view.parse(text), view.seat)


@lru_cache(maxsize=64)
def get_action_space(rules: Rules, players: int) -> ActionSpace:
    """Return the action space of a variant at a table of `players`; the same object for the same call."""
    return ActionSpace(rules, players)
