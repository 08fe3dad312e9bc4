"""Observers: what a seat, or everybody, knows of a state, as a tensor and as text."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, Final, Protocol

import numpy as np
import pyspiel
from numpy.typing import NDArray

from arena.adapters.observation import get_encoder
from arena.adapters.open_spiel.game_tree import Position, TreeRules
from arena.adapters.open_spiel.information_state import (
    Fields,
    describe,
    describe_finished,
    encode_finished,
    format_fields,
    get_vocabulary,
    list_deals,
    public_view,
)
from arena.adapters.open_spiel.limits import deal_limits
from arena.games import Deal

Floats = NDArray[np.float32]


class HasPosition(Protocol):
    """A state, as observers need it."""

    position: Position


class Observer:
    """An observer of one kind, as OpenSpiel's `make_observation` uses it.

    The tensor has the parts of the observation vector, by their names, and with perfect recall `history`: the
    numbers of a `Vocabulary` for all that was seen in this deal and in those before. With the private
    information of all players each part has a first dimension more, the players; without public information
    all that everybody knows is left out.

    Attributes:
        tensor: All parts, one after the other.
        dict: The parts by name, as views of the tensor.
    """

    def __init__(self, tree: TreeRules, kind: Any, params: Mapping[str, Any] | None = None) -> None:
        """Make an observer.

        Args:
            tree: The rules.
            kind: An `IIGObservationType`; None has public information, the own private one, and no recall.
            params: Not supported.

        Raises:
            ValueError: There are parameters, or nothing is to be observed.
        """
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        private = kind.private_info
        if params:
            raise ValueError(f"an observer of this game has no parameters; {dict(params)} were given")
        if not kind.public_info and private == pyspiel.PrivateInfoType.NONE:
            raise ValueError("an observer needs public information, private information, or both")
        self._has_public: Final[bool] = kind.public_info
        self._has_recall: Final[bool] = kind.perfect_recall
        self._is_private: Final[bool] = private != pyspiel.PrivateInfoType.NONE
        self._sees_all: Final[bool] = private == pyspiel.PrivateInfoType.ALL_PLAYERS
        self._players: Final = tree.players
        self._encoder: Final = get_encoder(tree.rules, tree.players)
        self._vocabulary: Final = get_vocabulary(tree.rules)
        shapes = {feature.name: feature.shape for feature in self._encoder.layout.features}
        if self._has_recall:
            shapes["history"] = (tree.max_deals * deal_limits(tree.rules, tree.players).numbers,)
        if self._sees_all:
            shapes = {name: (tree.players, *shape) for name, shape in shapes.items()}
        self.tensor: Floats = np.zeros(sum(map(prod, shapes.values())), np.float32)
        self.dict: dict[str, Floats] = {}
        start = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[start : start + prod(shape)].reshape(shape)
            start += prod(shape)

    def set_from(self, state: HasPosition, player: int) -> None:
        """Write what `player` observes in `state` into the tensor; nothing before the first deal."""
        self.tensor.fill(0)
        if not state.position.views:
            return
        if not self._sees_all:
            self._fill(state.position, player, self.dict)
            return
        for seat in range(self._players):
            self._fill(state.position, seat, {name: part[seat] for name, part in self.dict.items()})

    def string_from(self, state: HasPosition, player: int) -> str:
        """Return what `player` observes in `state` as text; "" before the first deal."""
        if not state.position.views:
            return ""
        seats = range(self._players) if self._sees_all else [player]
        texts = [format_fields(fields) for seat in seats for fields in self._describe(state.position, seat)]
        return "\n\n".join(texts)

    def _describe(self, position: Position, seat: int) -> list[Fields]:
        """Return what a seat knows: of all deals with perfect recall, else of this one without its events."""
        knower = seat if self._is_private else None
        current = describe(position.views, knower, is_public_known=self._has_public)
        if not self._has_recall:
            return [{name: value for name, value in current.items() if name != "events"}]
        past = [
            describe_finished(deal, knower, is_public_known=self._has_public)
            for deal in self._past_deals(position)
        ]
        return [*past, current]

    def _past_deals(self, position: Position) -> list[Deal]:
        assert position.match is not None
        return list_deals(position.match)[:-1]

    def _fill(self, position: Position, seat: int, parts: Mapping[str, Floats]) -> None:
        views = position.views
        vector = self._encoder.encode(views[seat] if self._is_private else public_view(views))
        public = None if self._has_public else self._encoder.encode(public_view(views))
        for feature in self._encoder.layout.features:
            values = vector[feature.slice]
            if public is None or not np.array_equal(values, public[feature.slice]):
                parts[feature.name][...] = values.reshape(feature.shape)
        if self._has_recall:
            self._fill_history(position, seat if self._is_private else None, parts["history"])

    def _fill_history(self, position: Position, knower: int | None, out: Floats) -> None:
        has_public = self._has_public
        past = [
            encode_finished(deal, knower, is_public_known=has_public) for deal in self._past_deals(position)
        ]
        current = self._vocabulary.encode(describe(position.views, knower, is_public_known=has_public))
        start = 0
        for of_deal in (*past, np.array(current, np.float32)):
            out[start : start + len(of_deal)] = of_deal
            start += len(of_deal)
