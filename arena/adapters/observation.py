"""Observation vectors: all that a seat knows at a decision, as numbers of fixed places.

They are made from the seat's view alone, so that nothing hidden can get into them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import get_action_space
from arena.adapters.family_encoding import get_encoding
from arena.adapters.observation_layout import (
    LayoutBuilder,
    ObservationLayout,
    add_holdings,
    add_turn_features,
    encode_views,
)
from arena.games import Rules, View

Observation = NDArray[np.float32]
FLOAT: Final = np.dtype(np.float32)


class ObservationEncoder:
    """Makes the observation vectors of one variant and number of players.

    Attributes:
        rules: The variant.
        players: Seats at the table.
        layout: The places of the features in the vector.
        size: The length of the vector.
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules: Final = rules
        self.players: Final = players
        builder = LayoutBuilder(rules, players)
        get_encoding(rules).add_features(builder)
        actions = get_action_space(rules, players)
        add_turn_features(builder, actions.kinds, lambda view: actions.legal(view).phase)
        add_holdings(builder)
        self.layout: Final[ObservationLayout] = builder.layout()
        self.size: Final = self.layout.size
        self._encoders: Final = [encode for *_, encode in builder.features]

    def __reduce__(self) -> tuple[object, ...]:
        return get_encoder, (self.rules, self.players)

    def encode(self, view: View) -> Observation:
        """Return the observation of a view: a new array of `size` values from 0 to 1."""
        vector: Observation = np.frombuffer(encode_views(self._encoders, [view]), FLOAT)
        if len(vector) != self.size:
            raise ValueError(f"an observation of {len(vector)} values, not {self.size}")
        return vector

    def encode_into(self, view: View, out: Observation) -> None:
        """Write the observation of a view into an array of `size` values."""
        out[:] = self.encode(view)

    def encode_many(self, views: Sequence[View], out: Observation, rows: Sequence[int] | slice) -> None:
        """Write the observations of views into these rows of an array: faster than one by one."""
        encoded = np.frombuffer(encode_views(self._encoders, views), FLOAT)
        out[rows] = encoded.reshape(len(views), self.size)


@lru_cache(maxsize=64)
def get_encoder(rules: Rules, players: int) -> ObservationEncoder:
    """Return the encoder of a variant at a table of `players`; the same object for the same call."""
    return ObservationEncoder(rules, players)


def observe_view(view: View) -> Mapping[str, object]:
    """Return the observation of a view and its mask of legal actions, by the names of features.

    At tables of other sizes than the smallest nothing is returned: observations take their time to set up.
    """
    rules, players = view.opening.rules, view.players
    if players != rules.players[0]:
        return {}
    encoder = get_encoder(rules, players)
    vector = encoder.encode(view).tolist()
    facts: dict[str, object] = {
        f"observation[{name!r}]": tuple(vector[place]) for name, place in encoder.layout.items()
    }
    facts["action_mask"] = tuple(get_action_space(rules, players).mask(view).tolist())
    return facts
