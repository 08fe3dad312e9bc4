"""Bots that play the heuristic of one family, which bots in isolation find too.

The heuristics are in `arena/families/*/heuristic.py`. Each is imported when its bot is made: all together
take ten times as long to import as one.
"""

from importlib import import_module
from typing import Any, ClassVar

from arena.games import View
from arena.games.action import Action
from arena.play import Info


class FamilyBot:
    """Base of the bots: they play by the heuristic of a family, in every game."""

    heuristic: ClassVar[tuple[str, str]]
    """The family, and the name of the class in its module."""

    def __init__(self, info: Info) -> None:
        family, name = self.heuristic
        player: Any = getattr(import_module(f"arena.families.{family}.heuristic"), name)
        self.player = player() if player.__init__ is object.__init__ else player(info.rules)

    def act(self, view: View) -> Action:
        chosen: Action = self.player.act(view)
        return chosen


class Cautious(FamilyBot):
    """Bot for Cuccu that keeps a high card, or one known to be higher than another's, and swaps any other."""

    heuristic = ("cuckoo", "Cautious")


class Collector(FamilyBot):
    """Player of Cox's game that collects one suit and honours, buys and lays what fits, and sells out.

    In other games it ends the deal as soon as it may.
    """

    heuristic = ("cox", "Collector")


class Rememberer(FamilyBot):
    """Bot for Cambio that lowers its expected sum most, and looks at cards it does not know."""

    heuristic = ("cambio", "Rememberer")


class Thirty(FamilyBot):
    """Bot that collects one suit where totals count, and ends the deal as soon as it may in other games."""

    heuristic = ("draw", "Thirty")


class Thrifty(FamilyBot):
    """Bot that stands on a hand that should win, and barters rather than buys where it plays for chips."""

    heuristic = ("barter", "Thrifty")
