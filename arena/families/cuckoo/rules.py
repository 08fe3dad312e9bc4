"""The cuckoo family: the order of cards, those that refuse a swap or pass it on, the loser, the variant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.cuckoo.deal import TURN, CuckooDeal
from arena.families.cuckoo.view import CuckooDeterminization
from arena.games.action import Action
from arena.games.cards import Card, Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank, Ranking
from arena.games.rules import EITHER_WAY, Direction, Rules
from arena.games.settlement.base import TokenSettlement
from arena.games.settlement.holdings import Changes, Showdown
from arena.games.view import View

HORSE: Final = "Q"
"""The rank that passes a swap on: the queen is in the place of the Italian pack's horse."""


@dataclass(frozen=True, kw_only=True)
class CardRanking(Ranking):
    """Single cards, from the ace, the lowest, to the king. Source: sheet B10."""

    ace_high: bool = option(False, "the ace is the highest card, and refuses in the king's place")

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        (card,) = hand
        return HandRank(self.height(card, pack), (), "card")

    def height(self, card: Card, pack: Pack) -> int:
        """Return a card's place in the order of ranks, from 0; -1 for a card not known."""
        place = pack.rank_index.get(card, -1)
        return place if self.ace_high or place < 0 else (place + 1) % len(pack.ranks)


@dataclass(frozen=True, kw_only=True)
class LowestCard(TokenSettlement):
    """A token lost by the lowest card; the last player with tokens wins. Source: S004, sheet B10."""

    tie: str = option(
        "all", "of several lowest cards all lose, or the first in turn alone", choices=("all", "first")
    )
    tie_all: str = option("lose", "where all cards are equal all lose, or none", choices=("lose", "none"))
    pairs_safe: bool = option(False, "who holds a card equal to another's loses nothing")

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(tokens=self.compute_losses(showdown, self.find_losers(showdown)))

    def find_losers(self, showdown: Showdown) -> list[int]:
        """Return the seats that lose a token, in the order of turns."""
        order, ranks = showdown.order, showdown.ranks
        lowest = min([ranks[seat] for seat in order])
        losers = [seat for seat in order if ranks[seat] == lowest]
        if self.tie_all == "none" and len(losers) == len(order):
            return []
        if self.pairs_safe:
            alone = [seat for seat in order if ranks.count(ranks[seat]) == 1]
            losers = self.find_worst(showdown, alone) if alone else []
        return losers[:1] if self.tie == "first" else losers


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CuckooRules(Rules):
    """The rules of a game of the cuckoo family."""

    family: ClassVar[str] = "cuckoo"
    deal_type: ClassVar = CuckooDeal
    determinization: ClassVar = CuckooDeterminization
    version: ClassVar[int] = 2
    hand_size: int = 1
    max_players: int = 20
    ranking: CardRanking = CardRanking()
    direction: Direction = EITHER_WAY
    expose_kings: bool = option(False, "a king is shown as soon as it is dealt; its holder has no turn")
    stock_king_ok: bool = option(False, "a king taken from the stock is kept, not refused")
    horse_passes: bool = option(False, "the holder of a queen passes the swap on to the player after him")
    dealer_three: bool = option(False, "the dealer is dealt three cards and keeps the best")

    def __post_init__(self) -> None:
        object.__setattr__(self, "table_size", 2 if self.dealer_three else 0)
        super().__post_init__()

    @cached_property
    def refusing(self) -> str:
        """The rank that refuses every swap: the highest."""
        return "A" if self.ranking.ace_high else "K"

    @cached_property
    def passing(self) -> str:
        """The rank that passes a swap on, if there is one."""
        return HORSE if self.horse_passes else ""

    @property
    def least_stock(self) -> int:
        """One card for the dealer, and one for each player before whom only passing cards are left."""
        return 1 + sum([c.rank == self.passing for c in self.whole_pack.cards])

    def best(self, cards: Hand) -> Card:
        """Return the first of the highest cards."""
        return max(cards, key=lambda card: self.ranking.height(card, self.whole_pack))

    def parse_action(self, text: str, view: View) -> Action:
        for action in TURN.actions:
            if text == action.template:
                return action
        raise InvalidNotation(f"{text!r} is not an action here: keep or swap")


CUCCU: Final = CuckooRules(
    name="cuccu",
    aliases=("ranter-go-round", "chase-the-ace"),
    title="One card each, which may be changed once with the next player's; the lowest loses a token.",
    source="S004, sheet B10",
    source_players=(3, 20),
    settlement=LowestCard(),
)
