"""Bots that compute in many threads at once, on as many cores as there are."""

from __future__ import annotations

import hashlib
import threading
import time
from typing import Any

DATA = bytes(1 << 20)  # hashing it lets other threads run


def compute(cpu_s: float, threads: int) -> None:
    """Compute in so many threads until all together have used so much CPU time."""
    end = time.process_time() + cpu_s

    def hash_until_end() -> None:
        while time.process_time() < end:
            hashlib.sha256(DATA)

    running = [threading.Thread(target=hash_until_end) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


def compute_forever(threads: int) -> None:
    """Start threads that never end."""
    for _ in range(threads):
        threading.Thread(target=compute, args=(1e9, 1), daemon=True).start()


class ParallelThinker:
    """Takes half a second of CPU time for each decision, in four threads."""

    def act(self, view: Any) -> Any:
        compute(0.5, 4)
        return view.legal[0]


class Hog:
    """Computes in many threads while it is asked."""

    def act(self, view: Any) -> Any:
        compute(0.1, 8)
        return view.legal[0]
