"""Scores of hands: the best arrangement, doubling by the Bank, the charge where a hand is not clear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from arena.families.cox.cards import GREEN, remove_cards, sort_rack
from arena.families.cox.combination_points import count_best, count_hand
from arena.families.cox.sets import PARTNERS
from arena.games.cards import Card, Hand, Pack
from arena.games.hands import HandRank, Ranking
from arena.games.options import option
from arena.games.settlement.base import Changes, Holdings, Showdown
from arena.games.settlement.points import PointsSettlement

NOT_CLEAR_CHARGE: Final = 5
"""The points that a hand loses if it is not clear. Source: S000 "Penalty"."""


class ExposedCards(NamedTuple):
    """The cards in front of a rack, and the supply base."""

    sets: tuple[Hand, ...] = ()
    greenbacks: Hand = ()
    number: int = 0
    """The number of the supply base there, 1 to 4; 0 if there is none."""
    pair: Hand = ()
    """The closing pair, if one of its cards was bought for it: it joins no set. Source: ruling R32."""


class Score(msgspec.Struct, frozen=True):
    """The score of a hand."""

    count: int
    """The points of combinations and greenbacks."""
    doubled: bool
    """True if the Bank is in the hand."""
    clear: bool
    """True if its black cards are of one suit."""
    points: int


@dataclass(frozen=True, kw_only=True)
class HandScoring(Ranking):
    """Hands by their score. Source: S000 "Counting" and "Penalty", rulings C20-C23, C26."""

    penalty_before_double: bool = option(
        False, "the charge for a hand that is not clear is doubled too by the Bank"
    )

    def score(self, rack: Hand, laid: ExposedCards) -> Score:
        """Return the score of a hand."""
        groups = (*laid.sets, laid.pair) if laid.pair else laid.sets
        count, doubled, black_suits = count_hand(rack, groups, laid.greenbacks, laid.number)
        clear = black_suits <= 1
        factor, charge = 1 + doubled, 0 if clear else NOT_CLEAR_CHARGE
        points = (count - charge) * factor if self.penalty_before_double else count * factor - charge
        return Score(count, doubled, clear, points)

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        greenbacks = tuple([c for c in hand if c.suit == GREEN])
        points = self.score(remove_cards(hand, greenbacks), ExposedCards(greenbacks=greenbacks)).points
        return HandRank(points, (), "points", points)


def find_closing_pair(rack: Hand, sets: tuple[Hand, ...], closing: Card) -> Hand:
    """Return the pair of `closing` and another card of the rack with which the hand counts most."""
    partners = [one for one in remove_cards(rack, (closing,)) if one in PARTNERS[closing]]
    pairs = [sort_rack((closing, partner)) for partner in partners]
    return max(pairs, key=lambda pair: count_best(remove_cards(rack, pair), (*sets, pair)))


@dataclass(frozen=True, kw_only=True)
class HighestScore(PointsSettlement):
    """The scores of the hands added up; the highest wins. Source: S000 "The winner", rulings C2, C25."""

    deals: int = option(4, "hands in a match", low=1)

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(points=tuple([rank.grade for rank in showdown.ranks]))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == self.deals
