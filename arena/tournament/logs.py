"""The log of a run: every process's lines on the console, above the progress bar, and in one file.

Each line arrives whole and once. Workers send their records through the queues of multiprocessing-logging,
and threads of this process write them.
"""

import logging
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from logging.handlers import QueueHandler
from multiprocessing.queues import Queue
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler, uninstall_mp_handler
from tqdm.contrib.logging import logging_redirect_tqdm

CONSOLE = "%(levelname)s: %(message)s"
FILE = "%(asctime)s %(levelname)s %(processName)s %(name)s: %(message)s"


@contextmanager
def run_logging(log_file: Path, level: int = logging.INFO) -> Iterator[None]:
    """Shows and keeps what is logged from `level` on, the file being added to if it is there."""
    root = logging.getLogger()
    before = root.level
    console, file = logging.StreamHandler(), logging.FileHandler(log_file, encoding="utf-8")
    console.setFormatter(logging.Formatter(CONSOLE))
    file.setFormatter(logging.Formatter(FILE))
    root.addHandler(console)
    root.addHandler(file)
    root.setLevel(level)
    try:
        with logging_redirect_tqdm():
            yield
    finally:
        root.setLevel(before)
        root.removeHandler(console)
        root.removeHandler(file)
        file.close()


@contextmanager
def worker_logging(start: str) -> Iterator[Callable[[], None]]:
    """Lets workers log through this process's handlers; gives what each worker is to call first.

    To be entered after `run_logging`, and left when the workers have ended: all that they logged is
    written by then.
    """
    root = logging.getLogger()
    queued = _queue_handlers(root, start)
    try:
        yield partial(_log_to, [handler.queue for handler in queued], root.level)
    finally:
        _drain(queued)
        uninstall_mp_handler(root)


def _queue_handlers(root: logging.Logger, start: str) -> list[MultiProcessingHandler]:
    """Puts a queue before each handler, in the way of the package's install_mp_handler.

    That one refuses all start methods but fork, though its queues serve any, if they are made for it.
    They are made for the default start method, so that is changed meanwhile.
    """
    default = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method(start, force=True)
    try:
        queued = []
        for number, handler in enumerate(list(root.handlers)):
            queued.append(MultiProcessingHandler(f"log-{number}", handler))
            root.removeHandler(handler)
            root.addHandler(queued[-1])
        return queued
    finally:
        multiprocessing.set_start_method(default, force=True)


def _log_to(queues: Sequence["Queue[logging.LogRecord]"], level: int) -> None:
    root = logging.getLogger()
    root.handlers[:] = [QueueHandler(queue) for queue in queues]
    root.setLevel(level)


def _drain(handlers: Sequence[MultiProcessingHandler]) -> None:
    """Writes what is in the queues; together, as each may take its fifth of a second to look up."""
    if handlers:
        with ThreadPoolExecutor(len(handlers)) as threads:
            list(threads.map(MultiProcessingHandler.close, handlers))
