"""One field of many views at once: written down and read again by steps that each take the whole column."""

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
"""None that must be written in another way in a line of JSON."""
Sizes = int | list[int]
"""How long each of some lists is, or all of them."""


@cache
def letters(rules: Rules) -> dict[Card | None, str]:
    """The letters that a variant's cards are written with."""
    pack = dict.fromkeys(rules.whole_pack.cards)
    by_card: dict[Card | None, str] = dict(zip(pack, LETTERS, strict=False))
    return by_card | {HIDDEN: HIDDEN_LETTER, None: NO_CARD}


@cache
def hand_writer(rules: Rules) -> Callable[[Sequence[Card | None]], str]:
    """What writes cards of a variant down, a letter for each."""
    return _letter_writer(letters(rules))


def hand_reader(rules: Rules) -> Callable[[str], tuple[Any, ...]]:
    """What makes cards of a variant of their letters."""
    return _letter_reader({letter: card for card, letter in letters(rules).items()})


def writer(shape: Shape, rules: Rules) -> Callable[[Sequence[Any]], Any] | None:
    """What writes a column down; None for what is sent as it is."""
    if shape.kind is Kind.PLAIN:
        return None
    if shape.kind is Kind.CARD:
        return hand_writer(rules)
    write = writer(shape.inner, rules)

    def written(column: Sequence[Any]) -> tuple[Sizes, Any]:
        items = list(chain.from_iterable(column))
        return _sizes(column), write(items) if write else items

    return written


def reader(shape: Shape, rules: Rules) -> Callable[[Any], Iterable[Any]] | None:
    """What makes a column again of what was written; None where it is as it was."""
    if shape.kind is Kind.PLAIN:
        return None
    if shape.kind is Kind.CARD:
        return hand_reader(rules)
    read_items = reader(shape.inner, rules)

    def read(written: Sequence[Any]) -> Iterable[tuple[Any, ...]]:
        sizes, items = written
        return _parts(sizes, read_items(items) if read_items else items)

    return read


def _letter_writer(by_card: Mapping[Card | None, str]) -> Callable[[Sequence[Card | None]], str]:
    return lambda cards: "".join(itemgetter(*cards)(by_card)) if cards else ""


def _letter_reader(by_letter: Mapping[str, Any]) -> Callable[[str], tuple[Any, ...]]:
    def read(text: str) -> tuple[Any, ...]:
        return itemgetter(*text)(by_letter) if len(text) > 1 else tuple([by_letter[one] for one in text])

    return read


def _sizes(column: Sequence[Any]) -> Sizes:
    sizes = list(map(len, column))
    return sizes[0] if sizes and sizes.count(sizes[0]) == len(sizes) else sizes


def _parts(sizes: Sizes, items: Iterable[Any]) -> Iterable[tuple[Any, ...]]:
    """Items parted into tuples of these sizes; for ever where all are empty."""
    left = iter(items)
    if isinstance(sizes, int):
        return zip(*[left] * sizes, strict=False) if sizes else repeat(())
    return [tuple(islice(left, size)) for size in sizes]
