"""Bot for Cuccu, where each player has one card, that takes no risk it can see."""

import msgspec

from arena.families.cuckoo.rules import CuckooRules
from arena.games import Rules, View
from arena.games.action import Action
from arena.play.heuristics.fallback_action import stop_or_pass


class Constants(msgspec.Struct, frozen=True):
    """The constant of `Cautious`: `low`, the share of the pack that is low."""

    low: float = 0.4


class Cautious:
    """Player of Cuccu that keeps a high card, or one known to be higher than another's, and swaps others.

    In games of other families it ends the deal as soon as it may.
    """

    def __init__(self, rules: Rules, constants: Constants | None = None) -> None:
        self.is_cuckoo = isinstance(rules, CuckooRules)
        if self.is_cuckoo:
            self.rank = rules.rank_table
            ranks = sorted([self.rank[(card,)] for card in rules.whole_pack.cards])
            self.high_enough = ranks[int(len(ranks) * (constants or Constants()).low)]

    def act(self, view: View) -> Action:
        if not self.is_cuckoo:
            return stop_or_pass(view)
        held = self.rank[view.hand]
        beaten = any(self.rank[hand] < held for hand in view.known if hand)
        return view.legal[0 if beaten or held >= self.high_enough else -1]
