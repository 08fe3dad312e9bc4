"""The program of a Python bot's process: it rebuilds the views that it is sent and calls the bot.

It imports the rule book, `arena.play.bot` and msgspec, and nothing else of the arena, so that it starts fast.
"""

from arena.play.bot_runtime.server import main

__all__ = ["main"]
