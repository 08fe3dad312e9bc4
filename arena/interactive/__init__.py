"""Matches with a person at a terminal: input, output and the match itself."""

from arena.interactive.seated_match import Opponent, choose_opponents
from arena.interactive.terminal_io import Terminal, interrupt_on_signals
from arena.interactive.terminal_match import TerminalMatch, check_output_file, save_record

__all__ = [
    "Opponent",
    "Terminal",
    "TerminalMatch",
    "check_output_file",
    "choose_opponents",
    "interrupt_on_signals",
    "save_record",
]
