"""Bot with one plain rule in each family that has one sensible bot only: between `random` and that bot."""

from collections.abc import Callable
from typing import Final

from arena.families.cambio.actions import CAMBIO, DISCARD, DRAW_STOCK, SKIP
from arena.families.cambio.view import CambioView
from arena.families.cox.cards import BANK, KIND
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play import Info
from arena.play.heuristics.fallback_action import stop_or_pass

HIGHEST_SWAPPED: Final = 2
"""Highest rank that it swaps at Cuccu, counted from 0: the three lowest."""
HIGH_RANKS: Final = 24
"""Sum of ranks on which it stands at barter, ranks counted from 0: three tens."""
HIGHEST_PLACED: Final = 4
"""Maximum points of a card that it puts into its hand at Cambio."""


class Simple:
    """Bot with a plain rule for draw games, barter, Cuccu, Cambio and Cox's game; elsewhere it ends the deal.

    - Draw games: it draws from the stock, keeps the best three cards, and never knocks.
    - Barter games: it barters its lowest card, and stands on two alike or on high cards.
    - Cuccu: it swaps the three lowest ranks.
    - Cambio: it puts low cards in the place of those it does not know, and calls when it knows all.
    - Cox's game: it discards what it has one of, and buys and lays whatever it may.
    """

    def __init__(self, info: Info) -> None:
        self.choose = RULES.get(info.rules.family, end_deal)
        self.rules = info.rules

    def act(self, view: View) -> Action:
        return self.choose(self.rules, view)


def end_deal(_: Rules, view: View) -> Action:
    return stop_or_pass(view)


def draw(rules: Rules, view: View) -> Action:
    if view.legal[0].kind == "discard":
        return max(view.legal, key=lambda action: rules.rank_table[view.after(action)])
    return view.legal[0]  # from the stock, or the packet dealt


def barter(rules: Rules, view: View) -> Action:
    index = rules.whole_pack.rank_index
    givings = [action for action in view.legal if action.give]
    stop = stop_or_pass(view)
    ranks = [index[card] for card in view.hand]
    is_good = len(set(ranks)) < len(ranks) or sum(ranks) >= HIGH_RANKS
    if not givings or (is_good and not stop.give):
        return stop
    return min(givings, key=lambda action: (action.kind == "trade", index[view.hand[action.give[0]]]))


def swap_low(rules: Rules, view: View) -> Action:
    is_low = rules.whole_pack.rank_index[view.hand[0]] <= HIGHEST_SWAPPED
    return view.legal[-1 if is_low else 0]


def place_low(rules: Rules, view: View) -> Action:
    assert isinstance(view, CambioView)
    if view.drawn and DISCARD in view.legal:
        points = -rules.rank((view.drawn,)).grade
        if points <= HIGHEST_PLACED and HIDDEN in view.hand:
            return view.legal[view.hand.index(HIDDEN)]
        return DISCARD
    if CAMBIO in view.legal and HIDDEN not in view.hand:
        return CAMBIO
    return next((action for action in (DRAW_STOCK, SKIP) if action in view.legal), view.legal[-1])


def collect_alike(_: Rules, view: View) -> Action:
    def count(action: Action) -> int:
        card = view.hand[action.give[0]]
        return len(view.hand) if card is BANK else sum(KIND[one] == KIND[card] for one in view.hand)

    if view.legal[0].kind == "discard":
        return min(view.legal, key=count)
    return next((action for action in view.legal if action.kind in ("buy", "lay", "sell")), view.legal[-1])


RULES: Final[dict[str, Callable[[Rules, View], Action]]] = {
    "draw": draw,
    "barter": barter,
    "cuckoo": swap_low,
    "cambio": place_low,
    "cox": collect_alike,
}
"""Rule of play, by family."""
