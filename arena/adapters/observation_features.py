"""The features of observation vectors that all games have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from arena.adapters.observation_layout import (
    Encode,
    LayoutBuilder,
    encode_ones,
    squash,
    squash_signed,
)
from arena.games import View
from arena.games.settlement.base import Transfer

POINTS_SCALE: Final = 50
"""Points that are halfway between none and endlessly many."""
DEALS_SCALE: Final = 10
"""Deals that are halfway between none and endlessly many."""
EVENTS_SCALE: Final = 8
"""Events in a deal, for each player, that are halfway between none and endlessly many."""


def add_turn_features(builder: LayoutBuilder, kinds: Sequence[str], encode_phase: Encode) -> None:
    """Add what all games have in common: the seats, the phase, and what was done last.

    Args:
        builder: Collects the features.
        kinds: The kinds of actions.
        encode_phase: Encodes of a view, for each kind, whether it is legal.
    """
    players = builder.players
    builder.add_seat("dealer", "the dealer", lambda view: view.opening.dealer)
    builder.add_seats("in_deal", "the seats in this deal", lambda view: view.opening.order)

    one_kind = {kind: encode_ones(len(kinds), (number,)) for number, kind in enumerate(kinds)}
    no_kind = encode_ones(len(kinds), ())

    def encode_last_actions(view: View) -> bytes:
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
    builder.add_encoded("phase", (len(kinds),), meaning, encode_phase)
    meaning = f"the kind of each seat's latest action in this deal: {words}"
    builder.add_encoded("last_action", (players, len(kinds)), meaning, encode_last_actions)


def add_holdings(builder: LayoutBuilder) -> None:
    """Add the tokens, chips and points of each seat, the deal's number, its events and its stock."""
    rules, players = builder.rules, builder.players
    start, pack = rules.settlement.initial_holdings(players), len(rules.whole_pack)
    pot = players * max(1, getattr(rules.settlement, "stake", 1))
    if start.horse:
        builder.add_indicators("horse", (1,), "a horse can still be bought", lambda v: [0] * v.holdings.horse)
    builder.add_count(
        "deal",
        f"n deals before this one: n/(n+{DEALS_SCALE})",
        lambda view: view.opening.number,
        lambda count: squash(count, DEALS_SCALE),
    )
    scale = EVENTS_SCALE * players
    builder.add_count(
        "events",
        f"n public events in this deal: n/(n+{scale})",
        lambda view: view.public.number + 1 if view.public else 0,
        lambda count: squash(count, scale),
    )
    builder.add_count(
        "stock",
        f"the cards in the stock, of {pack}",
        lambda view: getattr(view, "stock_left", 0),
        lambda count: count / pack,
    )
    if start.tokens is not None:
        most = sum(start.tokens) if isinstance(rules.settlement, Transfer) else max(start.tokens)
        meaning = f"each seat's tokens, of {most}"
        builder.add_by_seat("tokens", meaning, lambda v: v.holdings.tokens, lambda n: max(n, 0) / most)
    if start.chips is not None:
        meaning = f"each seat's chips c: 1/2 + c/(|c|+{pot})/2"
        builder.add_by_seat("chips", meaning, lambda v: v.holdings.chips, lambda c: squash_signed(c, pot))
    if start.pool is not None:
        meaning = f"the pool's c chips: c/(c+{pot})"
        builder.add_count("pool", meaning, lambda v: v.holdings.pool, lambda c: squash(c, pot))
    if start.points is not None:
        meaning = f"each seat's points p: 1/2 + p/(|p|+{POINTS_SCALE})/2"
        builder.add_by_seat("points", meaning, lambda v: v.holdings.points, _scale_points)
    for unit in start.other or ():
        meaning = f"each seat's {unit} n: 1/2 + n/(|n|+{POINTS_SCALE})/2"
        builder.add_by_seat(unit, meaning, _find_unit(unit), _scale_points)


def _find_unit(unit: str) -> Callable[[View], Sequence[int]]:
    return lambda view: (view.holdings.other or {})[unit]


def _scale_points(points: float) -> float:
    return squash_signed(points, POINTS_SCALE)
