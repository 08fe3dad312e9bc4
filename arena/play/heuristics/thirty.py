"""Bot for games of suit totals: collects the highest, and knocks when it is high enough."""

from itertools import combinations

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import Hand
from arena.games.hands import HandRank
from arena.games.suit_totals import SuitTotals
from arena.play.heuristics.stopping import stop_or_pass

KNOCK_TOTAL = 25  # seldom the lowest when the others have had their last turns
MEDIAN_TOTAL = 17  # half of all hands dealt have more


class Thirty:
    """Collects one suit where totals count; in other games it ends the deal as soon as it may."""

    def __init__(self, rules: Rules) -> None:
        self.has_totals = isinstance(rules.ranking, SuitTotals)
        self.rank = rules.rank_table

    def act(self, view: View) -> Action:
        if not self.has_totals:
            return stop_or_pass(view)
        by_kind = {action.kind: action for action in view.legal}
        held = self.best(view.hand)
        total = held.value or 0
        if "take" in by_kind:  # a second packet, not seen yet
            return by_kind["keep" if total >= MEDIAN_TOTAL else "take"]
        if "knock" in by_kind and total >= KNOCK_TOTAL:
            return by_kind["knock"]
        likeliest = max(view.legal, key=lambda action: self.best(view.after(action)))
        if "discard" in by_kind or self.best(view.after(likeliest)) > held:
            return likeliest
        return by_kind.get("pass", view.legal[0])  # the first of the draws is from the stock

    def best(self, hand: Hand) -> HandRank:
        """Return the rank of the best three cards of a hand, which may have a fourth or one not seen yet."""
        return max([self.rank[three] for three in combinations(hand, 3)])
