"""A player who counts the cards that were seen, and weighs the chance of being last."""

from bisect import bisect_left
from functools import cache
from random import Random

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.exchange.view import ExchangeView
from arena.games.hand_lookup import RankTable
from arena.games.hands import HandRank
from arena.play import Info
from bots.stand_pat import content

PATIENCE = 0.8  # how much the hand it may have next turn counts beside the one it has now
SAFE = 0.95  # the chance of not being last at which it knocks
CONSIDERED = 12  # actions, those first that make the best hands
DRAWS = 8  # cards not seen that it imagines in the next widow


class Counter:
    """Takes the exchange that promises most, with the next turn and the cards not seen in mind."""

    def __init__(self, info: Info) -> None:
        self.rules = info.rules
        self.rank = info.rules.rank_table
        self.random = info.rng.random

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand:
            return content(view)
        known = [action for action in view.legal if HIDDEN not in view.after(action)]
        known.sort(key=lambda action: self.rank[view.after(action)], reverse=True)
        knock = next((action for action in known if action.kind == "knock"), None)
        if knock is None:
            return known[0]
        coming = self.imagine(view)
        others = [action for action in known if action is not knock]
        best = max(others[:CONSIDERED], key=lambda action: self.promise(view, action, coming), default=knock)
        is_safe = self.chance(view, self.rank[view.hand]) >= SAFE
        return knock if is_safe and self.rank[view.after(best)] <= self.rank[view.hand] else best

    def chance(self, view: View, rank: HandRank) -> float:
        """The chance that a hand is not the last, if the others hold typical ones."""
        typical = typical_ranks(self.rules)
        better = 1 - bisect_left(typical, rank) / len(typical)
        return 1 - better ** (len(view.order) - 1)

    def imagine(self, view: View) -> list[Card]:
        """Cards that may come, of those that lie neither here nor where they were seen to go."""
        seen = {*view.hand, *view.table}.union(*view.known)
        unseen = [card for card in self.rules.whole_pack.cards if card not in seen]
        return [unseen[int(self.random() * len(unseen))] for _ in range(DRAWS)]

    def promise(self, view: View, action: Action, coming: list[Card]) -> float:
        """What an action is worth: the hand it makes, and what the next exchange can make of that."""
        hand, widow = view.after(action), list(view.table)
        for mine, theirs in zip(action.give, action.take, strict=True):
            widow[theirs] = view.hand[mine]
        now = self.rank[hand]
        stays = max([now] + [best_with(self.rank, hand, card) for card in widow if card is not HIDDEN])
        hopes = [self.chance(view, max(stays, best_with(self.rank, hand, card))) for card in coming]
        return (1 - PATIENCE) * self.chance(view, now) + PATIENCE * sum(hopes) / len(hopes)


def best_with(rank: RankTable, hand: Hand, card: Card) -> HandRank:
    """What a hand is worth with this card in the place where it does most."""
    return max([rank[(*hand[:slot], card, *hand[slot + 1 :])] for slot in range(len(hand))])


@cache
def typical_ranks(rules: Rules, hands: int = 2000) -> list[HandRank]:
    """What hands are worth that have been bettered twice from a widow, worst first."""
    rng, ranks = Random(0), []
    for _ in range(hands):
        *hand, a, b, c, d, e, f = rng.sample(rules.whole_pack.cards, rules.hand_size + 6)
        for widow in (a, b, c), (d, e, f):
            hand = max(
                [[*hand[:slot], card, *hand[slot + 1 :]] for slot in range(len(hand)) for card in widow]
                + [hand],
                key=lambda cards: rules.rank_table[tuple(cards)],
            )
        ranks.append(rules.rank_table[tuple(hand)])
    return sorted(ranks)
