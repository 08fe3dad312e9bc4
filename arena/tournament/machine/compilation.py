"""State of the compiled rule book, and the reason if there is none."""

from pathlib import Path
from typing import Final

from arena.games import deal

FAILURE: Final = Path(deal.__file__).with_name("compile_failure.txt")
"""File that a build leaves when nothing could be compiled."""
IS_CHECKOUT: Final = (FAILURE.parents[2] / "setup.py").exists()
"""True if the arena runs from its sources."""


def is_compiled() -> bool:
    """Return whether the rule book was compiled when the arena was installed."""
    return not str(deal.__file__).endswith(".py")


def read_compile_failure(file: Path = FAILURE) -> str:
    """Return the first line of the reason that a build left behind; empty if there is none."""
    try:
        return file.read_text(encoding="utf-8").partition("\n")[0]
    except OSError:
        return ""


def advise_compiling(failure: str, *, is_checkout: bool) -> str:
    """Return how to compile the rule book.

    Args:
        failure: Why the last build could not; empty if it was not asked to.
        is_checkout: Whether the arena runs from its sources.
    """
    if is_checkout:
        return "repair that, then run `make plain compiled`" if failure else "run `make compiled`"
    again = "`pip install --force-reinstall --no-deps` the arena"
    if failure:
        return f"repair that, then {again} with ARENA_COMPILE=require, which stops at the error"
    return f"{again} without ARENA_COMPILE=no"


def notice_if_uncompiled() -> str:
    """Return a sentence for long runs that play uncompiled; empty if they do not."""
    if is_compiled():
        return ""
    return "The rules are not compiled, so games take about twice as long: `arena doctor` says why."
