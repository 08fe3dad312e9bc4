"""Bot for the barter games that weighs what a card may bring against its price."""

from bisect import bisect_left
from functools import cache
from math import ceil
from random import Random
from typing import ClassVar, Final

import msgspec

from arena.families.barter.rules import BarterRules
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import Card
from arena.play.heuristics import Heuristic
from arena.play.heuristics.fallback_action import stop_or_pass

HIGH_RANKS: Final = 24
"""Sum of ranks on which it stands at barter, ranks counted from 0: three tens."""
DEALT_HANDS: Final = 1000
"""Number of random hands with which a hand as dealt is compared."""


class Constants(msgspec.Struct, frozen=True):
    """The constants of `Thrifty`.

    Attributes:
        stand: Chance of winning, or of not having the worse of two hands, at which it stands.
        best: Share of the unseen cards of which it weighs the worst, to judge what a card given may bring.
    """

    stand: float = 0.5
    best: float = 0.25


class Thrifty(Heuristic):
    """Player that stands on a hand that should win, and barters rather than buys where it plays for chips.

    In games without trade and barter it ends the deal as soon as it may.
    """

    cards_seen: ClassVar = 1

    def __init__(self, rules: Rules, constants: Constants | None = None) -> None:
        self.constants = constants or Constants()
        self.rules = rules if isinstance(rules, BarterRules) else None
        if self.rules:
            self.strengths = self.rules.strengths
            self.pack = self.rules.whole_pack.cards
            self.dealt_strengths = sort_dealt_strengths(self.rules)

    def act(self, view: View) -> Action:
        stop = stop_or_pass(view)
        if not self.rules or (not stop.give and self.chance(view) >= self.constants.stand):
            return stop
        givings = [action for action in view.legal if action.give]
        if not givings:
            return view.legal[-1]  # to go on
        price = 0 if view.seat == view.dealer else self.rules.settlement.price
        for_nothing = [action for action in givings if action.kind != "trade" or not price]
        if not for_nothing and view.holdings.pool is not None:
            return stop  # chips are what it plays for
        values = self.evaluate(view)
        return max(for_nothing or givings, key=lambda action: values[action.give[0]])

    def chance(self, view: View) -> float:
        """Return the chance to beat hands as dealt: all the others where the best wins, else any one."""
        a, b, c = view.hand
        held = self.strengths[a.number][b.number][c.number]
        beaten = bisect_left(self.dealt_strengths, held) / len(self.dealt_strengths)
        return float(beaten ** (len(view.order) - 1)) if view.holdings.pool is not None else beaten

    def evaluate(self, view: View) -> list[int]:
        """Return by slot the strength that the hand reaches with the best of the unseen cards."""
        assert self.rules
        seen = {*view.hand}.union(*view.known)
        rank = max(ceil((len(self.pack) - len(seen)) * self.constants.best), 1)
        a, b, c = [card.number for card in view.hand]
        values = []
        for first, other in ((b, c), (a, c), (a, b)):
            best_first = sort_thirds(self.rules, first, other)[: rank + len(seen)]
            third = [card for card in best_first if card not in seen][rank - 1]
            values.append(self.strengths[first][other][third.number])
        return values


@cache
def sort_dealt_strengths(rules: Rules) -> list[int]:
    """Return strengths of random hands as dealt, worst first."""
    rng, cards, values = Random(0), rules.whole_pack.cards, []
    for _ in range(DEALT_HANDS):
        a, b, c = rng.sample(cards, rules.hand_size)
        values.append(rules.strengths[a.number][b.number][c.number])
    return sorted(values)


@cache
def sort_thirds(rules: BarterRules, first: int, other: int) -> list[Card]:
    """Return the cards of the pack, first those that make the best hand with two cards of these numbers."""
    row = rules.strengths[first][other]
    return sorted(rules.whole_pack.cards, key=lambda card: row[card.number], reverse=True)


def play_plain_rule(rules: Rules, view: View) -> Action:
    """Return the choice of `simple`: barter the lowest card, and stand on two alike or on high cards."""
    index = rules.whole_pack.rank_index
    givings = [action for action in view.legal if action.give]
    stop = stop_or_pass(view)
    ranks = [index[card] for card in view.hand]
    is_good = len(set(ranks)) < len(ranks) or sum(ranks) >= HIGH_RANKS
    if not givings or (is_good and not stop.give):
        return stop
    return min(givings, key=lambda action: (action.kind == "trade", index[view.hand[action.give[0]]]))
