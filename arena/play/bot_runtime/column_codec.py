"""Encodes and decodes one field of many views at once, a whole column in each step."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, islice, repeat
from operator import itemgetter
from typing import Any

from arena.games import Rules
from arena.games.cards import HIDDEN, Card
from arena.play.bot_runtime.view_schema import Kind, Shape

LETTERS, HIDDEN_LETTER, NO_CARD = "".join(map(chr, range(64, 256))).replace("\\", ""), "?", "-"
"""None of them is escaped in JSON."""
Lengths = int | list[int]
"""The length of each list, or that of all."""


@cache
def card_letters(rules: Rules) -> dict[Card | None, str]:
    """Return the letters for a variant's cards."""
    pack = dict.fromkeys(rules.whole_pack.cards)
    by_card: dict[Card | None, str] = dict(zip(pack, LETTERS, strict=False))
    return by_card | {HIDDEN: HIDDEN_LETTER, None: NO_CARD}


def hand_reader(rules: Rules) -> Callable[[str], tuple[Any, ...]]:
    """Return the decoder of a variant's cards."""
    return _letter_reader({letter: card for card, letter in card_letters(rules).items()})


def column_writer(shape: Shape, rules: Rules) -> Callable[[Sequence[Any]], Any] | None:
    """Return the encoder of a column; None for a column that is sent as it is."""
    if shape.kind is Kind.PLAIN:
        return None
    if shape.kind is Kind.CARD:
        return _letter_writer(card_letters(rules))
    write_items = column_writer(shape.items, rules)

    def write(column: Sequence[Any]) -> tuple[Lengths, Any]:
        items = list(chain.from_iterable(column))
        return _lengths(column), write_items(items) if write_items else items

    return write


def column_reader(shape: Shape, rules: Rules) -> Callable[[Any], Iterable[Any]] | None:
    """Return the decoder of a column; None for a column that is sent as it is."""
    if shape.kind is Kind.PLAIN:
        return None
    if shape.kind is Kind.CARD:
        return hand_reader(rules)
    read_items = column_reader(shape.items, rules)

    def read(encoded: Sequence[Any]) -> Iterable[tuple[Any, ...]]:
        lengths, items = encoded
        return _split(lengths, read_items(items) if read_items else items)

    return read


def _letter_writer(by_card: Mapping[Card | None, str]) -> Callable[[Sequence[Card | None]], str]:
    return lambda cards: "".join(itemgetter(*cards)(by_card)) if cards else ""


def _letter_reader(by_letter: Mapping[str, Any]) -> Callable[[str], tuple[Any, ...]]:
    def read(text: str) -> tuple[Any, ...]:
        return (
            itemgetter(*text)(by_letter) if len(text) > 1 else tuple([by_letter[letter] for letter in text])
        )

    return read


def _lengths(column: Sequence[Any]) -> Lengths:
    lengths = list(map(len, column))
    return lengths[0] if lengths and lengths.count(lengths[0]) == len(lengths) else lengths


def _split(lengths: Lengths, items: Iterable[Any]) -> Iterable[tuple[Any, ...]]:
    """Split items into tuples of these lengths; endlessly many where all are empty."""
    rest = iter(items)
    if isinstance(lengths, int):
        return zip(*[rest] * lengths, strict=False) if lengths else repeat(())
    return [tuple(islice(rest, length)) for length in lengths]
