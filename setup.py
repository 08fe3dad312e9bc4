"""Compiles the busiest modules with mypyc where there is a C compiler. They run without that too.

What is compiled is the source as it stands, and plays the same games to the letter. ARENA_COMPILE=no leaves
it as it is.
"""

import os
import platform
import sys

from setuptools import Extension, setup

FAMILIES = ("exchange", "barter", "draw", "cuckoo", "cambio", "cox")
COMPILED = [
    "arena/games/cards.py",
    "arena/games/deal.py",
    "arena/games/deck.py",
    "arena/games/match.py",
    "arena/games/ranktable.py",
    *[f"arena/games/{family}/deal.py" for family in FAMILIES],
    "arena/games/writing.py",
    "arena/play/record.py",
    "arena/play/referee.py",
]


def extensions() -> list[Extension]:
    """What to compile: nothing if that is not wanted, or if this is not the interpreter that it is for."""
    if os.environ.get("ARENA_COMPILE") == "no" or platform.python_implementation() != "CPython":
        return []
    from mypyc.build import mypycify

    how = ["--config-file=", "--ignore-missing-imports"]
    try:
        found = mypycify([*how, *COMPILED], group_name="arena.games.compiled", debug_level="0")
    except SystemExit as error:
        sys.stderr.write(f"The source is not compiled: {error}\n")
        return []
    for extension in found:
        extension.optional = True  # where no compiler takes it, the source is what runs
    return found


if __name__ == "__main__":
    setup(ext_modules=extensions())
