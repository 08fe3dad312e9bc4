"""Bot for games of suit totals: collects the highest, and knocks when it is high enough."""

from itertools import combinations
from typing import ClassVar

import msgspec

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import Hand
from arena.games.hand_lookup import UNKNOWN, compute_strengths
from arena.games.rankings.suit_totals import SuitTotals
from arena.play.heuristics import Heuristic
from arena.play.heuristics.fallback_action import stop_or_pass


class Constants(msgspec.Struct, frozen=True):
    """The constants of `Thirty`.

    Attributes:
        knock: The total at which it knocks: seldom the lowest when the others have had their last turns.
        keep: The total at which it keeps its packet: half of all hands dealt have more.
    """

    knock: float = 25
    keep: float = 17


class Thirty(Heuristic):
    """Player that collects one suit where totals count; in other games it ends the deal as soon as it may."""

    cards_seen: ClassVar = 6
    playouts: ClassVar = 160
    doubts_leads: ClassVar = False
    weighs_worlds: ClassVar = True

    def __init__(self, rules: Rules, constants: Constants | None = None) -> None:
        self.constants = constants or Constants()
        self.has_totals = isinstance(rules.ranking, SuitTotals)
        if self.has_totals:
            self.strengths, self.ranks = compute_strengths(rules.ranking, rules.whole_pack)

    def act(self, view: View) -> Action:
        if not self.has_totals:
            return stop_or_pass(view)
        by_kind = {action.kind: action for action in view.legal}
        if "discard" in by_kind:
            return max(view.legal, key=lambda action: self.best(view.after(action)))
        held = self.best(view.hand)
        total = self.total(held)
        if "take" in by_kind:  # a second packet, not seen yet
            return by_kind["keep" if total >= self.constants.keep else "take"]
        if "knock" in by_kind and total >= self.constants.knock:
            return by_kind["knock"]
        likeliest = max(view.legal, key=lambda action: self.best(view.after(action)))
        if self.best(view.after(likeliest)) > held:
            return likeliest
        return by_kind.get("pass", view.legal[0])  # the first of the draws is from the stock

    def best(self, hand: Hand) -> int:
        """Return the strength of the best three cards of a hand, which may have a fourth, not seen yet."""
        if len(hand) > 3:
            return max(map(self.best, combinations(hand, 3)))
        a, b, c = hand
        return self.strengths[a.number][b.number][c.number]

    def total(self, strength: int) -> float:
        """Return the total of three cards, 0 if they have not all been seen."""
        return 0 if strength == UNKNOWN else self.ranks[strength].value or 0


def play_plain_rule(rules: Rules, view: View) -> Action:
    """Return the choice of `simple`: draw from the stock, keep the best three cards, and never knock."""
    if view.legal[0].kind == "discard":
        return max(view.legal, key=lambda action: rules.rank_table[view.after(action)])
    return view.legal[0]  # from the stock, or the packet dealt
