"""The public opening of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.games.frozen_attributes import make_struct
from arena.games.settlement.holdings import Holdings

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
