"""Bot that counts the cards seen and estimates the chance of having the worst hand."""

from bisect import bisect_left
from functools import cache
from random import Random

from arena.families.exchange.view import ExchangeView
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card
from arena.games.rankings.base import HandRank
from arena.play import Info
from bots.stand_pat import stop_or_pass

LATER_WEIGHT = 0.8  # weight of the hand it may have next turn; the hand it has now weighs the rest
SAFE_CHANCE = 0.95  # chance of not having the worst hand at which it knocks
MAX_CONSIDERED = 12  # actions, those that make the best hands
DRAWS = 8  # random unseen cards that it tries as the next card of the widow


class Counter:
    """Bot that makes the exchange of the highest expected value over this turn and the next.

    The settings `later` and `safe` replace LATER_WEIGHT and SAFE_CHANCE.
    """

    def __init__(self, info: Info) -> None:
        self.rules = info.rules
        self.rank = info.rules.rank_table
        self.random = info.rng.random
        self.later = float(info.settings.get("later", LATER_WEIGHT))
        self.safe = float(info.settings.get("safe", SAFE_CHANCE))

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand:
            return stop_or_pass(view)
        known = [action for action in view.legal if HIDDEN not in view.after(action)]
        known.sort(key=lambda action: self.rank[view.after(action)], reverse=True)
        knock = next((action for action in known if action.kind == "knock"), None)
        if knock is None:
            return known[0]
        coming = self.draw_unseen(view)
        others = [action for action in known if action is not knock]
        best = max(
            others[:MAX_CONSIDERED], key=lambda action: self.evaluate(view, action, coming), default=knock
        )
        is_safe = compute_chance(self.rules, len(view.order) - 1, self.rank[view.hand]) >= self.safe
        return knock if is_safe and self.rank[view.after(best)] <= self.rank[view.hand] else best

    def draw_unseen(self, view: View) -> list[Card]:
        """Draw cards that may come, of those that are not known to be elsewhere; none if all are known."""
        seen = {*view.hand, *view.table}.union(*view.known)
        unseen = [card for card in self.rules.whole_pack.cards if card not in seen]
        return [unseen[int(self.random() * len(unseen))] for _ in range(DRAWS if unseen else 0)]

    def evaluate(self, view: View, action: Action, coming: list[Card]) -> float:
        """Return the value of an action: of the hand it makes, and of what the next turn can make of that."""
        hand, widow = view.after(action), list(view.table)
        for mine, theirs in zip(action.give, action.take, strict=True):
            widow[theirs] = view.hand[mine]
        now, best_with = self.rank[hand], self.rank.best_with
        best_left = max([now] + [best_with(hand, card) for card in widow if card is not HIDDEN])
        best = [max(best_left, best_with(hand, card)) for card in coming] or [best_left]
        others = len(view.order) - 1
        chances = [compute_chance(self.rules, others, rank) for rank in best]
        later = self.later * sum(chances) / len(chances)
        return (1 - self.later) * compute_chance(self.rules, others, now) + later


@cache
def compute_chance(rules: Rules, others: int, rank: HandRank) -> float:
    """Return the chance that a hand of this rank is not the worst if so many others hold typical ones."""
    typical = typical_ranks(rules)
    better = 1 - bisect_left(typical, rank) / len(typical)
    return 1 - better**others


@cache
def typical_ranks(rules: Rules, hands: int = 2000) -> list[HandRank]:
    """Return ranks of random hands that were improved twice from a widow, worst first."""
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
