"""Views as 32-bit integers, for bots that are WebAssembly modules; docs/protocol.md lists the fields.

A message is a row of fields, each of them its length and then so many integers, all little-endian. A card is
its notation, four bytes padded with zeros, and a word of an action twelve.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import Any, Final

from arena.games import Opening, View
from arena.games.action import Action
from arena.games.cards import Card, Hand
from arena.games.settlement.holdings import Holdings
from arena.play.bot_runtime.view_schema import CARD, HAND, PLAIN, Shape, family_fields, view_class

FORMAT: Final = 1
CARD_BYTES: Final = 4
NAME_BYTES: Final = 12
MAX_INT: Final = (1 << 31) - 1
NONE: Final = -1
"""A number that is not there, such as the seat that has knocked before any has."""
MAX_CACHED: Final = 1 << 12
"""Tuples of legal actions, and cards, whose encodings an encoder keeps."""
PACK_INT: Final = Struct("<i").pack
SMALL: Final = [PACK_INT(number) for number in range(1 << 10)]
NUMBERS: Final = [PACK_INT(1) + number for number in SMALL]
"""Fields of one number."""
NO_CARD: Final = bytes(CARD_BYTES)
IS_HAND: Final = 1
IS_NUMBER: Final = 2
IS_OTHER: Final = 3


class FlatEncoder:
    """Encodes the views of one seat in one match; what did not change since its last view is kept."""

    def __init__(self, legal: dict[int, tuple[tuple[Action, ...], bytes]], cards: dict[Card, bytes]) -> None:
        """Make an encoder; both caches, empty at first, may be shared by all encoders of a process."""
        self._legal = legal
        self._cards = cards
        self._opening: Opening | None = None
        self._start = b""
        self._holdings: Holdings | None = None
        self._held = b""
        self._fields: list[tuple[str, int, Shape]] = []

    def encode(self, view: View) -> bytes:
        """Return the message of a view."""
        opening, holdings, legal = view.opening, view.holdings, view.legal
        if opening is not self._opening:
            self._opening = opening
            self._start = self._encode_opening(opening, view.seat)
            self._fields = list_fields(view_class(view))
        if holdings is not self._holdings:
            self._holdings = holdings
            self._held = encode_holdings(holdings)
        known = self._legal.get(id(legal))
        if known is None or known[0] is not legal:
            known = (legal, encode_legal(legal))
            if len(self._legal) >= MAX_CACHED:
                self._legal.clear()
            self._legal[id(legal)] = known
        parts = [self._start, self._hand(view.hand), self._hand(view.dealt), self._held, known[1]]
        for name, kind, shape in self._fields:
            value: Any = getattr(view, name)
            if kind == IS_HAND:
                parts.append(self._hand(value))
            elif kind == IS_NUMBER:
                parts.append(encode_number(value))
            else:
                items = self._items(shape, value)
                parts.append(encode_int(len(items) >> 2))
                parts.append(items)
        return b"".join(parts)

    def _encode_opening(self, opening: Opening, seat: int) -> bytes:
        head = [FORMAT, seat, opening.players, opening.dealer, opening.number]
        return encode_ints(head) + encode_ints(opening.order) + encode_ints(opening.roles)

    def _hand(self, hand: Hand) -> bytes:
        parts = [SMALL[len(hand)]]
        for held in hand:
            parts.append(self._card(held))
        return b"".join(parts)

    def _card(self, held: Card | None) -> bytes:
        if held is None:
            return NO_CARD
        code = self._cards.get(held)
        if code is None:
            code = self._cards[held] = encode_text(held.text, CARD_BYTES)
        return code

    def _items(self, shape: Shape, value: Any) -> bytes:
        """Return what a field holds, without its length."""
        if shape == CARD:
            return self._card(value)
        if shape == PLAIN:
            return encode_number(value)[4:]
        parts: list[bytes] = []
        of = shape.items
        for item in value:
            encoded = self._items(of, item)
            if of.of is not None:
                parts.append(encode_int(len(encoded) >> 2))
            parts.append(encoded)
        return b"".join(parts)


@cache
def list_fields(kind: type[View]) -> list[tuple[str, int, Shape]]:
    """Return the fields that a family adds to the view: names, what they are, and shapes."""
    kinds = {HAND: IS_HAND, PLAIN: IS_NUMBER}
    return [(name, kinds.get(shape, IS_OTHER), shape) for name, shape in family_fields(kind).items()]


def encode_holdings(holdings: Holdings) -> bytes:
    """Return the fields of tokens, chips, points and the pool; what a game does not settle in is empty."""
    counts = [encode_ints(held or ()) for held in (holdings.tokens, holdings.chips, holdings.points)]
    pool = () if holdings.pool is None else (holdings.pool,)
    return b"".join([*counts, encode_ints(pool)])


def encode_legal(legal: Sequence[Action]) -> bytes:
    """Return the field of the legal actions: their number, then each with its length."""
    encoded = b"".join([encode_action(action) for action in legal])
    return encode_int(1 + (len(encoded) >> 2)) + encode_int(len(legal)) + encoded


def encode_action(action: Action) -> bytes:
    """Return an action: its word, the slots given, the slots taken, and the spots it is about."""
    spots = [number for spot in getattr(action, "spots", ()) for number in spot]
    word = action.template if action.template.replace(" ", "").replace("-", "").isalpha() else action.kind
    encoded = encode_text(word, NAME_BYTES) + b"".join(map(encode_ints, (action.give, action.take, spots)))
    return encode_int(len(encoded) >> 2) + encoded


def encode_ints(numbers: Sequence[int]) -> bytes:
    """Return a field of numbers."""
    return b"".join([encode_int(len(numbers)), *[encode_int(number) for number in numbers]])


def encode_number(value: Any) -> bytes:
    """Return a field of one number, -1 for none; what is no number is a field of none."""
    if isinstance(value, int):
        return NUMBERS[value] if 0 <= value < len(NUMBERS) else SMALL[1] + encode_int(value)
    return SMALL[1] + PACK_INT(NONE) if value is None else SMALL[0]


def encode_int(number: int) -> bytes:
    """Return a number, the nearest that 32 bits hold."""
    if 0 <= number < len(SMALL):
        return SMALL[number]
    return PACK_INT(max(min(number, MAX_INT), -MAX_INT))


def encode_text(text: str, size: int) -> bytes:
    """Return a text in `size` bytes, padded with zeros."""
    return text.encode()[:size].ljust(size, b"\0")
