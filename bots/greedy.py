"""The best hand that can be had now."""

from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.exchange.view import ExchangeView
from arena.play import Info
from bots.stand_pat import content

SINGLE = 9  # exchanges of one card for one of three; they stand first among the legal actions


class Greedy:
    """Takes from the widow what makes the best hand, and is content when nothing makes a better one."""

    def __init__(self, info: Info) -> None:
        self.rules = info.rules
        self.strengths = info.rules.strengths if info.rules.hand_size == 3 else []

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or view.hand[0] is HIDDEN:
            return content(view)
        legal = view.legal
        if len(legal) <= SINGLE or legal[SINGLE].take or not len(view.hand) == len(view.widow) == 3:
            return self.best_of_all(view) or content(view)
        # one card for one of three: nine look-ups
        (a, b, c), (x, y, z) = view.hand, view.widow
        with_a, with_b = self.strengths[a.number], self.strengths[b.number]
        ab, ac, bc = with_a[b.number], with_a[c.number], with_b[c.number]
        first, second, third = x.number, y.number, z.number
        made = (
            bc[first], bc[second], bc[third],
            ac[first], ac[second], ac[third],
            ab[first], ab[second], ab[third],
        )  # fmt: skip
        best = max(made)
        return legal[made.index(best)] if best > ab[c.number] else content(view)

    def best_of_all(self, view: ExchangeView) -> Action | None:
        """The best exchange of any number of cards."""
        rank = self.rules.rank_table
        best, chosen = rank[view.hand], None
        for action, hand in zip(view.legal, view.hands_after(), strict=True):
            if HIDDEN not in hand and rank[hand] > best:
                best, chosen = rank[hand], action
        return chosen
