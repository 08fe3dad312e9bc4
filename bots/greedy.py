"""The best hand that can be had now."""

from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.exchange.view import ExchangeView
from arena.play import Info
from bots.stand_pat import content


class Greedy:
    """Takes from the widow what makes the best hand, and is content when nothing makes a better one."""

    def __init__(self, info: Info) -> None:
        self.rank = info.rules.table

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand:
            return content(view)
        best, chosen = self.rank[view.hand], None
        for action, hand in zip(view.legal, view.hands_after(), strict=True):
            if HIDDEN not in hand and self.rank[hand] > best:
                best, chosen = self.rank[hand], action
        return chosen or content(view)
