"""Bot for the barter games that weighs what a card may bring against its price."""

from bisect import bisect_left
from functools import cache
from random import Random

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.barter.rules import BarterRules
from arena.games.cards import HIDDEN
from arena.games.hands import HandRank
from arena.play.heuristics.stopping import stop_or_pass

STAND_CHANCE = 0.5  # chance of winning, or of not having the worse of two hands, at which it stands


class Thrifty:
    """Stands on a hand that should win, barters rather than buys where it plays for chips.

    In games without trade and barter it ends the deal as soon as it may.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules if isinstance(rules, BarterRules) else None
        if self.rules:
            self.rank = self.rules.rank_table
            self.pack = self.rules.whole_pack.cards
            self.dealt_ranks = sort_dealt_ranks(self.rules)

    def act(self, view: View) -> Action:
        stop = stop_or_pass(view)
        if not self.rules or (not stop.give and self.chance(view) >= STAND_CHANCE):
            return stop
        givings = [action for action in view.legal if action.give]
        if not givings:
            return view.legal[-1]  # to go on
        price = 0 if view.seat == view.dealer else self.rules.settlement.price
        for_nothing = [action for action in givings if action.kind != "trade" or not price]
        if not for_nothing and view.holdings.pool is not None:
            return stop  # chips are what it plays for
        return max(for_nothing or givings, key=lambda action: self.evaluate(view, action))

    def chance(self, view: View) -> float:
        """Return the chance to beat hands as dealt: all the others where the best wins, else any one."""
        beaten = bisect_left(self.dealt_ranks, self.rank[view.hand]) / len(self.dealt_ranks)
        return float(beaten ** (len(view.order) - 1)) if view.holdings.pool is not None else beaten

    def evaluate(self, view: View, action: Action) -> HandRank:
        """Return the rank that the hand reaches with the best quarter of the unseen cards."""
        hand = view.after(action)
        slot = hand.index(HIDDEN)
        seen = {*view.hand}.union(*view.known)
        unseen = [card for card in self.pack if card not in seen]
        ranks = sorted([self.rank[(*hand[:slot], card, *hand[slot + 1 :])] for card in unseen])
        return ranks[-len(ranks) // 4]


@cache
def sort_dealt_ranks(rules: Rules, hands: int = 1000) -> list[HandRank]:
    """Return ranks of random hands as dealt, worst first."""
    rng, cards = Random(0), rules.whole_pack.cards
    return sorted([rules.rank_table[tuple(rng.sample(cards, rules.hand_size))] for _ in range(hands)])
