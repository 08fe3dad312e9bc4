"""Information of a seat, or of everybody, about a match: as text, as numbers, and as observers show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import prod
from typing import Any, Final, Protocol

import msgspec
import numpy as np
import pyspiel
from numpy.typing import NDArray

from arena.adapters.family_encoding import get_encoding
from arena.adapters.observation import get_encoder
from arena.adapters.open_spiel.game_tree import Position, TreeRules, deal_limits
from arena.games import Deal, Match, Rules, View
from arena.games.cards import HIDDEN, Hand
from arena.play.bot_runtime.json_views import describe_view

Fields = dict[str, Any]
"""The contents of a view, in notation, by the names of its fields."""
ENCODE: Final = msgspec.json.Encoder().encode

WORDS: Final = (
    *(
        "barter",
        "buy",
        "cambio",
        "continue",
        "decline",
        "discard",
        "draw",
        "drawn",
        "exchange",
        "give",
        "hold",
    ),
    *("horse", "keep", "knock", "lay", "leave", "no-horse", "pass", "peek", "penalty", "place", "pounce"),
    *(
        "renew",
        "replace",
        "reshuffle",
        "seen",
        "sell",
        "show",
        "skip",
        "snap",
        "stand",
        "stock",
        "swap",
        "take",
    ),
    *("trade", "turn", "widow", "retailer", "wholesaler", "tokens", "chips", "points", "pool"),
    *("added", "exchanged"),
)
"""The words of events and fields."""
MARKS: Final = ("[", "]", "none", "??", ">", "#", "*")
"""Begin and end of a list, no value, a card not known, and the signs of the notation."""
OTHER: Final = "…"
"""Stands for words that a game without an encoding of its own uses seldom."""
MAX_KEPT_TEXTS: Final = 1 << 14
SEPARATORS: Final = re.compile(r"[:, ]|([>#*])")


def list_deals(match: Match) -> list[Deal]:
    """Return the deals of a match, the one being played last."""
    finished, deal = match.finished_deals, match.deal
    return finished if finished and finished[-1] is deal else [*finished, deal]


# --- views ---


def public_view(views: Sequence[View]) -> View:
    """Return what all seats know: a view without hand, in which only what all views show is to be seen."""
    first, names = views[0], views[0].__struct_fields__
    shared = {name: _agree([getattr(view, name) for view in views]) for name in names}
    hidden = {name: (HIDDEN,) * len(getattr(first, name)) for name in ("hand", "dealt")}
    kept = {
        "opening": first.opening,
        "seat": first.seat,
        "legal": (),
        "public": first.public,
        "private": None,
    }
    return msgspec.structs.replace(first, **{**shared, **hidden, **kept})


def _agree(values: Sequence[Any]) -> Any:
    """Return the value that all have; of cards, and in tuples, `??` for each that they have not."""
    first = values[0]
    if all(value == first for value in values[1:]):
        return first
    if isinstance(first, tuple) and len({len(value) for value in values}) == 1:
        return tuple([_agree(places) for places in zip(*values, strict=True)])
    return HIDDEN


# --- fields ---


def describe(views: Sequence[View], seat: int | None, *, is_public_known: bool = True) -> Fields:
    """Return what somebody knows of a deal.

    Args:
        views: The views of all seats.
        seat: The seat that knows it; None is what everybody knows.
        is_public_known: Without it, only what the seat knows beyond what everybody knows.
    """
    if seat is None:
        fields = _describe_view(public_view(views))
        return {name: value for name, value in fields.items() if name not in ("seat", "known", "to_act")}
    own = _describe_view(views[seat])
    if is_public_known:
        return own
    public = describe(views, None)
    fields = {name: value for name, value in own.items() if public.get(name) != value}
    return {**fields, "events": _list_private_events(views[seat])}


@lru_cache(maxsize=1 << 10)
def describe_finished(deal: Deal, seat: int | None, *, is_public_known: bool = True) -> Fields:
    """Return what somebody knows of a deal that is over."""
    views = [deal.view(seat) for seat in range(deal.opening.players)]
    return describe(views, seat, is_public_known=is_public_known)


def _describe_view(view: View) -> Fields:
    """Return the fields of a view with its events; of the legal actions only their kinds."""
    return {**describe_view(view), "to_act": list(dict.fromkeys([action.kind for action in view.legal]))}


def _list_private_events(view: View) -> list[str]:
    """Return the events that only this seat knows, each with the number of public ones before it."""
    events, private = [], view.private
    while private is not None:
        sign = "*" if private.replaces_public else ""
        events.append(f"{private.event.number}{sign} {private.event.text}")
        private = private.before
    return events[::-1]


# --- text ---


def format_fields(fields: Fields) -> str:
    """Return the fields as text, one a line."""
    return "\n".join([f"{name}: {_text(value)}" for name, value in fields.items()])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ENCODE(value).decode()


# --- numbers ---


class Vocabulary:
    """The numbers of words, cards and integers, so that a seat's knowledge can be a tensor.

    0 is nothing; then come marks, words and the cards of the pack, and from `first_integer` on the integers
    from 0. Negative integers stay as they are.
    """

    def __init__(self, cards: Hand, words: Sequence[str] = ()) -> None:
        own = [word for word in words if word not in WORDS]
        texts = [*MARKS, *WORDS, *[card.text for card in cards], *([OTHER, *own] if own else [])]
        self._number: Final = {text: number for number, text in enumerate(texts, 1)}
        self.first_integer: Final = len(texts) + 1
        self._texts: Final[dict[str, tuple[int, ...]]] = {}

    def encode(self, fields: Fields) -> list[int]:
        """Return the numbers of all values, in their order, as one list."""
        return list(self._encode(list(fields.values())))

    def _encode(self, value: Any) -> Iterator[int]:
        if value is None:
            yield self._number["none"]
        elif isinstance(value, int):
            yield value + self.first_integer if value >= 0 else value
        elif isinstance(value, str):
            yield from self._encode_text(value)
        else:
            values = [item for pair in value.items() for item in pair] if isinstance(value, dict) else value
            yield self._number["["]
            for item in values:
                yield from self._encode(item)
            yield self._number["]"]

    def _encode_text(self, text: str) -> tuple[int, ...]:
        numbers = self._texts.get(text)
        if numbers is None:
            if len(self._texts) >= MAX_KEPT_TEXTS:
                self._texts.clear()
            words = [word for word in SEPARATORS.split(text) if word]
            numbers = self._texts[text] = tuple([self._find_number(word) for word in words])
        return numbers

    def _find_number(self, word: str) -> int:
        if word.isdigit():
            return int(word) + self.first_integer
        return (
            self._number[word] if word in self._number or OTHER not in self._number else self._number[OTHER]
        )


@cache
def get_vocabulary(rules: Rules) -> Vocabulary:
    """Return the vocabulary of a game; the same object for the same rules."""
    encoding: Any = get_encoding(rules)
    words = encoding.explore(rules, rules.players[0]).words if hasattr(encoding, "explore") else ()
    return Vocabulary(tuple(dict.fromkeys(rules.whole_pack.cards)), words)


@lru_cache(maxsize=1 << 10)
def encode_finished(deal: Deal, seat: int | None, *, is_public_known: bool = True) -> NDArray[np.float32]:
    """Return the numbers of what somebody knows of a deal that is over; not to be changed."""
    vocabulary = get_vocabulary(deal.opening.rules)
    fields = describe_finished(deal, seat, is_public_known=is_public_known)
    return np.array(vocabulary.encode(fields), np.float32)


# --- observer ---

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
