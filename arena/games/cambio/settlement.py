"""How a match of Cambio is decided: by the sum of all deals, by deals won, or by lives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from arena.games.options import option
from arena.games.seat_counts import Counts, compute_placings
from arena.games.settlement.base import Changes, Holdings, Settlement, Showdown, TokenSettlement


def sum_hands(showdown: Showdown, caller_penalty: int) -> dict[int, int]:
    """By seat in the deal, what its cards count; a caller who has not the lowest sum is charged on top."""
    found = {seat: -showdown.ranks[seat].grade for seat in showdown.order}
    caller = showdown.knocker
    if caller is not None and found[caller] > min(found.values()):
        found[caller] += caller_penalty
    return found


@dataclass(frozen=True, kw_only=True)
class _Points(Settlement):
    """A settlement in points over a number of deals."""

    deals: int
    until: int
    sign: int
    """1 where many points are good, -1 where few are."""

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(points=(0,) * players, went_out=(None,) * players)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        points = _points(holdings)
        if self.until and max(points) >= self.until:
            return True
        return dealt == (self.deals or (0 if self.until else len(points)))

    def placings(self, holdings: Holdings) -> Counts:
        return compute_placings([(self.sign * held,) for held in _points(holdings)])

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        held = zip(_points(holdings), _points(start), strict=True)
        return tuple([self.sign * (now - then) for now, then in held])


def _points(holdings: Holdings) -> Counts:
    assert holdings.points is not None
    return holdings.points


@dataclass(frozen=True, kw_only=True)
class _Sums(_Points):
    caller_penalty: int

    def settle(self, showdown: Showdown) -> Changes:
        found = sum_hands(showdown, self.caller_penalty)
        return Changes(points=tuple([found[seat] for seat in range(len(showdown.ranks))]))


@dataclass(frozen=True, kw_only=True)
class _DealsWon(_Points):
    def settle(self, showdown: Showdown) -> Changes:
        """The lowest win, of equals all but the caller. Source: sheet B11, ruling R15."""
        found = sum_hands(showdown, 0)
        lowest = [seat for seat in found if found[seat] == min(found.values())]
        winners = [seat for seat in lowest if seat != showdown.knocker] or lowest
        return Changes(points=tuple([int(seat in winners) for seat in range(len(showdown.ranks))]))


@dataclass(frozen=True, kw_only=True)
class _Lives(TokenSettlement):
    caller_penalty: int

    def settle(self, showdown: Showdown) -> Changes:
        found = sum_hands(showdown, self.caller_penalty)
        highest = max(found.values())
        return Changes(
            tokens=self.compute_losses(showdown, [seat for seat in found if found[seat] == highest])
        )


@dataclass(frozen=True, kw_only=True)
class CambioSettlement(Settlement):
    """The settlement of the form of match that is chosen. Source: sheet B11, ruling R15."""

    scoring: str = option(
        "sum",
        "what decides the match: the least sum over all deals, the most deals won, or lives",
        choices=("sum", "won", "lives"),
    )
    deals: int = option(0, "deals in a match; 0 is one for each player, by lives and with `until` no limit")
    until: int = option(0, "points with which somebody ends a match by sum; 0 is never")
    tokens: int = option(3, "tokens each player begins with in a match by lives", low=1)
    caller_penalty: int = option(0, "points a caller is charged who has not the lowest sum")

    @cached_property
    def _form(self) -> Settlement:
        if self.scoring == "lives":
            return _Lives(tokens=self.tokens, deals=self.deals, caller_penalty=self.caller_penalty)
        if self.scoring == "won":
            return _DealsWon(deals=self.deals, until=0, sign=1)
        return _Sums(deals=self.deals, until=self.until, sign=-1, caller_penalty=self.caller_penalty)

    def initial_holdings(self, players: int) -> Holdings:
        return self._form.initial_holdings(players)

    def settle(self, showdown: Showdown) -> Changes:
        return self._form.settle(showdown)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return self._form.is_over(holdings, dealt)

    def placings(self, holdings: Holdings) -> Counts:
        return self._form.placings(holdings)

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        return self._form.payoffs(holdings, start)
