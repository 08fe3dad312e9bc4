"""A person at the table: what they see, what they may type, and a match with them in it."""

from arena.report.person.keeping import check_free, keep
from arena.report.person.opponents import Opponent, opponents
from arena.report.person.sitting import Sitting
from arena.report.person.terminal import Terminal, leaving_when_told

__all__ = ["Opponent", "Sitting", "Terminal", "check_free", "keep", "leaving_when_told", "opponents"]
