"""The options of Cox's game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from arena.families.cox.cards import COX_PACK
from arena.families.cox.scoring import HandScoring
from arena.games.cards import Pack
from arena.games.option_fields import option
from arena.games.rules import COUNTER_CLOCKWISE, Direction, Rules


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CoxOptions(Rules):
    """The options of Cox's Commerce."""

    hand_size: int = 8
    max_players: int = 4
    direction: Direction = COUNTER_CLOCKWISE
    roles: tuple[str, ...] = ("retailer", "wholesaler")
    pack: int = 80
    bank_buys: bool = option(True, "the Bank and one like card of the rack may buy the third of a set")
    wild_pair: bool = option(False, "a Captain and the Bank of one rack make the pair of a complete hand")

    @cached_property
    def whole_pack(self) -> Pack:
        return COX_PACK

    @cached_property
    def scoring(self) -> HandScoring:
        """The scoring of hands."""
        assert isinstance(self.ranking, HandScoring)
        return self.ranking
