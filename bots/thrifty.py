"""A player who deals with neighbours and the dealer, and counts what a card may bring and what it costs."""

from bisect import bisect_left
from functools import cache
from random import Random

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.barter.rules import BarterRules
from arena.games.cards import HIDDEN
from arena.games.hands import HandRank
from arena.play import Info
from bots.stand_pat import content

ENOUGH = 0.5  # the chance of winning, or of half the table's being worse, on which it stands


class Thrifty:
    """Stands on a hand that should win, barters rather than buys where it plays for chips.

    In games without trade and barter it is content with what it has.
    """

    def __init__(self, info: Info) -> None:
        self.rules = info.rules if isinstance(info.rules, BarterRules) else None
        if self.rules:
            self.rank = self.rules.rank_table
            self.pack = self.rules.whole_pack.cards
            self.usual = usual_ranks(self.rules)

    def act(self, view: View) -> Action:
        word = content(view)
        if not self.rules or (not word.give and self.chance(view) >= ENOUGH):
            return word
        givings = [action for action in view.legal if action.give]
        if not givings:
            return view.legal[-1]  # to go on
        price = 0 if view.seat == view.dealer else self.rules.settlement.price
        for_nothing = [action for action in givings if action.kind != "trade" or not price]
        if not for_nothing and view.holdings.pool is not None:
            return word  # chips are what it plays for
        return max(for_nothing or givings, key=lambda action: self.promise(view, action))

    def chance(self, view: View) -> float:
        """The chance that usual hands do not beat this one: all of them where the best wins, else any one."""
        beaten = bisect_left(self.usual, self.rank[view.hand]) / len(self.usual)
        return float(beaten ** (len(view.order) - 1)) if view.holdings.pool is not None else beaten

    def promise(self, view: View, action: Action) -> HandRank:
        """What a quarter of the cards not seen would make of the hand, or better."""
        hand = view.after(action)
        slot = hand.index(HIDDEN)
        seen = {*view.hand}.union(*view.known)
        unseen = [card for card in self.pack if card not in seen]
        ranks = sorted([self.rank[(*hand[:slot], card, *hand[slot + 1 :])] for card in unseen])
        return ranks[-len(ranks) // 4]


@cache
def usual_ranks(rules: Rules, hands: int = 1000) -> list[HandRank]:
    """What hands are worth as they are dealt, worst first."""
    rng, cards = Random(0), rules.whole_pack.cards
    return sorted([rules.rank_table[tuple(rng.sample(cards, rules.hand_size))] for _ in range(hands)])
