"""A bot for Knock Poker: it keeps what goes together, and knocks on two pairs."""

from collections import Counter

ENOUGH = {"two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush"}


class Careful:
    """Takes the card turned up if it pairs, discards what is alone, and knocks on two pairs or more."""

    def __init__(self, info):
        self.rules = info.rules

    def act(self, view):
        actions = {view.text(action): action for action in view.legal}
        ranks = Counter(card.rank for card in view.hand)
        if len(view.hand) > self.rules.hand_size:
            order = self.rules.whole_pack.ranks
            return min(
                view.legal,
                key=lambda action: [
                    (ranks[card.rank], order.index(card.rank)) for card in action.cards(view.hand, view.table)
                ],
            )
        if "knock" in actions and self.rules.rank(view.hand).category in ENOUGH:
            return actions["knock"]
        if ranks[view.table[0].rank] or "draw" not in actions:
            return view.legal[0]
        return actions["draw"]
