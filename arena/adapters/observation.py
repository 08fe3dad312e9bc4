"""Observation vectors: all that a seat knows at a decision, as numbers of fixed places.

They are made from the seat's view alone, so that nothing hidden can get into them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import ActionSpace, get_action_space
from arena.adapters.family_encoding import get_encoding
from arena.adapters.observation_layout import (
    LayoutBuilder,
    ObservationLayout,
    set_bits,
    squash,
    squash_signed,
)
from arena.games import Rules, View
from arena.games.settlement.base import Transfer

Observation = NDArray[np.float32]
POINTS_SCALE: Final = 50
"""Points that are halfway between none and endlessly many."""
DEALS_SCALE: Final = 10
"""Deals that are halfway between none and endlessly many."""
EVENTS_SCALE: Final = 8
"""Events in a deal, for each player, that are halfway between none and endlessly many."""


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
        add_turn_features(builder, get_action_space(rules, players))
        add_holdings(builder)
        self.layout: Final[ObservationLayout] = builder.layout()
        self.size: Final = self.layout.size
        self._indicators: Final = [find for _, _, _, find in builder.indicators]
        self._scalars: Final = [find for _, _, _, find in builder.scalars]
        self._first_scalar: Final = self.layout[builder.scalars[0][0]].start

    def __reduce__(self) -> tuple[object, ...]:
        return get_encoder, (self.rules, self.players)

    def encode(self, view: View) -> Observation:
        """Return the observation of a view: a new array of `size` values from 0 to 1."""
        out = np.empty(self.size, np.float32)
        self.encode_into(view, out)
        return out

    def encode_into(self, view: View, out: Observation) -> None:
        """Write the observation of a view into an array of `size` values."""
        bits = b"".join([find(view) for find in self._indicators])
        out[: self._first_scalar] = np.frombuffer(bits, np.uint8)
        out[self._first_scalar :] = [value for find in self._scalars for value in find(view)]

    def encode_many(self, views: Sequence[View], out: Observation, rows: Sequence[int]) -> None:
        """Write the observations of views into these rows of an array: faster than one by one."""
        bits = b"".join([find(view) for view in views for find in self._indicators])
        values = [value for view in views for find in self._scalars for value in find(view)]
        out[rows, : self._first_scalar] = np.frombuffer(bits, np.uint8).reshape(len(views), -1)
        out[rows, self._first_scalar :] = np.array(values, np.float32).reshape(len(views), -1)


@lru_cache(maxsize=64)
def get_encoder(rules: Rules, players: int) -> ObservationEncoder:
    """Return the encoder of a variant at a table of `players`; the same object for the same call."""
    return ObservationEncoder(rules, players)


def add_turn_features(builder: LayoutBuilder, actions: ActionSpace) -> None:
    """Add what all games have in common: the seats, the phase, and what was done last."""
    kinds, players = actions.kinds, builder.players
    builder.add_seat("dealer", "the dealer", lambda view: view.opening.dealer)
    builder.add_seats("in_deal", "the seats in this deal", lambda view: view.opening.order)

    one_kind = {kind: set_bits(len(kinds), (number,)) for number, kind in enumerate(kinds)}
    no_kind = bytes(len(kinds))

    def find_last_actions(view: View) -> bytes:
        """Go back through the public events until each seat has one."""
        missing = len(view.opening.order)
        last = [no_kind] * players
        event = view.public
        while event is not None and missing:
            seat = event.seat
            if seat is not None and last[seat] is no_kind and event.action.kind in one_kind:
                last[seat] = one_kind[event.action.kind]
                missing -= 1
            event = event.before
        return b"".join([last[seat] for seat in builder.seats_after[view.seat]])

    words = ", ".join(kinds)
    meaning = f"the kinds of legal actions: {words}"
    builder.add_bits("phase", (len(kinds),), meaning, lambda view: actions.legal(view).phase)
    meaning = f"the kind of each seat's latest action in this deal: {words}"
    builder.add_bits("last_action", (players, len(kinds)), meaning, find_last_actions)


def add_holdings(builder: LayoutBuilder) -> None:
    """Add the tokens, chips and points of each seat, the deal's number, its events and its stock."""
    rules, players = builder.rules, builder.players
    start, pack = rules.settlement.initial_holdings(players), len(rules.whole_pack)
    pot = players * max(1, getattr(rules.settlement, "stake", 1))
    if start.horse:
        builder.add_indicators("horse", (1,), "a horse can still be bought", lambda v: [0] * v.holdings.horse)
    builder.add_values("deal", 1, f"n deals before this one: n/(n+{DEALS_SCALE})", _deal)
    scale = EVENTS_SCALE * players
    builder.add_values(
        "events",
        1,
        f"n public events in this deal: n/(n+{scale})",
        lambda view: [squash(view.public.number + 1, scale) if view.public else 0.0],
    )
    builder.add_values("stock", 1, f"the cards in the stock, of {pack}", _find_stock(pack))
    if start.tokens is not None:
        most = sum(start.tokens) if isinstance(rules.settlement, Transfer) else max(start.tokens)
        meaning = f"each seat's tokens, of {most}"
        shares = lru_cache(maxsize=1 << 10)(lambda tokens: [max(token, 0) / most for token in tokens])
        builder.add_by_seat("tokens", meaning, lambda view: shares(view.holdings.tokens))
    if start.chips is not None:
        meaning = f"each seat's chips c: 1/2 + c/(|c|+{pot})/2"
        builder.add_by_seat("chips", meaning, lambda v: [squash_signed(c, pot) for c in v.holdings.chips])
    if start.pool is not None:
        meaning = f"the pool's c chips: c/(c+{pot})"
        builder.add_values("pool", 1, meaning, lambda view: [squash(view.holdings.pool, pot)])
    if start.points is not None:
        meaning = f"each seat's points p: 1/2 + p/(|p|+{POINTS_SCALE})/2"
        builder.add_by_seat(
            "points", meaning, lambda v: [squash_signed(p, POINTS_SCALE) for p in v.holdings.points]
        )
    for unit in start.other or ():
        meaning = f"each seat's {unit} n: 1/2 + n/(|n|+{POINTS_SCALE})/2"
        builder.add_by_seat(unit, meaning, _find_unit(unit))


def _find_stock(pack: int) -> Callable[[View], list[float]]:
    return lambda view: [getattr(view, "stock_left", 0) / pack]


def _find_unit(unit: str) -> Callable[[View], list[float]]:
    return lambda view: [squash_signed(count, POINTS_SCALE) for count in (view.holdings.other or {})[unit]]


def _deal(view: View) -> list[float]:
    return [squash(view.opening.number, DEALS_SCALE)]
