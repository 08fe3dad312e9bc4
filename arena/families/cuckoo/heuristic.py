"""Bot for Cuccu, where each player has one card, that takes no risk it can see."""

from typing import ClassVar, Final

import msgspec

from arena.families.cuckoo.rules import CuckooRules
from arena.games import Rules, View
from arena.games.action import Action
from arena.play.heuristics import Heuristic
from arena.play.heuristics.fallback_action import stop_or_pass

HIGHEST_SWAPPED: Final = 2
"""Highest rank that it swaps at Cuccu, counted from 0: the three lowest."""


class Constants(msgspec.Struct, frozen=True):
    """The constant of `Cautious`: `low`, the share of the pack that is low."""

    low: float = 0.4


class Cautious(Heuristic):
    """Player of Cuccu that keeps a high card, or one known to be higher than another's, and swaps others.

    In games of other families it ends the deal as soon as it may.
    """

    cards_seen: ClassVar = 0
    playouts: ClassVar = 200

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


def play_plain_rule(rules: Rules, view: View) -> Action:
    """Return the choice of `simple`: swap the three lowest ranks."""
    is_low = rules.whole_pack.rank_index[view.hand[0]] <= HIGHEST_SWAPPED
    return view.legal[-1 if is_low else 0]
