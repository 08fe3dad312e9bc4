"""Matches with a person at a terminal: input, output and the match itself."""

from arena.interactive.opponents import Opponent, choose_opponents
from arena.interactive.session import InteractiveMatch, check_output_file, save_record
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
