"""What a worker logs while it plays, on its way to the log of the run."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

MOST: Final = 1000
"""Lines that travel with a result; of more there is only the number."""


class Line(msgspec.Struct, frozen=True):
    """A line of a log."""

    logger: str
    level: int
    created: float
    text: str


@contextmanager
def kept(level: int) -> Iterator[list[Line]]:
    """Gathers what this thread logs from a level on."""
    root, keeper = logging.getLogger(), _Keeper()
    before = root.level
    root.addHandler(keeper)
    root.setLevel(level)
    try:
        yield keeper.lines
    finally:
        root.setLevel(before)
        root.removeHandler(keeper)
        if keeper.dropped:
            text = f"{keeper.dropped} more lines were logged"
            keeper.lines.append(Line(__name__, logging.WARNING, keeper.lines[-1].created, text))


def log_again(lines: Iterable[Line], worker: str) -> None:
    """Logs here what a worker has logged, at its time and as its lines."""
    for line in lines:
        record = logging.makeLogRecord(
            {
                "name": line.logger,
                "levelno": line.level,
                "levelname": logging.getLevelName(line.level),
                "msg": line.text,
                "created": line.created,
                "msecs": line.created % 1 * 1000,
                "processName": worker,
            }
        )
        logging.getLogger(line.logger).handle(record)


class _Keeper(logging.Handler):
    """Keeps the first lines of the thread that makes it, and counts the others."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self.dropped = 0
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._thread:
            return
        if len(self.lines) == MOST:
            self.dropped += 1
        else:
            self.lines.append(Line(record.name, record.levelno, record.created, self.format(record)))
