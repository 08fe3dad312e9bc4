"""All hands of three cards in the order of their ranks: the quickest way to compare many."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.games.cards import Card, Pack

if TYPE_CHECKING:
    from arena.games.hands import HandRank, Ranking

Strengths = list[list[list[int]]]
"""How hands of three cards compare, by the numbers of their cards in any order."""
UNKNOWN: Final = -1
"""The strength of a hand that is not known."""


class Grades(NamedTuple):
    """All hands of three cards of a pack, in the order of their ranks."""

    strengths: Strengths
    """`strengths[a.number][b.number][c.number]`: equal ranks have equal numbers, and a hand with a card that
    is not known is weaker than any."""
    ranks: list[HandRank]
    """By strength."""


@cache
def grades(ranking: Ranking, pack: Pack) -> Grades:
    """All hands of three cards, for who looks up many of them: once worked out, three steps lead to each.

    Pairs of cards that make the same of every third share one row, which keeps the whole small enough to stay
    near the processor.
    """
    by_hand = {hand: ranking.rank(hand, pack) for hand in combinations_with_replacement(pack.cards, 3)}
    ranks = sorted(set(by_hand.values()))
    place = {rank: number for number, rank in enumerate(ranks)}
    size = 1 + max(c.number for c in pack.cards)
    rows: dict[tuple[Card, Card], list[int]] = {
        pair: [UNKNOWN] * size for pair in combinations_with_replacement(pack.cards, 2)
    }
    for (a, b, c), rank in by_hand.items():
        rows[b, c][a.number] = rows[a, c][b.number] = rows[a, b][c.number] = place[rank]
    unknown = [UNKNOWN] * size
    nested = [[unknown] * size for _ in range(size)]
    shared: dict[tuple[int, ...], list[int]] = {}
    for (a, b), row in rows.items():
        one = shared.setdefault(tuple(row), row)
        nested[a.number][b.number] = nested[b.number][a.number] = one
    return Grades(nested, ranks)
