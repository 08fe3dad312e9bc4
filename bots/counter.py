"""A player who counts the cards that were seen, and weighs the chance of being last."""

from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.hands import HandRank
from arena.play import Info
from bots.stand_pat import content

HANDS = 16  # imagined for each of the others
RISK = 0.12  # of being last, at which it still knocks


class Counter:
    """Imagines the others' hands from the cards not seen, and knocks when it will hardly be the last of them."""

    def __init__(self, info: Info) -> None:
        self.rank = info.rules.table
        self.pack = info.rules.whole_pack.cards
        self.random = info.rng.random

    def act(self, view: View) -> Action:
        if HIDDEN in view.hand:
            return content(view)
        for action in view.legal:
            if action.kind == "pounce" or (action.kind == "knock" and self.chance_of_being_last(view) < RISK):
                return action
        best = max(view.legal, key=lambda action: self.rank[view.after(action)])
        if best.take and self.rank[view.after(best)] > self.rank[view.hand]:
            return best
        return next((action for action in view.legal if action.kind == "pass"), content(view))

    def chance_of_being_last(self, view: View) -> float:
        """The chance that all others will be better, each having taken its best card of the widow."""
        others = [view.known[seat] for seat in view.order if seat != view.seat]
        seen = {*view.hand, *view.table}.union(*others)
        unseen = [card for card in self.pack if card not in seen]
        chance = 1.0
        for known in others:
            chance *= self.share_better(self.rank[view.hand], known, unseen, view.table)
        return chance

    def share_better(self, own: HandRank, known: Hand, unseen: list[Card], widow: Hand) -> float:
        """How many of the hands that have these known cards in them get better than one's own."""
        better = 0
        for _ in range(HANDS):
            hand = list(known[-3:])
            while len(hand) < 3:
                card = unseen[int(self.random() * len(unseen))]
                if card not in hand:
                    hand.append(card)
            better += self.best_rank(hand, widow) > own
        return better / HANDS

    def best_rank(self, hand: list[Card], widow: Hand) -> HandRank:
        """What a hand is worth when the best card of the widow is in it."""
        rank = self.rank
        a, b, c = hand
        made = [rank[card, b, c] for card in widow]
        made += [rank[a, card, c] for card in widow]
        made += [rank[a, b, card] for card in widow]
        return max(max(made), rank[a, b, c])
