"""Checkpoints of a run: where a bot can leave it, and where it can be ended for good."""

from __future__ import annotations

from itertools import takewhile

from arena.tournament.formats import StageIterator
from arena.tournament.storage.store import Store


def next_checkpoint(stages: StageIterator, store: Store) -> int | None:
    """Return the index of the first block that can still change; None at the end."""
    *_, last = stages.decided(store)
    played = store.count(last.indices)
    if played == len(last.indices):
        return None
    return last.indices.stop if played else last.indices.start


def count_finished(stages: StageIterator, store: Store) -> int:
    """Return after how many blocks a run can be ended: all tables of its round have played as many of them.

    To be called for a format whose stages have a `step`, while its last stage lacks blocks.
    """
    *_, last = stages.decided(store)
    start, step = last.indices.start, getattr(last, "step", len(last.indices))
    stored = (index for index in store.indices() if index >= start)
    finished = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(stored, last.indices, strict=False))
    )
    return start + finished // step * step
