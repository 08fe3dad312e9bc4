"""A person at the table: what they see, what they may type, and a match with them in it."""

from arena.interactive.opponents import Opponent, opponents
from arena.interactive.save_record import check_free, keep
from arena.interactive.session import Sitting
from arena.interactive.terminal import Terminal, leaving_when_told

__all__ = ["Opponent", "Sitting", "Terminal", "check_free", "keep", "leaving_when_told", "opponents"]
