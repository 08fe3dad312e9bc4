"""The luck of the cards in a match: a control variate with mean zero, whatever the bots do.

A baseline, the heuristic of the game's family, plays the cards of every deal of the match in all seats still
in, with everybody's tokens as at the start. What it loses there depends on nothing but the order of the pack,
which is independent of all that happened before the deal; how it is distributed (`LossLaw`) depends on how
many seats are in alone, and is known from packs of their own, drawn for this. So what the cards as dealt were
worth to a seat, less the mean over those other packs, has mean zero. Losses are counted by what a token is
worth in that state of the match (`TokenWorth`).

Source: N. Burch et al., AIVAT: a new variance reduction technique for agent evaluation in imperfect
information games, AAAI 2018 (its correction for chance events, the expectation from a sample).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations

import msgspec

from arena.games import Match, Opening, Rules
from arena.games.seat_calculations import Counts
from arena.games.settlement.holdings import Holdings
from arena.games.stock import Stock
from arena.play.heuristics import make_heuristic
from arena.play.token_worth import TokenWorth

DealKey = tuple[int, int, tuple[int, ...]]
"""Number, dealer and order of a deal: with a seed, all that the baseline's losses depend on."""
PairLoss = tuple[int, int, int, int]
"""Two places in the order, the first one first, and the changes of tokens there."""
LossLaw = tuple[tuple[int, tuple[tuple[PairLoss, int], ...]], ...]
"""Changes of tokens of pairs of places, with their number of packs, by number of seats in."""


class Baseline:
    """The heuristic of a variant's family, which plays whole deals in all seats still in.

    Args:
        rules: The variant, which settles in tokens and draws no roles.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._heuristic = make_heuristic(rules)

    def play_deal(self, opening: Opening, start: Holdings, stock: Stock) -> Counts:
        """Return the changes of tokens, by place in the order, in a deal that is played with a pack.

        All is as at the match's beginning but who is still in, so that they do not depend on what is held:
        other matches on the same cards can use them too.

        Args:
            opening: How the deal began.
            start: Tokens of each seat when the match began.
            stock: The whole pack, shuffled.
        """
        rules, order, players = self._rules, opening.order, opening.players
        assert start.tokens is not None
        out = rules.settlement.min_tokens - 1
        holdings = msgspec.structs.replace(
            start,
            tokens=tuple([held if seat in order else out for seat, held in enumerate(start.tokens)]),
            went_out=tuple([None if seat in order else 0 for seat in range(players)]),
        )
        deal = rules.deal_cards(opening.replace(holdings=holdings), stock)
        while (seat := deal.to_act) is not None:
            legal = deal.legal_actions
            deal.apply(legal.actions[0] if legal.is_forced else self._heuristic.act(deal.view(seat)))
        assert deal.changes is not None
        assert deal.changes.tokens is not None
        changes = deal.changes.tokens
        return tuple([changes[seat] for seat in order])


def count_losses(
    rules: Rules, players: int, seats: int, seed: str, packs: Iterable[int]
) -> Counter[PairLoss]:
    """Return in how many packs of a seed the baseline had which changes of tokens, by pair of places.

    Args:
        rules: The variant.
        players: Number of seats of the match.
        seats: How many of them are still in.
        seed: The seed of the packs, that of no match.
        packs: Numbers of packs.
    """
    baseline, match = Baseline(rules), rules.match(players=players, seed=seed)
    opening = match.deal.opening
    order = opening.order[-seats:]  # with the dealer, who is the last
    counts: Counter[PairLoss] = Counter()
    for number in packs:
        numbered = opening.replace(number=number, order=order)
        counts.update(pair_losses(baseline.play_deal(numbered, match.start, match.shuffle_stock(number))))
    return counts


def pair_losses(lost: Counts) -> Iterator[PairLoss]:
    """Yield the changes of each pair of places, given those of all."""
    return ((p, q, lost[p], lost[q]) for p, q in combinations(range(len(lost)), 2))


def make_law(losses: Mapping[int, Counter[PairLoss]]) -> LossLaw:
    """Return the counts by number of seats in as a law, in the same order however they were counted."""
    return tuple([(seats, tuple(sorted(counts.items()))) for seats, counts in sorted(losses.items())])


class DealLuck:
    """Controls of the matches of one variant at one table size.

    Args:
        rules: The variant.
        law: Losses of the baseline, from `count_losses`; empty for a variant without tokens.
    """

    def __init__(self, rules: Rules, law: LossLaw) -> None:
        self._worth = TokenWorth(rules)
        self._baseline = Baseline(rules)
        self._law: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
        """Changes of tokens, with their number of packs, by number of seats in and two places."""
        for seats, counts in law:
            for (p, q, own, other), packs in counts:
                self._law.setdefault((seats, p, q), []).append((own, other, packs))
        self._mean_lead = lru_cache(maxsize=1 << 16)(self._compute_mean_lead)

    def controls(self, match: Match, known: dict[DealKey, Counts]) -> dict[tuple[int, int], float]:
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
            key = (opening.number, opening.dealer, opening.order)
            if key not in known:
                stock = match.shuffle_stock(opening.number)
                known[key] = self._baseline.play_deal(opening, match.start, stock)
            held = opening.holdings.tokens
            assert held is not None
            tokens = tuple([held[seat] for seat in opening.order])
            surplus = self.compute_surplus(tokens, known[key])
            for (first, other), points in zip(combinations(opening.order, 2), surplus, strict=True):
                pair, sign = ((first, other), 1) if first < other else ((other, first), -1)
                total[pair] = total.get(pair, 0.0) + sign * points
        return total

    def compute_surplus(self, tokens: Counts, lost: Counts) -> list[float]:
        """Return by pair of places what the cards as dealt were worth to the first, above the mean.

        Args:
            tokens: Tokens of the seats of the order.
            lost: The changes of `Baseline.play_deal`.
        """
        surplus = []
        for p, q, own, other in pair_losses(lost):
            mean = self._mean_lead(len(tokens), p, q, tokens[p], tokens[q])
            surplus.append((self._lead(tokens[p] + own, tokens[q] + other) - mean) / 2)
        return surplus

    def _compute_mean_lead(self, seats: int, first: int, second: int, own: int, other: int) -> float:
        """Return the mean lead of a place over another after a deal, in the packs of the law."""
        outcomes = self._law[seats, first, second]
        total = sum([self._lead(own + lost, other + gone) * packs for lost, gone, packs in outcomes])
        return total / sum([packs for _, _, packs in outcomes])

    def _lead(self, own: int, other: int) -> float:
        """Return the lead of so many tokens over so many others, where fewer than the least are alike."""
        lowest = self._worth.min_tokens - 1
        return self._worth.lead(max(own, lowest), max(other, lowest))
