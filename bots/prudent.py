"""Bot that follows the advice of the rule sheets to the letter."""

from arena.families.exchange.view import ExchangeView
from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.rankings.base import point
from arena.play import Info
from bots.stand_pat import stop_or_pass

SAFE_POINT = 25
STRONG = ("four", "tricon", "sequence", "flush")


class Prudent:
    """Bot that knocks on a flush or a point of 25, leaves a poor widow, and risks nothing on its last token.

    Source: S004, "Tips and Strategy".
    """

    def __init__(self, info: Info) -> None:
        self.rank = info.rules.rank_table

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand:
            return stop_or_pass(view)
        offers = [a for a in view.legal if view.after(a) != view.hand and HIDDEN not in view.after(a)]
        best = max(offers, key=lambda action: self.worth(view, action), default=None)
        if best is None or self.rank[view.after(best)] <= self.rank[view.hand] or self.is_safe(view):
            return stop_or_pass(view) if self.is_safe(view) or best is None else self.wait(view)
        return best

    def worth(self, view: View, action: Action) -> tuple[object, ...]:
        """Return the rank of the hand it makes, then how little the cards given are worth to the others."""
        given = [view.hand[slot].points for slot in action.give]
        return (self.rank[view.after(action)], -sum(given))

    def is_safe(self, view: View) -> bool:
        """Return whether the hand is good enough to show: on the last token only a pair or better."""
        category = self.rank[view.hand].category
        tokens = view.holdings.tokens
        if category in STRONG or category == "pair":
            return True
        return point(view.hand) >= SAFE_POINT and (tokens is None or tokens[view.seat] > 1)

    def wait(self, view: View) -> Action:
        """Return the pass, if there is one."""
        return next((action for action in view.legal if action.kind == "pass"), stop_or_pass(view))
