"""Bot that always makes the best hand it can: a model for a first bot of your own."""

from typing import ClassVar

from arena.families.exchange.view import ExchangeView
from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play.heuristics import Heuristic
from arena.play.heuristics.fallback_action import stop_or_pass


class Greedy(Heuristic):
    """Player that makes the exchange for the best hand now, and ends the deal when none improves its hand.

    In games without a widow it ends the deal as soon as it may.
    """

    keeps_table: ClassVar = True
    cards_seen: ClassVar = 6
    playouts: ClassVar = 200
    doubts_leads: ClassVar = False

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or view.hand[0] is HIDDEN:
            return stop_or_pass(view)
        return view.best_exchange() or stop_or_pass(view)
