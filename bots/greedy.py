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
        rank = self.rank
        hands = view.hands_after()
        made = [rank[hand] for hand in hands]
        best = max(made)
        return view.legal[made.index(best)] if best > rank[view.hand] else content(view)
