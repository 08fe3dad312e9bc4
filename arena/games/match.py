"""One whole game of a variant: deals, one after the other, until its end."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from arena.errors import IllegalAction
from arena.games.action import Action
from arena.games.deal import Deal
from arena.games.settlement.base import Holdings
from arena.games.stock import Shuffler, Stock
from arena.games.view import Opening, View

if TYPE_CHECKING:
    from arena.games.rules import Rules


@lru_cache(maxsize=1 << 12)
def active_seats(dealer: int, step: int, went_out: tuple[int | None, ...]) -> tuple[int, ...]:
    """The seats still in, from the one after the dealer round to the dealer."""
    players = len(went_out)
    ring = [(dealer + step * place) % players for place in range(1, players + 1)]
    return tuple([seat for seat in ring if went_out[seat] is None])


class Match:
    """One whole game of a variant: deals until its end."""

    __slots__ = ("_shuffler", "deal", "finished_deals", "holdings", "is_over", "players", "rules", "start")
    deal: Deal

    def __init__(self, rules: Rules, players: int, seed: str, start: Holdings) -> None:
        self.rules = rules
        self.players = players
        self.start = start
        """What everybody held before the first deal."""
        self.holdings = start
        self.finished_deals: list[Deal] = []
        """The deals that are over, the match's last one too."""
        self.is_over = False
        self._shuffler = Shuffler(seed)

    def begin(self) -> Match:
        """The match itself, once its first deal is dealt."""
        first = self._next_in(self._shuffler.random_int(b"first dealer") % self.players)
        self.deal = self._dealt(0, first)
        self.advance()
        return self

    def _next_in(self, seat: int) -> int:
        """The first seat from this one on that is still in."""
        while self.holdings.went_out[seat] is not None:
            seat = (seat + self.rules.step) % self.players
        return seat

    def opening(self, number: int, dealer: int) -> Opening:
        """How a deal opens that this seat deals, unless roles are drawn that say who does."""
        roles = self.rules.draw_roles(self._shuffler, number, self.players)
        if roles:
            dealer = roles[0]
        order = active_seats(dealer, self.rules.step, self.holdings.went_out)
        return Opening(self.rules, self.players, number, dealer, order, self.holdings, roles)

    def _dealt(self, number: int, dealer: int) -> Deal:
        what = b"deal %d" % number
        shuffler = self._shuffler
        stock = Stock(self.rules.whole_pack.cards, True, shuffler, what)
        return self.rules.deal_cards(self.opening(number, dealer), stock)

    def advance(self) -> None:
        """Settles deals that are over and begins the next, until somebody is asked or the match is over."""
        while self.deal.to_act is None and not self.is_over:
            deal, settlement = self.deal, self.rules.settlement
            assert deal.changes is not None
            number = deal.opening.number
            self.finished_deals.append(deal)
            self.holdings = settlement.apply_changes(self.holdings, deal.changes, number)
            self.is_over = settlement.is_over(self.holdings, number + 1)
            if not self.is_over:
                following = (deal.opening.dealer + self.rules.step) % self.players
                self.deal = self._dealt(number + 1, self._next_in(following))

    @property
    def seat_to_act(self) -> int | None:
        """The seat that is asked; None when the match is over."""
        return self.deal.to_act

    def view(self, seat: int) -> View:
        """All that a seat may know now.

        Raises: IndexError if there is no such seat.
        """
        if not 0 <= seat < self.players:
            raise IndexError(f"seat {seat} of {self.players}: they count from 0")
        return self.deal.view(seat)

    def apply(self, done: Action) -> None:
        """Does an action for the seat that is asked.

        Raises: IllegalAction if it is not legal; nothing is changed then.
        """
        deal = self.deal
        deal.apply(done)
        if deal.to_act is None:
            self.advance()

    @property
    def placings(self) -> tuple[int, ...]:
        """By seat, 1 is best; ties share the better number."""
        return self.rules.settlement.placings(self.holdings)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """By seat, what was won or lost so far; higher is better."""
        return self.rules.settlement.payoffs(self.holdings, self.start)

    def text(self, done: Action) -> str:
        """A legal action of the seat that is asked, in notation."""
        return self._asked().text(done)

    def parse(self, text: str) -> Action:
        """The legal action that is written so, for the seat that is asked."""
        return self._asked().parse(text)

    def _asked(self) -> View:
        seat = self.seat_to_act
        if seat is None:
            raise IllegalAction("the match is over")
        return self.view(seat)

    def copy(self) -> Match:
        """A match that goes on by itself."""
        twin = Match(self.rules, self.players, "", self.start)
        twin.holdings, twin.is_over, twin._shuffler = self.holdings, self.is_over, self._shuffler
        twin.finished_deals = self.finished_deals[:]
        twin.deal = self.finished_deals[-1] if self.is_over else self.deal.copy()
        return twin

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    @classmethod
    def from_deal(cls, deal: Deal, seed: str) -> Match:
        """A match that is in the middle of this deal; later deals are keyed from `seed`."""
        opening = deal.opening
        match = cls(
            opening.rules, opening.players, seed, opening.rules.settlement.initial_holdings(opening.players)
        )
        match.holdings, match.deal = opening.holdings, deal
        return match
