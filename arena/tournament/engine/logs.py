"""Logging of a run: the lines of all its processes on the console, above the progress bar, and in one file.

Each line arrives whole and once. Workers send their records through the queues of multiprocessing-logging,
and threads of this process write them.
"""

import logging
import multiprocessing
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from io import TextIOWrapper
from logging.handlers import QueueHandler
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, Final

from multiprocessing_logging import MultiProcessingHandler

from arena.errors import ArenaError
from arena.play.faults import escape_unprintable, failure_pattern

log = logging.getLogger(__name__)


CONSOLE_FORMAT = "%(levelname)s: %(message)s"
FILE_FORMAT = "%(asctime)s %(levelname)s %(processName)s %(name)s: %(message)s"

MAX_BOT_LINES: Final = 20
"""Distinct ones about each bot, by each process."""
BOT_LOGGERS: Final = ("arena.play.players", "arena.play.bot_processes.bot_process")

FILE_ONLY: Final = {"file_only": True}
"""The `extra` of lines that the console does not show, as it says the same in other ways."""

logging.getLogger("numba").setLevel(logging.INFO)  # below it there are megabytes about each function


@contextmanager
def log_settings(settings: Mapping[str, Mapping[str, Any]]) -> Iterator[None]:
    """Add the settings of bots, by name, to what is logged about their failures."""

    def add_settings(record: logging.LogRecord) -> bool:
        own = settings.get(getattr(record, "bot", ""))
        if own is not None:
            text = ", ".join(f"{name}={value}" for name, value in own.items()) or "the start"
            record.msg, record.args = f"{record.getMessage()} [{text}]", None
        return True

    loggers = [logging.getLogger(name) for name in BOT_LOGGERS] if settings else []
    for logger in loggers:
        logger.addFilter(add_settings)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(add_settings)


class _PrintableFormatter(logging.Formatter):
    """Formats lines that are safe to print, whatever names and errors they quote."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record, with control characters escaped."""
        return escape_unprintable(super().format(record))


@contextmanager
def run_logging(log_file: Path, level: int = logging.INFO) -> Iterator[None]:
    """Show what is logged from `level` on, and append it to a file.

    The file has everything from INFO on, whatever is shown, and at its end the error that ended the run.
    """
    root = logging.getLogger()
    before = root.level
    _limit_bot_lines()
    console, file = logging.StreamHandler(), RunLogFile(log_file, encoding="utf-8")
    console.setFormatter(_PrintableFormatter(CONSOLE_FORMAT))
    file.setFormatter(_PrintableFormatter(FILE_FORMAT))
    root.addHandler(console)
    root.addHandler(file)
    console.setLevel(level)
    root.setLevel(min(level, logging.INFO))
    handlers_before = [(handler, handler.level, list(handler.filters)) for handler in root.handlers]
    try:
        with _above_progress_bar():
            for handler in root.handlers:  # workers cannot know what others have logged
                handler.addFilter(_BotLineLimit())
                if handler is not file:
                    handler.setLevel(level)
                    handler.addFilter(lambda record: not getattr(record, "file_only", False))
            with _log_error():
                yield
    finally:
        root.setLevel(before)
        for handler, level_before, filters in handlers_before:
            handler.setLevel(level_before)
            handler.filters = filters
        root.removeHandler(console)
        root.removeHandler(file)
        file.close()
        for name in BOT_LOGGERS:
            logging.getLogger(name).filters.clear()


def _above_progress_bar() -> AbstractContextManager[None]:
    """Show what is logged above the progress bar, which there is on a terminal only."""
    if not sys.stderr.isatty():
        return nullcontext()
    from tqdm.contrib.logging import logging_redirect_tqdm  # imports asyncio

    return logging_redirect_tqdm()


@contextmanager
def _log_error() -> Iterator[None]:
    try:
        yield
    except ArenaError as error:
        log.error("ended: %s", error, extra=FILE_ONLY)
        raise
    except KeyboardInterrupt:
        log.error("ended at once by a second signal", extra=FILE_ONLY)
        raise
    except BaseException:
        log.exception("ended by an unexpected error", extra=FILE_ONLY)
        raise


@contextmanager
def worker_logging(start: str) -> Iterator[Callable[[], None]]:
    """Let workers log through this process's handlers; yield the function that each of them must call first.

    To be entered after `run_logging`, and left when the workers have ended: then all their lines are written.
    """
    root = logging.getLogger()
    receivers = _receivers(root.handlers, start)
    try:
        yield partial(_log_to, [receiver.queue for receiver in receivers], root.level)
    finally:
        for receiver in receivers:
            # With this end closed and the workers' ends gone, the queue is read to its end. Its count of
            # items does not help: a killed worker may have taken some of them with it.
            receiver.queue._writer.close()
            receiver.close()


def _receivers(handlers: Sequence[logging.Handler], start: str) -> list[MultiProcessingHandler]:
    """Return a queue, and a thread that reads it, for each handler.

    They do not replace the handlers, as the package's install_mp_handler does: this process does not need
    them, and a worker killed while it writes to a queue blocks it for all. Queues support the default start
    method only, so that is changed while they are made.
    """
    default = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method(start, force=True)
    try:
        return [MultiProcessingHandler(f"log of {handler}", RelayHandler(handler)) for handler in handlers]
    finally:
        multiprocessing.set_start_method(default, force=True)


class RunLogFile(logging.FileHandler):
    """A log on a disk that may be full: the first line that cannot be written is reported."""

    _reported = False

    def _open(self) -> TextIOWrapper:
        """Open the file, unless it is a link or a pipe, which a stranger may leave in a run's folder."""
        return open(self.baseFilename, "a", encoding=self.encoding, opener=_open_plain)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Report it on standard error; the run continues without a log."""
        if not self._reported:
            self._reported = True
            sys.stderr.write(f"{self.baseFilename} cannot be written: {sys.exc_info()[1]}\n")

    def close(self) -> None:
        """Close the file, also if the disk has no room for the last of it."""
        with suppress(OSError):
            super().close()


def _open_plain(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)


class RelayHandler(logging.Handler):
    """Passes records on to a handler that other threads use as well."""

    def __init__(self, target: logging.Handler) -> None:
        super().__init__(target.level)
        self._target = target

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= self._target.level:
            self._target.handle(record)


def _log_to(queues: Sequence["Queue[logging.LogRecord]"], level: int) -> None:
    root = logging.getLogger()
    root.handlers[:] = [QueueHandler(queue) for queue in queues]
    root.setLevel(level)
    _limit_bot_lines()


class _BotLineLimit(logging.Filter):
    """Lets each distinct failure of a bot pass once: the end of the run says how often it happened."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: defaultdict[str, set[str]] = defaultdict(set)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line passes; the last one about a bot says that no more will come."""
        bot = getattr(record, "bot", None)
        if bot is None:
            return True
        seen, key = self._seen[bot], getattr(record, "failure", failure_pattern(record.getMessage()))
        if key in seen or len(seen) == MAX_BOT_LINES:
            return False
        seen.add(key)
        if len(seen) == MAX_BOT_LINES:
            record.msg = (
                f"{record.getMessage()}\n"
                f"    (no more lines about {bot} from this process; the results count its faults)"
            )
            record.args = None
        return True


def _limit_bot_lines() -> None:
    limit = _BotLineLimit()
    for name in BOT_LOGGERS:
        logging.getLogger(name).filters[:] = [limit]
