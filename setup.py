"""Compiles the busiest modules with mypyc where there is a C compiler. They run without that too.

What is compiled is the source as it stands, and plays the same games to the letter. ARENA_COMPILE=no leaves
it as it is.
"""

import os
import platform
import sys
from contextlib import suppress

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FAMILIES = ("exchange", "barter", "draw", "cuckoo", "cambio", "cox")
BOT_PROCESSES = (
    "bot_process",
    "msgpack_protocol",
    "request",
    "scheduler",
    "time_control",
    "view_encoder",
)
COMPILED = [
    "arena/games/hand_lookup.py",
    "arena/games/legal_actions.py",
    "arena/games/seat_counts.py",
    "arena/games/deal.py",
    "arena/games/stock.py",
    "arena/games/match.py",
    "arena/games/notation.py",
    *[f"arena/games/{family}/deal.py" for family in FAMILIES],
    "arena/play/bot_runtime/column_codec.py",
    "arena/play/records/action_codec.py",
    *[f"arena/play/bot_processes/{module}.py" for module in BOT_PROCESSES],
    "arena/play/records/record.py",
    "arena/play/referee.py",
]


def extensions() -> list[Extension]:
    """What to compile: nothing if that is not wanted, or if this is not the interpreter that it is for."""
    if os.environ.get("ARENA_COMPILE") == "no" or platform.python_implementation() != "CPython":
        return []
    from mypyc.build import mypycify

    how = ["--config-file=", "--ignore-missing-imports"]
    try:
        return mypycify([*how, *COMPILED], group_name="arena.games.compiled", debug_level="0")
    except SystemExit as error:
        return nothing(error)


def nothing(why: BaseException) -> list[Extension]:
    """No extension at all, and a word on why."""
    sys.stderr.write(f"Nothing is compiled, the source is what runs: {why}\n")
    return []


class AllOrNothing(build_ext):
    """Compiles all of it, or leaves all of it as it is: a part alone would not fit the rest."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # there is no compiler, or it is not up to it
            for extension in self.extensions:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.build_lib, self.get_ext_filename(extension.name)))
            self.extensions = nothing(error)


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": AllOrNothing})
