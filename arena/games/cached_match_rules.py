"""The rules of a variant as its matches and deals read them once a deal.

Compiled code takes some hundred instructions to read an attribute of the rules, which are plain Python, and
several hundred to call a method of theirs. So a variant's matches share one compiled object with the answers.
It does not call a settlement for what every settlement leaves as it is by default.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

from arena.games.cards import Hand
from arena.games.hand_lookup import RankTable
from arena.games.holdings_update import apply_changes
from arena.games.settlement.base import Settlement
from arena.games.settlement.holdings import Changes, Holdings


class MatchRules:
    """The answers of a variant's rules to what a match and its deals ask once a deal.

    Attributes:
        pack: The cards the game is played with.
        hand_size: Cards dealt to each player.
        table_size: Cards laid out at the start.
        step: The step from a seat to the next.
        has_roles: Roles are drawn anew for each deal.
        ranks: The ranks of hands.
        settlement: The settlement.
        deal_type: The class of deals; None if the rules have a way of their own to deal.
    """

    def __init__(self, rules: Any, deal_type: Any) -> None:
        settlement = rules.settlement
        self._rules = rules
        self.pack: Final[Hand] = rules.whole_pack.cards
        self.hand_size: Final[int] = rules.hand_size
        self.table_size: Final[int] = rules.table_size
        self.step: Final[int] = rules.step
        self.has_roles: Final = bool(rules.roles)
        self.ranks: Final[RankTable] = rules.rank_table
        self.settlement: Final[Any] = settlement
        self.deal_type: Final[Any] = deal_type
        self._has_antes: Final = is_overridden(settlement, "pay_antes")
        self._has_last_payments: Final = is_overridden(settlement, "close_deal")
        self._applies_changes: Final = is_overridden(settlement, "apply_changes")
        self._min_tokens: Final[int] = settlement.min_tokens

    def __reduce__(self) -> tuple[object, ...]:
        return attrgetter("match_rules"), (self._rules,)

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        """Return what everybody holds once the antes of a deal are paid."""
        if not self._has_antes:
            return holdings
        paid: Holdings = self.settlement.pay_antes(holdings, order)
        return paid

    def close_deal(self, opening: Any, changes: Changes) -> Changes:
        """Return the changes of the deal of an opening, with what the match's end pays out."""
        if not self._has_last_payments:
            return changes
        closed: Changes = self.settlement.close_deal(opening.holdings, changes, opening.number)
        return closed

    def apply_changes(self, holdings: Holdings, changes: Changes, number: int) -> Holdings:
        """Return what everybody holds after deal `number`; seats with too few tokens went out in it."""
        if not self._applies_changes:
            return apply_changes(holdings, changes, number, self._min_tokens)
        after: Holdings = self.settlement.apply_changes(holdings, changes, number)
        return after


def is_overridden(settlement: Any, method: str) -> bool:
    """Return whether a settlement has its own version of a method."""
    return getattr(type(settlement), method) is not getattr(Settlement, method)
