"""Views as 32-bit integers, for bots that are WebAssembly modules; docs/protocol.md lists the fields.

A message is a row of fields, each of them its length and then so many integers, all little-endian. A card is
its notation, four bytes padded with zeros, and the word of an action twelve.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from struct import Struct, error
from typing import Any, Final

from msgspec.structs import astuple

from arena.games import Opening, View
from arena.games.action import Action
from arena.games.cards import Card, Hand
from arena.games.settlement.holdings import Holdings
from arena.play.bot_runtime.view_schema import CARD, HAND, PLAIN, Shape, family_fields, view_class

FORMAT: Final = 1
CARD_BYTES: Final = 4
WORD_BYTES: Final = 12
MAX_INT: Final = (1 << 31) - 1
NONE: Final = -1
"""A number that is not there, such as the seat that has knocked before any has."""
MAX_CACHED: Final = 1 << 12
"""Tuples of legal actions whose encodings are kept."""
PACK_INT: Final = Struct("<i").pack
SMALL: Final = [PACK_INT(number) for number in range(1 << 10)]
NUMBERS: Final = [PACK_INT(1) + number for number in SMALL]
"""Fields of one number."""
NO_CARD: Final = bytes(CARD_BYTES)
IS_HAND: Final = 1
IS_LEGAL: Final = 2
IS_NUMBER: Final = 3
IS_HOLDINGS: Final = 4
IS_OPENING: Final = 5
IS_OTHER: Final = 6
COMMON: Final = {
    "opening": IS_OPENING,
    "hand": IS_HAND,
    "dealt": IS_HAND,
    "holdings": IS_HOLDINGS,
    "legal": IS_LEGAL,
}
"""The fields of every view, in the order of the message; those of a family follow."""
NOTHING: Final = object()
Field = tuple[int, int, Shape]
"""A field's place in a view, what it is, and its shape."""


class FlatCache:
    """Encodings that the seats of all matches share."""

    def __init__(self) -> None:
        self._cards: list[bytes] = []
        """Encoded cards by their numbers."""
        self._legal: dict[int, tuple[tuple[Action, ...], bytes]] = {}
        """Legal actions with their encoding, by the ids of the tuples, which stay alive here."""
        self._opening: Opening | None = None
        self._order = b""
        self._holdings: Holdings | None = None
        self._held = b""

    def encode_order(self, opening: Opening) -> bytes:
        """Return the fields of the seats in a deal, and of their roles."""
        if opening is not self._opening:
            self._opening = opening
            self._order = encode_ints(opening.order) + encode_ints(opening.roles)
        return self._order

    def encode_holdings(self, holdings: Holdings) -> bytes:
        """Return the fields of tokens, chips, points and the pool; what a game does not have is empty."""
        if holdings is not self._holdings:
            self._holdings = holdings
            held = [
                encode_ints(counts or ()) for counts in (holdings.tokens, holdings.chips, holdings.points)
            ]
            pool = () if holdings.pool is None else (holdings.pool,)
            self._held = b"".join([*held, encode_ints(pool)])
        return self._held

    def encode_legal(self, legal: tuple[Action, ...]) -> bytes:
        """Return the field of the legal actions: their number, then each with its length."""
        known = self._legal.get(id(legal))
        if known is None or known[0] is not legal:
            actions = b"".join([encode_action(action) for action in legal])
            encoded = encode_int(1 + (len(actions) >> 2)) + encode_int(len(legal)) + actions
            if len(self._legal) >= MAX_CACHED:
                self._legal.clear()
            known = self._legal[id(legal)] = (legal, encoded)
        return known[1]

    def encode_hand(self, hand: Hand) -> bytes:
        """Return a field of cards."""
        codes, parts = self._cards, [SMALL[len(hand)]]
        for card in hand:
            code = codes[card.number] if card.number < len(codes) else b""
            parts.append(code or self.encode_card(card))
        return b"".join(parts)

    def encode_card(self, card: Card | None) -> bytes:
        """Return a card's notation."""
        if card is None:
            return NO_CARD
        codes = self._cards
        while len(codes) <= card.number:
            codes.append(b"")
        if not codes[card.number]:
            codes[card.number] = encode_text(card.text, CARD_BYTES)
        return codes[card.number]


class FlatEncoder:
    """Encodes the views of one seat in one match; what did not change since its last view is kept."""

    def __init__(self, cache: FlatCache) -> None:
        self._cache = cache
        self._kind: type[View] | None = None
        self._fields: list[Field] = []
        self._values: list[Any] = []
        self._parts: list[bytes] = []
        """The last values of the fields, and their encodings."""

    def encode(self, view: View) -> bytes:
        """Return the message of a view."""
        if type(view) is not self._kind:
            self._kind = type(view)
            self._fields = list_fields(view_class(view))
            self._values = [NOTHING] * len(self._fields)
            self._parts = [b""] * len(self._fields)
        shown: tuple[Any, ...] = astuple(view)
        values, parts, cache = self._values, self._parts, self._cache
        part = 0
        for place, kind, shape in self._fields:
            value = shown[place]
            if value is not values[part]:
                values[part] = value
                if kind == IS_HAND:
                    parts[part] = cache.encode_hand(value)
                elif kind == IS_LEGAL:
                    parts[part] = cache.encode_legal(value)
                elif kind == IS_NUMBER:
                    parts[part] = encode_number(value)
                elif kind == IS_HOLDINGS:
                    parts[part] = cache.encode_holdings(value)
                elif kind == IS_OPENING:
                    parts[part] = encode_head(value, view.seat) + cache.encode_order(value)
                else:
                    items = self._encode_items(shape, value)
                    parts[part] = encode_int(len(items) >> 2) + items
            part += 1  # noqa: SIM113 (compiled, a counter takes less time than `enumerate`)
        return b"".join(parts)

    def _encode_items(self, shape: Shape, value: Any) -> bytes:
        """Return what a field holds, without its length."""
        if shape == CARD:
            return self._cache.encode_card(value)
        if shape == PLAIN:
            return encode_number(value)[4:]
        parts: list[bytes] = []
        of = shape.items
        for item in value:
            encoded = self._encode_items(of, item)
            if of.of is not None:
                parts.append(encode_int(len(encoded) >> 2))
            parts.append(encoded)
        return b"".join(parts)


@cache
def list_fields(kind: type[View]) -> list[Field]:
    """Return the fields of a family's view, in the order of the message."""
    place = kind.__struct_fields__.index
    kinds = {HAND: IS_HAND, PLAIN: IS_NUMBER}
    common = [(place(name), what, PLAIN) for name, what in COMMON.items()]
    return common + [
        (place(name), kinds.get(shape, IS_OTHER), shape) for name, shape in family_fields(kind).items()
    ]


def encode_head(opening: Opening, seat: int) -> bytes:
    """Return the field with the format, the view's seat, the players, the dealer and the deal."""
    return encode_ints((FORMAT, seat, opening.players, opening.dealer, opening.number))


def encode_action(action: Action) -> bytes:
    """Return an action: its word, the slots given, the slots taken, and the spots it is about."""
    spots = [number for spot in getattr(action, "spots", ()) for number in spot]
    is_word = action.template.replace(" ", "").replace("-", "").isalpha()
    word = encode_text(action.template if is_word else action.kind, WORD_BYTES)
    encoded = b"".join([word, *[encode_ints(slots) for slots in (action.give, action.take, spots)]])
    return encode_int(len(encoded) >> 2) + encoded


@cache
def find_packer(length: int) -> Any:
    """Return the function that encodes a field of this length, and its numbers."""
    return Struct(f"<{length + 1}i").pack


def encode_ints(numbers: Sequence[int]) -> bytes:
    """Return a field of numbers."""
    try:
        encoded: bytes = find_packer(len(numbers))(len(numbers), *numbers)
        return encoded
    except error:  # one of them is too large
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
