"""The values of cards at Cambio: the lowest sum is best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from arena.games.cards import PACKS, Card, Hand, Pack, card
from arena.games.hands import HandRank, Ranking
from arena.games.options import option

JOKERS: Final = (card("R", "1", "R1", 0), card("R", "2", "R2", 0))
RED: Final = "HD"
COURT_VALUES: Final = {"10-10-10": (10, 10, 10), "11-12-13": (11, 12, 13), "11-12-20": (11, 12, 20)}
"""The values of knave, queen and black king, by the value of the option."""


def add_jokers(cards: int) -> Pack:
    """Return the pack of `cards` cards and two jokers."""
    plain = PACKS[cards]
    return Pack(f"{cards + len(JOKERS)}-card", (*plain.cards, *JOKERS), plain.ranks)


@dataclass(frozen=True, kw_only=True)
class SumRanking(Ranking):
    """Hands by the sum of their cards' values, the lowest best. Source: sheet B11."""

    values: str = option(
        "10-10-10",
        "what knave, queen and black king count; with 11-12-20 the ace counts 0",
        choices=tuple(COURT_VALUES),
    )

    @cached_property
    def card_values(self) -> dict[Card, int]:
        """The value of each card."""
        return {c: self._find_value(c) for c in (*PACKS[52].cards, *JOKERS)}

    def _find_value(self, c: Card) -> int:
        """Return a card's value: red kings -1, jokers 0, the ace 1, others their pips."""
        if c.rank == "K" and c.suit in RED:
            return -1
        if c.rank in "JQK":
            return COURT_VALUES[self.values]["JQK".index(c.rank)]
        if c.rank == "A":
            return 0 if self.values == "11-12-20" else 1
        return c.points

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        card_values = self.card_values
        total = sum([card_values[c] for c in hand])
        return HandRank(-total, (), "sum", total)
