"""When the collector of garbage looks for what is left over."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SELDOM: Final = 50_000
"""Objects that are new, when it looks."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Lets the collector look seldom while matches are played: what they hold is alive, and has no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
