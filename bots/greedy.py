"""The best hand that can be had now."""

from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card
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
        legal, widow = view.legal, view.widow
        if len(legal) > SINGLE and not legal[SINGLE].take and len(view.hand) == len(widow) == 3:
            return self.best_single(legal, *view.hand, *widow) or content(view)
        return self.best_of_all(view) or content(view)

    def best_single(self, legal: tuple[Action, ...], *cards: Card) -> Action | None:
        """The best exchange of one card, if it makes the hand better: nine look-ups."""
        a, b, c, x, y, z = [card.number for card in cards]
        with_a = self.strengths[a]
        ab, ac, bc = with_a[b], with_a[c], self.strengths[b][c]
        made = (bc[x], bc[y], bc[z], ac[x], ac[y], ac[z], ab[x], ab[y], ab[z])
        best = max(made)
        return legal[made.index(best)] if best > ab[c] else None

    def best_of_all(self, view: ExchangeView) -> Action | None:
        """The best exchange of any number of cards."""
        rank = self.rules.table
        best, chosen = rank[view.hand], None
        for action, hand in zip(view.legal, view.hands_after(), strict=True):
            if HIDDEN not in hand and rank[hand] > best:
                best, chosen = rank[hand], action
        return chosen
