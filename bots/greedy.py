"""The best hand that can be had now."""

from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play import Info
from bots.stand_pat import content


class Greedy:
    """Makes the best hand it can have now, and is content when nothing makes it better."""

    def __init__(self, info: Info) -> None:
        self.rank = info.rules.table

    def act(self, view: View) -> Action:
        if HIDDEN in view.hand:
            return content(view)
        rank, after = self.rank, view.after
        best, chosen = rank[view.hand], None
        for action in view.legal:
            hand = after(action)
            if rank[hand] > best:
                best, chosen = rank[hand], action
        return chosen or content(view)
