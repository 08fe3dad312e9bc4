"""Semaphores of a pool, when the process with which Python tracks them was killed."""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cache
from multiprocessing import resource_tracker
from typing import Any


@cache
def tolerate_killed_tracker() -> None:
    """Tell the tracker only of semaphores that it knows when they are removed.

    If it is killed, Python starts another one, which would print a traceback for each semaphore that the
    first one knew. All of them are removed by this process. To be called before any is made.
    """
    tracker: Any = resource_tracker._resource_tracker
    original_register, original_unregister = tracker.register, tracker.unregister
    trackers: dict[tuple[Any, str], int | None] = {}

    def register(name: Any, rtype: str) -> None:
        try:
            original_register(name, rtype)
        except BrokenPipeError:  # killed this moment: now Python notices, and starts another
            original_register(name, rtype)
        trackers[name, rtype] = tracker._pid

    def unregister(name: Any, rtype: str) -> None:
        if trackers.pop((name, rtype), tracker._pid) == tracker._pid and tracker._check_alive():
            with suppress(BrokenPipeError):
                original_unregister(name, rtype)

    resource_tracker.register = register
    resource_tracker.unregister = unregister
    warnings.filterwarnings("ignore", "resource_tracker: process died unexpectedly")
