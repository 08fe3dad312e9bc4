"""The log of a run: every process's lines on the console, above the progress bar, and in one file.

Each line arrives whole and once. Workers send their records through the queues of multiprocessing-logging,
and threads of this process write them.
"""

import logging
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from logging.handlers import QueueHandler
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Final

from multiprocessing_logging import MultiProcessingHandler
from tqdm.contrib.logging import logging_redirect_tqdm

from arena.errors import ArenaError

CONSOLE = "%(levelname)s: %(message)s"
FILE = "%(asctime)s %(levelname)s %(processName)s %(name)s: %(message)s"

LINES: Final = 20
"""What is said of a bot by each worker."""
ABOUT_BOTS: Final = ("arena.play.players", "arena.play.bot_processes.bot_process")

FILE_ONLY: Final = {"file_only": True}
"""The `extra` of what the console says in another way."""

log = logging.getLogger(__name__)


@contextmanager
def run_logging(log_file: Path, level: int = logging.INFO) -> Iterator[None]:
    """Shows what is logged from `level` on, and keeps it in a file, which is added to if it is there.

    The file has all from INFO on, whatever is shown, and last what ended the run if that was an error.
    """
    root = logging.getLogger()
    before = root.level
    _show_few_faults()
    console, file = logging.StreamHandler(), RunLogFile(log_file, encoding="utf-8")
    console.setFormatter(logging.Formatter(CONSOLE))
    file.setFormatter(logging.Formatter(FILE))
    root.addHandler(console)
    root.addHandler(file)
    console.setLevel(level)
    root.setLevel(min(level, logging.INFO))
    try:
        with logging_redirect_tqdm():
            for handler in root.handlers:
                if handler is not file:
                    handler.setLevel(level)
                    handler.addFilter(lambda record: not getattr(record, "file_only", False))
            with _ending_told():
                yield
    finally:
        root.setLevel(before)
        root.removeHandler(console)
        root.removeHandler(file)
        file.close()
        for name in ABOUT_BOTS:
            logging.getLogger(name).filters.clear()


@contextmanager
def _ending_told() -> Iterator[None]:
    try:
        yield
    except ArenaError as error:
        log.error("ended: %s", error, extra=FILE_ONLY)
        raise
    except KeyboardInterrupt:
        log.error("ended on the spot by a second signal", extra=FILE_ONLY)
        raise
    except BaseException:
        log.exception("ended by an error that nobody expected", extra=FILE_ONLY)
        raise


@contextmanager
def worker_logging(start: str) -> Iterator[Callable[[], None]]:
    """Lets workers log through this process's handlers; gives what each of them is to call first.

    To be entered after `run_logging`, and left when the workers have ended: all that came from them is
    written by then.
    """
    root = logging.getLogger()
    receivers = _receivers(root.handlers, start)
    try:
        yield partial(_log_to, [receiver.queue for receiver in receivers], root.level)
    finally:
        for receiver in receivers:
            # With our end shut, the workers' ends gone, the queue is read to its end. Its count of what
            # is in it tells nothing: a killed worker may have taken some of that with it.
            receiver.queue._writer.close()
            receiver.close()


def _receivers(handlers: Sequence[logging.Handler], start: str) -> list[MultiProcessingHandler]:
    """A queue and a thread that reads it for each handler.

    They are not put in the handlers' places, as the package's install_mp_handler does: this process has
    no need of them, and a worker killed while it writes to a queue blocks it for everybody. Queues serve
    the default start method only, so that is changed while they are made.
    """
    default = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method(start, force=True)
    try:
        return [MultiProcessingHandler(f"log of {handler}", RelayHandler(handler)) for handler in handlers]
    finally:
        multiprocessing.set_start_method(default, force=True)


class RunLogFile(logging.FileHandler):
    """A log on a disk that may be full: a line that cannot be written is said once to be missing."""

    _said = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Says it on standard error, as the work goes on without a log."""
        if not self._said:
            self._said = True
            sys.stderr.write(f"{self.baseFilename} cannot be written: {sys.exc_info()[1]}\n")

    def close(self) -> None:
        """Lets the file go, also if the last of it finds no room."""
        with suppress(OSError):
            super().close()


class RelayHandler(logging.Handler):
    """Hands records on to a handler that other threads use as well."""

    def __init__(self, target: logging.Handler) -> None:
        super().__init__(target.level)
        self._target = target

    def emit(self, record: logging.LogRecord) -> None:
        """Passes the record on, unless it is below the handler's level."""
        if record.levelno >= self._target.level:
            self._target.handle(record)


def _log_to(queues: Sequence["Queue[logging.LogRecord]"], level: int) -> None:
    root = logging.getLogger()
    root.handlers[:] = [QueueHandler(queue) for queue in queues]
    root.setLevel(level)
    _show_few_faults()


class BotLineLimit(logging.Filter):
    """The first lines about each bot: its faults are counted in the results, and would fill the disk here."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Says after the last line that more will not come."""
        bot = getattr(record, "bot", None)
        if bot is None:
            return True
        self._lines[bot] += 1
        if self._lines[bot] == LINES:
            record.msg = (
                f"{record.getMessage()}\n    (this worker says no more of {bot}; its faults are counted)"
            )
            record.args = None
        return self._lines[bot] <= LINES


def _show_few_faults() -> None:
    """Begins to count what is said of each bot in this process."""
    few = BotLineLimit()
    for name in ABOUT_BOTS:
        logging.getLogger(name).filters[:] = [few]
