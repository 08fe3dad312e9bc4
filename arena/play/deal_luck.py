"""The luck of the cards in a match: a control variate with mean zero, whatever the bots do.

In every deal of the match a baseline, the heuristic of the game's family, plays the cards in all seats
still in, once as they were dealt and once for each turn of the hands round the table. All these are equally
likely when the deal begins, and independent of what happened before. So what the cards as dealt cost a seat
in the hands of the baseline, less the mean over all turns, has mean zero, exactly and without any table of
expected values. Losses are counted by what a token is worth in that state of the match (`TokenWorth`).

Source: N. Burch et al., AIVAT: a new variance reduction technique for agent evaluation in imperfect
information games, AAAI 2018 (its correction for chance events; turned hands replace its expectation).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import msgspec

from arena.games import Deal, Match, Opening, Rules
from arena.games.cards import Hand
from arena.games.seat_counts import Counts
from arena.games.settlement.base import Holdings
from arena.games.stock import Stock
from arena.play.heuristics import make_heuristic
from arena.play.token_worth import TokenWorth

DealKey = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""Number, dealer, order and roles of a deal: with a seed, all that the baseline's losses depend on."""
Losses = list[Counts]
"""Changes of tokens by place in the order, for each turn of the hands; the first as they were dealt."""


class DealLuck:
    """Controls of the matches of one variant.

    Args:
        rules: The variant.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._worth = TokenWorth(rules)
        self._baseline = make_heuristic(rules)
        self._leads = lru_cache(maxsize=1 << 16)(self._compute_leads)

    def controls(self, match: Match, known: dict[DealKey, Losses]) -> dict[tuple[int, int], float]:
        """Return the control of each pair of seats in a finished match, in points of a pair.

        Args:
            match: The match.
            known: The baseline's losses in matches of the same seed, to which those of this one are added.

        Returns:
            By pair of seats, the lower first: how much more often than on average the cards favoured the
            first; that of the converse pair is its negative. Empty for variants without tokens.
        """
        total: dict[tuple[int, int], float] = {}
        if not self._worth.has_tokens:
            return total
        for deal in match.finished_deals:
            opening = deal.opening
            key = (opening.number, opening.dealer, opening.order, opening.roles)
            if key not in known:
                known[key] = self.replay_turns(opening, match.start, match.shuffle_stock(opening.number))
            held = opening.holdings.tokens
            assert held is not None
            tokens = tuple([held[seat] for seat in opening.order])
            surplus = self.compute_surplus(tokens, known[key])
            for (one, other), points in zip(combinations(opening.order, 2), surplus, strict=True):
                pair, sign = ((one, other), 1) if one < other else ((other, one), -1)
                total[pair] = total.get(pair, 0.0) + sign * points
        return total

    def compute_surplus(self, tokens: Counts, losses: Losses) -> list[float]:
        """Return by pair of places what the cards as dealt were worth to the first, above the turns' mean.

        Args:
            tokens: What the seats of the order held.
            losses: Those of `replay_turns`.
        """
        leads = [self._leads(tokens, lost) for lost in losses]
        means = [sum(by_turn) / len(by_turn) for by_turn in zip(*leads, strict=True)]
        return [(lead - mean) / 2 for lead, mean in zip(leads[0], means, strict=True)]

    def _compute_leads(self, tokens: Counts, lost: Counts) -> list[float]:
        """Return the leads, by pair of places, after the changes of a deal."""
        lowest = self._worth.min_tokens - 1
        after = [max(held + change, lowest) for held, change in zip(tokens, lost, strict=True)]
        return [self._worth.lead(one, other) for one, other in combinations(after, 2)]

    def replay_turns(self, opening: Opening, start: Holdings, stock: Stock) -> Losses:
        """Return what the baseline loses with the cards of a deal, for each turn of the hands.

        All is as at the match's beginning but who is still in, so that the losses do not depend on what is
        held: other matches on the same cards can use them too.

        Args:
            opening: How the deal began.
            start: What everybody held when the match began.
            stock: The whole pack, shuffled.
        """
        rules, order, players = self._rules, opening.order, opening.players
        assert start.tokens is not None
        out = self._worth.min_tokens - 1
        holdings = msgspec.structs.replace(
            start,
            tokens=tuple([held if seat in order else out for seat, held in enumerate(start.tokens)]),
            went_out=tuple([None if seat in order else 0 for seat in range(players)]),
        )
        same = msgspec.structs.replace(opening, holdings=holdings)
        hands, table = stock.deal_hands(players, rules.hand_size, rules.table_size, order)
        found = []
        for turn in range(len(order)):
            deal = rules.deal(same, turn_hands(hands, order, turn), table, stock.copy())
            found.append(self._play(deal))
        return found

    def _play(self, deal: Deal) -> Counts:
        """Play a deal with the baseline in all seats; return the changes of tokens by place in the order."""
        while (seat := deal.to_act) is not None:
            legal = deal.legal_actions
            deal.apply(legal.actions[0] if legal.is_forced else self._baseline.act(deal.view(seat)))
        assert deal.changes is not None
        assert deal.changes.tokens is not None
        changes = deal.changes.tokens
        return tuple([changes[seat] for seat in deal.opening.order])


def turn_hands(hands: list[Hand], order: tuple[int, ...], turn: int) -> list[Hand]:
    """Return the hands with each seat of the order holding that of the one `turn` places after it."""
    turned = list(hands)
    for place, seat in enumerate(order):
        turned[seat] = hands[order[(place + turn) % len(order)]]
    return turned
