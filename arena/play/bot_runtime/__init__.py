"""The program in which a Python bot lives that has a process of its own: it rebuilds the views it is sent.

It imports the rule book, `arena.play.bot` and msgspec, and nothing else of the arena.
"""

from arena.play.bot_runtime.server import main

__all__ = ["main"]
