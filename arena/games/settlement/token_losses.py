"""Losses of tokens in Schwimmen, Trentuno, Thirty-One, Stop the Bus and Bastard Brag."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.option_fields import option
from arena.games.seat_calculations import Counts
from arena.games.settlement.base import TokenSettlement
from arena.games.settlement.holdings import Changes, Showdown

Losses = dict[int, int]
"""Tokens to lose, by losing seat."""


@dataclass(frozen=True, kw_only=True)
class Penalties(TokenSettlement):
    """The worst hand loses a token to the supply; the last player in wins. Source: S004, sheets B4-B8."""

    free_ride: bool = option(False, "who has no token left plays on, and is out with the next loss")
    one_rider: bool = option(False, "who loses his last token while another rides free is out at once")
    knocker_double: bool = option(False, "a knocker whose hand alone is the worst loses two tokens")
    knocker_alone: bool = option(False, "of hands that tie for worst the knocker's alone loses")
    knocker_safe: bool = False
    """A knocker who ties for worst loses nothing."""
    ties_lose: bool = option(True, "hands that tie for worst all lose; else none of them does")
    comeback: bool = option(
        False, "where nobody would be left in, everybody comes back with one token; else nobody loses"
    )

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(tokens=self._limit_losses(showdown, self.find_losses(showdown)))

    def find_losses(self, showdown: Showdown) -> Losses:
        """Return what the hands cost, whether or not a seat has so many tokens."""
        worst, knocker = self.find_worst(showdown, showdown.order), showdown.knocker
        if len(worst) == 1:
            return {worst[0]: 2 if self.knocker_double and worst[0] == knocker else 1}
        if knocker in worst and self.knocker_alone:
            worst = [knocker]
        elif not self.ties_lose:
            worst = []
        elif knocker in worst and self.knocker_safe:
            worst.remove(knocker)
        return dict.fromkeys(worst, 1)

    @property
    def min_tokens(self) -> int:
        return 0 if self.free_ride else 1

    def _limit_losses(self, showdown: Showdown, lost: Losses) -> Counts:
        """Limit losses to what a seat has or a free ride allows. Source: rulings R10, R29, W22."""
        tokens, order = showdown.holdings.tokens, showdown.order
        assert tokens is not None
        lowest = self.min_tokens - 1
        changes = [0] * len(tokens)
        other_rides = self.one_rider and any(tokens[seat] == 0 and seat not in lost for seat in order)
        for seat, loss in lost.items():
            left = max(tokens[seat] - loss, lowest)
            changes[seat] = (lowest if other_rides and left == 0 else left) - tokens[seat]
        if len(lost) == len(order) and all(tokens[seat] + changes[seat] < self.min_tokens for seat in order):
            return tuple([1 - held if self.comeback else 0 for held in tokens])
        return tuple(changes)


@dataclass(frozen=True, kw_only=True)
class TotalPenalties(Penalties):
    """Penalties for hands that count: a high total, once it is shown, makes all the others lose.

    Source: sheets B4-B6, rulings R12, R13.
    """

    sweep: int = option(
        0,
        "the total that costs every other player a token when it is shown: 31, or 33 for Feuer; 0 is none",
        choices=(0, 31, 33),
    )
    knock31: str = option(
        "loses",
        "what such a total costs the player who has knocked: a token, two or none",
        choices=("loses", "double", "exempt"),
    )

    def find_losses(self, showdown: Showdown) -> Losses:
        sweeping = [seat for seat in showdown.order if (showdown.ranks[seat].value or 0) >= self.sweep]
        if not (self.sweep and sweeping):
            return super().find_losses(showdown)
        lost = {seat: 1 for seat in showdown.order if seat not in sweeping}
        if showdown.knocker in lost and self.knock31 == "exempt":
            del lost[showdown.knocker]
        elif showdown.knocker in lost and self.knock31 == "double":
            lost[showdown.knocker] = 2
        return lost
