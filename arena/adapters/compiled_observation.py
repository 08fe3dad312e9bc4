"""Writing observation vectors from matches on arrays, compiled: what families share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.action_space import get_action_space
from arena.adapters.observation import get_encoder
from arena.adapters.observation_layout import DEALS_SCALE, EVENTS_SCALE, POINTS_SCALE
from arena.games import Rules
from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY
from arena.games.settlement.base import Transfer

OBSERVATION: Final = Path(__file__)
"""This file, for digests of what is compiled."""
ABSENT: Final = -1
"""Place of a feature that the observation does not have."""
MAX_CARDS: Final = 80
MAX_KINDS: Final = 16
PLACES: Final = (
    *("hand", "widow", "widow_down", "further", "discard_top", "discards", "knocker", "asker", "satisfied"),
    *("known", "seen", "dealer", "in_deal", "phase", "last_action", "horse", "deal", "events", "stock"),
    *("tokens", "chips", "pool", "points", "hands", "drawn", "caller"),
    *("retailer", "wholesaler", "laid", "sets", "greenbacks", "base", "bases", "sold"),
)
"""Features that compiled functions write."""
FEATURES: Final = np.dtype(
    [
        *[(name, "i4") for name in PLACES],
        ("token_scale", "i4"),
        ("pot", "i4"),
        ("slot_width", "i4"),
        ("kinds", "i4"),
        ("pack", "i4"),
        ("rank_of", "i1", (MAX_CARDS,)),  # by card
        ("suit_of", "i1", (MAX_CARDS,)),  # by card, after the ranks
        ("kind_place", "i1", (MAX_KINDS,)),  # by kind of action, its place; ABSENT for one that never is
    ],
    align=True,
)
"""Places and codes of an observation vector; ABSENT for a feature it does not have."""


def find_features(rules: Rules, players: int, kinds: Sequence[str]) -> Any:
    """Return the places of the features in the observation vector of a variant.

    Args:
        rules: The variant.
        players: Seats at the table.
        kinds: The kinds of actions in the order of their numbers in the compiled play.
    """
    places, space = get_encoder(rules, players).layout, get_action_space(rules, players)
    features = np.zeros(1, FEATURES)
    for name in PLACES:
        features[name] = places[name].start if name in places else ABSENT
    cards = rules.whole_pack.cards
    ranks, suits = list(dict.fromkeys(c.rank for c in cards)), list(dict.fromkeys(c.suit for c in cards))
    tokens = rules.settlement.initial_holdings(players).tokens or (1,)
    features["token_scale"] = sum(tokens) if isinstance(rules.settlement, Transfer) else max(tokens)
    features["pot"] = players * max(1, getattr(rules.settlement, "stake", 1))
    features["slot_width"] = len(ranks) + len(suits) + 1
    features["kinds"], features["pack"] = len(space.kinds), len(cards)
    features["rank_of"][0, : len(cards)] = [ranks.index(c.rank) for c in cards]
    features["suit_of"][0, : len(cards)] = [len(ranks) + suits.index(c.suit) for c in cards]
    features["kind_place"][0, : len(kinds)] = [
        space.kinds.index(kind) if kind in space.kinds else ABSENT for kind in kinds
    ]
    return features[0]


@compiled
def clear(out: Any) -> None:
    """Write zeros."""
    for place in range(len(out)):  # a loop, as slices take far longer to compile
        out[place] = 0


@compiled
def write_card(features: Any, card: int, at: int, out: Any) -> None:
    """Write a card in its slot."""
    out[at + features.rank_of[card]] = 1
    out[at + features.suit_of[card]] = 1


@compiled
def write_cards(cards: int, at: int, out: Any) -> None:
    """Write cards in no order, given as bits."""
    while cards:
        if cards & 1:
            out[at] = 1
        cards >>= 1
        at += 1


@compiled
def write_seats(players: int, step: int, match: Any, features: Any, seat: int, out: Any) -> None:
    """Write who deals and plays, and what each seat did last."""
    kinds = features.kinds
    for place in range(players):
        other = (seat + step * place) % players
        out[features.dealer + place] = match.dealer == other
        out[features.in_deal + place] = match.next_seat[other] != NOBODY
        if match.last_kind[other] != NOBODY:
            out[features.last_action + place * kinds + features.kind_place[match.last_kind[other]]] = 1


@compiled
def write_phase(legal_kinds: Any, features: Any, out: Any) -> None:
    """Write the kinds of legal actions, given as bits."""
    for kind in range(len(features.kind_place)):
        if (legal_kinds >> kind) & 1:
            out[features.phase + features.kind_place[kind]] = 1


@compiled
def write_counts(players: int, match: Any, stock: int, features: Any, out: Any) -> None:
    """Write the numbers of deals before this one, of events in it, and of cards in the stock."""
    out[features.deal] = match.number / np.float64(match.number + DEALS_SCALE)
    out[features.events] = match.events / np.float64(match.events + EVENTS_SCALE * players)
    out[features.stock] = stock / np.float64(features.pack)


@compiled
def write_tokens(players: int, step: int, match: Any, features: Any, seat: int, out: Any) -> None:
    """Write the tokens that each seat had before the deal."""
    for place in range(players):
        held = max(match.held[(seat + step * place) % players], 0)
        out[features.tokens + place] = held / np.float64(features.token_scale)


@compiled
def write_chips(players: int, step: int, match: Any, features: Any, seat: int, out: Any) -> None:
    """Write the chips of each seat, and those in the pool."""
    pot = np.float64(features.pot)
    for place in range(players):
        chips = match.held_chips[(seat + step * place) % players]
        out[features.chips + place] = 0.5 + 0.5 * chips / (abs(chips) + pot)
    if features.pool != ABSENT:
        out[features.pool] = match.held_pool / (match.held_pool + pot)


@compiled
def write_points(players: int, step: int, points: Any, seat: int, at: int, out: Any) -> None:
    """Write the points of each seat, which may be negative."""
    for place in range(players):
        held = points[(seat + step * place) % players]
        out[at + place] = 0.5 + 0.5 * held / np.float64(abs(held) + POINTS_SCALE)
