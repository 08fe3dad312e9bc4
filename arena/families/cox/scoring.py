"""Scores of hands: the best arrangement, doubling by the Bank, the charge where a hand is not clear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from arena.families.cox.cards import GREEN, remove_cards, sort_rack
from arena.families.cox.sets import PARTNERS, count_best, count_hand
from arena.games.cards import Card, Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank, Ranking
from arena.games.settlement.base import PointsSettlement
from arena.games.settlement.holdings import Changes, Holdings, Showdown

NOT_CLEAR_CHARGE: Final = 5
"""The points that a hand loses if it is not clear. Source: S000 "Penalty"."""
DRAWN_BANK: Final = "{BK}"
"""Notation of the Bank in the hand of the player who drew and discarded it, where it doubles his score."""


SOLD: Final = "sold"
"""Unit of the hands that each seat has completed, where a match is a number of completed hands."""
MAX_HANDS_EACH: Final = 5
"""Hands played for each that is to be completed, at most: twenty in a match of four. Source: decision 7."""


class ExposedCards(NamedTuple):
    """The cards in front of a rack, and the supply base."""

    sets: tuple[Hand, ...] = ()
    greenbacks: Hand = ()
    number: int = 0
    """The number of the supply base there, 1 to 4; 0 if there is none."""
    pair: Hand = ()
    """The closing pair, if one of its cards was bought for it: it joins no set. Source: ruling R32."""
    drew_bank: bool = False
    """The Bank doubles the score although it was discarded: the player drew it. Source: ruling C21."""


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
    bank_doubles: str = option(
        "holder",
        "whose score the Bank doubles: its holder's at the end, or its drawer's, who may have discarded it",
        choices=("holder", "drawer"),
    )
    captain_fourth: bool = option(False, "a Captain may be the fourth card of a set of his suit")

    @property
    def doubles_drawer(self) -> bool:
        """True if the Bank doubles the score of the player who drew it. Source: S000, ruling C21."""
        return self.bank_doubles == "drawer"

    def score(self, rack: Hand, laid: ExposedCards) -> Score:
        """Return the score of a hand."""
        groups = (*laid.sets, laid.pair) if laid.pair else laid.sets
        count, doubled, black_suits = count_hand(
            rack, groups, laid.greenbacks, laid.number, self.captain_fourth
        )
        doubled |= laid.drew_bank
        clear = black_suits <= 1
        factor, charge = 1 + doubled, 0 if clear else NOT_CLEAR_CHARGE
        points = (count - charge) * factor if self.penalty_before_double else count * factor - charge
        return Score(count, doubled, clear, points)

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        greenbacks = tuple([c for c in hand if c.suit == GREEN])
        points = self.score(remove_cards(hand, greenbacks), ExposedCards(greenbacks=greenbacks)).points
        return HandRank(points, (), "points", points)


def find_closing_pair(
    rack: Hand, sets: tuple[Hand, ...], closing: Card, captain_fourth: bool = False
) -> Hand:
    """Return the pair of `closing` and another card of the rack with which the hand counts most."""
    partners = [card for card in remove_cards(rack, (closing,)) if card in PARTNERS[closing]]
    pairs = [sort_rack((closing, partner)) for partner in partners]
    return max(pairs, key=lambda pair: count_best(remove_cards(rack, pair), (*sets, pair), captain_fourth))


@dataclass(frozen=True, kw_only=True)
class HighestScore(PointsSettlement):
    """The scores of the hands added up; the highest wins. Source: S000 "The winner", rulings C2, C24, C25."""

    deals: int = option(4, "hands in a match", low=1)
    completed: bool = option(
        False, "only hands that somebody completes count among these, in at most five times as many"
    )

    def initial_holdings(self, players: int) -> Holdings:
        begin = super().initial_holdings(players)
        return msgspec.structs.replace(begin, other={SOLD: (0,) * players}) if self.completed else begin

    def settle(self, showdown: Showdown) -> Changes:
        """Return the scores; the knocker is the player who sold out. Source: S000 "The winner"."""
        points = tuple([rank.grade for rank in showdown.ranks])
        if not self.completed:
            return Changes(points=points)
        sold = tuple([int(seat == showdown.knocker) for seat in range(len(points))])
        return Changes(points=points, other={SOLD: sold})

    @property
    def max_deals(self) -> int:
        """The most hands of a match: where only completed ones count, some may be played beside them."""
        return self.deals * (MAX_HANDS_EACH if self.completed else 1)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        if self.completed and holdings.other:
            return sum(holdings.other[SOLD]) == self.deals or dealt == self.max_deals
        return dealt == self.deals
