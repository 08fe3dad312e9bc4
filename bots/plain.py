"""Plain bots: each plays by one rule that can be said in a sentence."""

from typing import Final

from arena.families.exchange.view import ExchangeView
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.rankings.base import point
from arena.games.registry import find_family
from arena.play import Info
from arena.play.heuristics.fallback_action import stop_or_pass

MIN_LEFT: Final = 1 << 64
"""Below this a number is used up: until then no draw is biased by more than 1/2**64 per choice."""
SAFE_POINT: Final = 25
STRONG: Final = ("four", "tricon", "sequence", "flush")


class Random:
    """Bot that chooses uniformly among the legal actions.

    It draws digit by digit from hashes of 512 bits: one costs a tenth of creating `info.rng`, which in a
    short match takes longer than all decisions.
    """

    def __init__(self, info: Info) -> None:
        self.key = info.key.encode()
        self.left = 0

    def act(self, view: View) -> Action:
        legal = view.legal
        if self.left < MIN_LEFT:
            from hashlib import blake2b  # here: it takes longer to import than all bots of this module

            self.key = blake2b(self.key).digest()
            self.left = int.from_bytes(self.key, "big")
        self.left, drawn = divmod(self.left, len(legal))
        return legal[drawn]


class StandPat:
    """Bot that ends the deal as soon as it may, whatever its hand."""

    def act(self, view: View) -> Action:
        return stop_or_pass(view)


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


class Greedy:
    """Bot that makes the exchange for the best hand now, and ends the deal when none improves its hand.

    A model for a first bot of your own. `arena.families.exchange.heuristic`, which bots in isolation can
    import too, decides the same. In games without a widow it ends the deal as soon as it may.
    """

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or view.hand[0] is HIDDEN:
            return stop_or_pass(view)
        return view.best_exchange() or stop_or_pass(view)


class Prudent:
    """Bot that knocks on a flush or a point of 25, leaves a poor widow, and risks nothing on its last token.

    Source: S004, "Tips and Strategy".
    """

    def __init__(self, info: Info) -> None:
        self.rank = info.rules.rank_table

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand:
            return stop_or_pass(view)
        offers = [a for a in view.legal if view.after(a) != view.hand and HIDDEN not in view.after(a)]
        best = max(offers, key=lambda action: self.worth(view, action), default=None)
        if best is None or self.rank[view.after(best)] <= self.rank[view.hand] or self.is_safe(view):
            return stop_or_pass(view) if self.is_safe(view) or best is None else self.wait(view)
        return best

    def worth(self, view: View, action: Action) -> tuple[object, ...]:
        """Return the rank of the hand it makes, then how little the cards given are worth to the others."""
        given = [view.hand[slot].points for slot in action.give]
        return (self.rank[view.after(action)], -sum(given))

    def is_safe(self, view: View) -> bool:
        """Return whether the hand is good enough to show: on the last token only a pair or better."""
        category = self.rank[view.hand].category
        tokens = view.holdings.tokens
        if category in STRONG or category == "pair":
            return True
        return point(view.hand) >= SAFE_POINT and (tokens is None or tokens[view.seat] > 1)

    def wait(self, view: View) -> Action:
        """Return the pass, if there is one."""
        return next((action for action in view.legal if action.kind == "pass"), stop_or_pass(view))
