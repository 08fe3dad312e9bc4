"""The opening of a deal, and the rules of its variant as a match and its deals read them."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from arena.compiled_classes import make_struct
from arena.games.cards import Hand
from arena.games.hand_lookup import RankTable
from arena.games.rankings.base import HandRank
from arena.games.seat_calculations import apply_changes, count_left, find_losing_seats, take_tokens
from arena.games.settlement.base import CommerceSettlement, Lives, Settlement, TokenSettlement
from arena.games.settlement.holdings import Changes, Holdings, Showdown

if TYPE_CHECKING:
    from arena.games.rules import Rules


class Opening:
    """The public facts about a deal's beginning.

    Attributes:
        rules: The variant.
        players: The seats at the table, in the deal or not.
        number: The deal's number in its match, from 0.
        dealer: The dealer's seat.
        order: The seats dealt in: the eldest first, the dealer last.
        holdings: What everybody held before the deal.
        roles: The seats of the rules' `roles`, in that order; () where none are drawn.
    """

    __slots__ = ("dealer", "holdings", "number", "order", "players", "roles", "rules")

    def __init__(
        self,
        rules: Rules,
        players: int,
        number: int,
        dealer: int,
        order: tuple[int, ...],
        holdings: Holdings,
        roles: tuple[int, ...] = (),
    ) -> None:
        self.rules: Final = rules
        self.players: Final = players
        self.number: Final = number
        self.dealer: Final = dealer
        self.order: Final = order
        self.holdings: Final = holdings
        self.roles: Final = roles

    def replace(
        self,
        *,
        number: int | None = None,
        dealer: int | None = None,
        order: tuple[int, ...] | None = None,
        holdings: Holdings | None = None,
    ) -> Opening:
        """Return an opening that differs from this one in what is given."""
        return Opening(
            self.rules,
            self.players,
            self.number if number is None else number,
            self.dealer if dealer is None else dealer,
            self.order if order is None else order,
            self.holdings if holdings is None else holdings,
            self.roles,
        )

    def __repr__(self) -> str:
        return f"<opening of {self.rules}: deal {self.number}, seat {self.dealer} deals to {self.order}>"

    def __reduce__(self) -> tuple[object, ...]:
        facts = (self.players, self.number, self.dealer, self.order, self.holdings, self.roles)
        return Opening, (self.rules, *facts)


Opening = make_struct(Opening)  # type: ignore[misc]


# --- rules, read once a deal ---
# Compiled code takes some hundred instructions to read an attribute of the rules, which are plain Python, and
# several hundred to call a method of theirs. So a variant's matches share one compiled object with the
# answers. It does not call a settlement for what every settlement leaves as it is by default, and computes in
# compiled code what settlements in tokens have in common.

MAKE_CHANGES: Final[Any] = Changes
MAKE_SHOWDOWN: Final[Any] = Showdown
"""The classes, as constants: compiled code would look their names up each time."""


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
        has_offers: There may be offers between a deal and the next.
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
        self.has_offers: Final[bool] = settlement.has_offers
        self._has_antes: Final = not inherits(settlement, Settlement, "pay_antes")
        self._has_last_payments: Final = not inherits(settlement, Settlement, "close_deal")
        self._applies_changes: Final = not inherits(settlement, Settlement, "apply_changes")
        self._takes_from_worst: Final = (
            inherits(settlement, Lives, "settle")
            and inherits(settlement, CommerceSettlement, "find_worst")
            and inherits(settlement, TokenSettlement, "compute_losses")
        )
        self._ends_by_tokens: Final = inherits(settlement, TokenSettlement, "is_over")
        self._bottom_tie: Final[str] = settlement.bottom_tie if self._takes_from_worst else ""
        self._compares_hands_alone: Final = self._bottom_tie == "exact"
        self._max_deals: Final[int] = settlement.deals if self._ends_by_tokens else 0
        self._min_tokens: Final[int] = settlement.min_tokens

    def __reduce__(self) -> tuple[object, ...]:
        return attrgetter("match_rules"), (self._rules,)

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        """Return what everybody holds once the antes of a deal are paid."""
        if not self._has_antes:
            return holdings
        paid: Holdings = self.settlement.pay_antes(holdings, order)
        return paid

    def settle(
        self, order: tuple[int, ...], ranks: Sequence[HandRank], holdings: Holdings, knocker: int | None
    ) -> Changes:
        """Return what the hands of a deal change; antes and trades have been paid.

        Args:
            order: The seats in the deal, the eldest first, the dealer last.
            ranks: Rank of each seat's hand.
            holdings: What everybody holds now.
            knocker: The seat that has knocked.
        """
        if self._takes_from_worst:  # as `Lives.settle` does
            return self._take_tokens(find_losing_seats(ranks, order, self._bottom_tie), order, holdings)
        changes: Changes = self.settlement.settle(MAKE_SHOWDOWN(order, ranks, holdings, knocker))
        return changes

    def settle_hands(self, order: tuple[int, ...], hands: list[Hand], holdings: Holdings) -> Changes | None:
        """Return what `settle` does, by the strengths of the hands; None if it has to compare their ranks."""
        losers = self.ranks.find_worst(hands, order) if self._compares_hands_alone else []
        return self._take_tokens(losers, order, holdings) if losers else None

    def _take_tokens(self, losers: list[int], order: tuple[int, ...], holdings: Holdings) -> Changes:
        lost = take_tokens(holdings.tokens or (), losers, len(order), self._min_tokens)
        changes: Changes = MAKE_CHANGES(tokens=lost)
        return changes

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        """Return whether the match ends after `dealt` deals."""
        if self._ends_by_tokens:  # as `TokenSettlement.is_over` does
            return count_left(holdings.went_out) <= 1 or dealt == self._max_deals
        over: bool = self.settlement.is_over(holdings, dealt)
        return over

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


def inherits(settlement: Any, base: Any, method: str) -> bool:
    """Return whether a settlement has a method as a base class defines it."""
    return getattr(type(settlement), method) is getattr(base, method)
