"""A player with one card, who takes no risk it can see."""

from arena.games import View
from arena.games.action import Action
from arena.games.cuckoo.rules import CuckooRules
from arena.play import Info
from bots.stand_pat import content


class Cautious:
    """Keeps a card that is not low, or that it knows to be higher than another's; else swaps it.

    In games with more than one card it is content with what it has.
    """

    def __init__(self, info: Info) -> None:
        self.knows_the_game = isinstance(info.rules, CuckooRules)
        if self.knows_the_game:
            self.rank = info.rules.rank_table
            ranks = sorted([self.rank[(card,)] for card in info.rules.whole_pack.cards])
            self.enough = ranks[len(ranks) * 2 // 5]

    def act(self, view: View) -> Action:
        if not self.knows_the_game:
            return content(view)
        held = self.rank[view.hand]
        beaten = any(self.rank[hand] < held for hand in view.known if hand)
        return view.legal[0 if beaten or held >= self.enough else -1]
