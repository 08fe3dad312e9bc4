"""When the collector of garbage looks for what is left over."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

GC_THRESHOLD_OBJECTS: Final = 50_000
"""Objects that are new, when it looks."""


@contextmanager
def raise_gc_threshold() -> Iterator[None]:
    """Lets the collector look seldom while matches are played: what they hold is alive, and has no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
