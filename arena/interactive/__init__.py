"""A person at the table: what they see, what they may type, and a match with them in it."""

from arena.interactive.opponents import Opponent, choose_opponents
from arena.interactive.save_record import check_output_file, save_record
from arena.interactive.session import InteractiveMatch
from arena.interactive.terminal import Terminal, interrupt_on_signals

__all__ = [
    "InteractiveMatch",
    "Opponent",
    "Terminal",
    "check_output_file",
    "choose_opponents",
    "interrupt_on_signals",
    "save_record",
]
