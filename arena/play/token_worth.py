"""The worth of tokens between two seats, by a model in which each is as likely to do worse in a deal."""

from __future__ import annotations

from typing import Final

import msgspec

from arena.games import Rules
from arena.games.rankings.base import HandRank
from arena.games.settlement.holdings import Holdings, Showdown

MAX_SWEEPS: Final = 10_000
MAX_CHANGE: Final = 1e-12
HANDS: Final = (HandRank(1, (), "hand", 0.0), HandRank(2, (), "hand", 0.0))
"""A worse hand and a better one, neither of them special."""

Pair = tuple[int, int]
"""Tokens of a seat and of another."""


class TokenWorth:
    """Leads between two seats by their tokens: the chance that one outlasts the other, less the converse.

    Deals are settled by the variant's own settlement, as if only the two were in: each is the worse of the
    two half of the time, hands never tie, and a limit on the number of deals is ignored. Where one seat
    loses a token in a deal that is also right with more at the table: of the losses that hit either, each
    hits one or the other with the same chance, whoever else loses.

    Example:
        >>> from arena.games import variant
        >>> worth = TokenWorth(variant("lives"))
        >>> worth.lead(1, 1), worth.lead(2, 1), worth.lead(1, 3), worth.lead(1, 0)
        (0.0, 0.5, -0.75, 1.0)
    """

    def __init__(self, rules: Rules) -> None:
        self._settlement = rules.settlement
        self._start = self._settlement.initial_holdings(2)
        self.min_tokens = self._settlement.min_tokens
        self._leads: dict[Pair, float] = {}

    @property
    def has_tokens(self) -> bool:
        """True if the variant settles in tokens; else it has no leads."""
        return self._start.tokens is not None

    def lead(self, own: int, other: int) -> float:
        """Return the lead of a seat with `own` tokens over one with `other`, from -1 to 1."""
        known = self._known_lead(own, other)
        if known is None:
            self._solve((own, other))
            known = self._leads[own, other]
        return known

    def _known_lead(self, own: int, other: int) -> float | None:
        least = self.min_tokens
        if own < least or other < least:
            return float((own >= least) - (other >= least))
        return self._leads.get((own, other))

    def _solve(self, start: Pair) -> None:
        """Compute the leads of all pairs of tokens that can follow one, by Gauss-Seidel iteration.

        Fewer tokens come first: where tokens only get fewer, the first sweep has the exact values.
        """
        following = self._explore(start)
        order = sorted(following, key=sum)
        self._leads.update(dict.fromkeys(order, 0.0))
        for _ in range(MAX_SWEEPS):
            change = 0.0
            for pair in order:
                lead = sum([self._known_lead(*after) or 0.0 for after in following[pair]]) / 2
                change = max(change, abs(lead - self._leads[pair]))
                self._leads[pair] = lead
            if change < MAX_CHANGE:
                return

    def _explore(self, start: Pair) -> dict[Pair, list[Pair]]:
        """Return the two pairs that can follow each pair reachable from `start` and not yet solved."""
        following: dict[Pair, list[Pair]] = {}
        waiting = [start]
        while waiting:
            pair = waiting.pop()
            if pair not in following and self._known_lead(*pair) is None:
                following[pair] = [self._settle(pair, HANDS), self._settle(pair, HANDS[::-1])]
                waiting += following[pair]
        return following

    def _settle(self, pair: Pair, ranks: tuple[HandRank, HandRank]) -> Pair:
        holdings: Holdings = msgspec.structs.replace(self._start, tokens=pair)
        changes = self._settlement.settle(Showdown((0, 1), ranks, holdings))
        after = self._settlement.apply_changes(holdings, changes, 0).tokens
        assert after is not None
        return after[0], after[1]
