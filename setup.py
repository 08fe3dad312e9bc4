"""Compile the busiest modules with mypyc where a C compiler is available.

The modules also run uncompiled, with the same results. Set ARENA_COMPILE=no to skip compiling, which
needs mypy, or ARENA_COMPILE=quick to have the C compiler done in half the time, with slower code.
"""

import os
import platform
import sys
from contextlib import suppress

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FAMILIES = ("exchange", "barter", "draw", "cuckoo", "cambio", "cox")
BOT_PROCESSES = (
    "answers",
    "bot_process",
    "failure_suspects",
    "msgpack_protocol",
    "replay_log",
    "scheduler",
    "send_queue",
    "time_control",
    "view_encoder",
)
COMPILED = [
    "arena/games/card_pool.py",
    "arena/games/hand_lookup.py",
    "arena/games/legal_actions.py",
    "arena/games/seat_counts.py",
    "arena/games/deal.py",
    "arena/games/stock.py",
    "arena/games/chance.py",
    "arena/games/match.py",
    "arena/games/notation.py",
    *[f"arena/games/{family}/deal.py" for family in FAMILIES],
    "arena/games/cox/actions.py",
    "arena/games/cox/cards.py",
    "arena/games/cox/combination_points.py",
    "arena/games/cox/kind_counts.py",
    "arena/games/cox/rack_history.py",
    "arena/games/cox/replay.py",
    "arena/games/cox/sets.py",
    "arena/games/exchange/card_tracker.py",
    "arena/games/exchange/choice_histories.py",
    "arena/games/exchange/known_hands.py",
    "arena/games/barter/choice_histories.py",
    "arena/games/barter/assigned_cards.py",
    "arena/play/bot_runtime/column_codec.py",
    "arena/play/records/action_codec.py",
    *[f"arena/play/bot_processes/{module}.py" for module in BOT_PROCESSES],
    "arena/play/records/record.py",
    "arena/play/referee.py",
    "arena/report/page/replay_frames.py",
]


IS_COMPILING = os.environ.get("ARENA_COMPILE") != "no" and platform.python_implementation() == "CPython"
OPTIMIZATION = "1" if os.environ.get("ARENA_COMPILE") == "quick" else "3"
COMPILER = ["msgspec>=0.19", "mypy>=1.11"]
"""What mypyc needs in the build environment."""
COMMANDS_WITHOUT_EXTENSIONS = {"egg_info", "dist_info", "sdist"}
"""They want to know requirements, metadata and files; the generated C is none of the source."""


def extensions() -> list[Extension]:
    """Return the extensions to compile: none if they are not asked for."""
    if not IS_COMPILING or COMMANDS_WITHOUT_EXTENSIONS.intersection(sys.argv):
        return []
    from mypyc.build import mypycify

    options = ["--config-file=", "--ignore-missing-imports"]
    try:
        return mypycify(
            [*options, *COMPILED],
            group_name="arena.games.compiled",
            opt_level=OPTIMIZATION,
            debug_level="0",
        )
    except SystemExit as error:
        return no_extensions(error)


def no_extensions(reason: BaseException) -> list[Extension]:
    """Report why nothing is compiled, and return no extensions."""
    sys.stderr.write(f"Nothing was compiled, plain Python is used: {reason}\n")
    return []


class AllOrNothing(build_ext):
    """Compile all modules or none: compiled and uncompiled modules do not fit together."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # no compiler, or one that fails
            for extension in self.extensions:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.build_lib, self.get_ext_filename(extension.name)))
            self.extensions = no_extensions(error)


if __name__ == "__main__":
    setup(
        ext_modules=extensions(),
        # Only for installers, which ask by egg_info: with any other command setuptools warns of it.
        setup_requires=COMPILER if IS_COMPILING and "egg_info" in sys.argv else [],
        cmdclass={"build_ext": AllOrNothing},
    )
