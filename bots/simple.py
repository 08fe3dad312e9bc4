"""Bot with one plain rule in each family that has one sensible bot only: between `random` and that bot."""

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.registry import find_family
from arena.play import Info
from arena.play.heuristics.fallback_action import stop_or_pass


class Simple:
    """Bot with a plain rule for draw games, barter, Cuccu, Cambio and Cox's game; elsewhere it ends the deal.

    The rules are those of the families, in `heuristic.py` of each:

    - Draw games: it draws from the stock, keeps the best three cards, and never knocks.
    - Barter games: it barters its lowest card, and stands on two alike or on high cards.
    - Cuccu: it swaps the three lowest ranks.
    - Cambio: it puts low cards in the place of those it does not know, and calls when it knows all.
    - Cox's game: it discards what it has one of, and buys and lays whatever it may.
    """

    def __init__(self, info: Info) -> None:
        self.choose = find_family(info.rules).load("plain_rule") or end_deal
        self.rules = info.rules

    def act(self, view: View) -> Action:
        return self.choose(self.rules, view)


def end_deal(_: Rules, view: View) -> Action:
    return stop_or_pass(view)
