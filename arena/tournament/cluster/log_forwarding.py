"""Log records of a call on a worker, returned with its result and logged again by the run."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler
from typing import Final

MAX_RECORDS: Final = 1000
"""Returned with a result; of more there is only the number."""


@contextmanager
def collect_records(level: int, worker: str) -> Iterator[list[logging.LogRecord]]:
    """Collect what this thread logs from a level on, with the worker's address as the process name."""
    root, collector = logging.getLogger(), _RecordCollector(worker)
    level_before = root.level
    root.addHandler(collector)
    root.setLevel(level)
    try:
        yield collector.records
    finally:
        root.setLevel(level_before)
        root.removeHandler(collector)
        collector.close()
        if collector.dropped:
            text = f"{collector.dropped} more lines were logged"
            last = logging.LogRecord(__name__, logging.WARNING, __file__, 0, text, None, None)
            last.processName = worker
            collector.records.append(last)


def log_again(records: Iterable[logging.LogRecord]) -> None:
    """Log here, by the loggers of the same names, what a worker has logged."""
    for record in records:
        logging.getLogger(record.name).handle(record)


class _RecordCollector(QueueHandler):
    """Keeps the first records of the thread that makes it, ready to be pickled, and counts the others."""

    def __init__(self, worker: str) -> None:
        super().__init__(None)  # type: ignore[arg-type]  # it collects and queues nothing
        self.records: list[logging.LogRecord] = []
        self.dropped = 0
        self._worker = worker
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._thread:
            return
        if len(self.records) == MAX_RECORDS:
            self.dropped += 1
        else:
            kept = self.prepare(record)
            kept.processName = self._worker
            self.records.append(kept)
