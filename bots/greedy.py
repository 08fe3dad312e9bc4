"""Bot that always makes the best hand it can: a model for a first bot of your own.

`arena.families.exchange.heuristic`, which bots in isolation can import too, decides the same.
"""

from arena.families.exchange.view import ExchangeView
from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play.heuristics.fallback_action import stop_or_pass


class Greedy:
    """Bot that makes the exchange for the best hand now, and ends the deal when none improves its hand.

    In games without a widow it ends the deal as soon as it may.
    """

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or view.hand[0] is HIDDEN:
            return stop_or_pass(view)
        return view.best_exchange() or stop_or_pass(view)
