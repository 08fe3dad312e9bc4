"""Workers: executors that play chunks in this process or in a pool of worker processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from itertools import islice
from multiprocessing import connection
from queue import Empty, SimpleQueue
from typing import Any, Final, Literal, ParamSpec, Protocol, Self, TypeVar, runtime_checkable

from arena.errors import ArenaError
from arena.plugins.games import load_same_games, loaded_games
from arena.tournament.engine.logs import worker_logging

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")
StartMethod = Literal["fork", "forkserver", "spawn"]

MAX_ATTEMPTS: Final = 3
"""Limit on attempts at a call whose workers die."""
CHUNK_S: Final = 0.1
"""Seconds of work in a chunk: far more than the millisecond that submitting it costs."""
HOSTED_CHUNK_S: Final = 0.5
"""The same for bots in processes of their own: many matches run at once, and few at a chunk's end."""
SHUTDOWN_TIMEOUT_S: Final = 10.0
"""Seconds that idle workers may take to end."""
PRELOADED: Final = ["arena.cli", "arena.tournament.engine.block_player"]
"""Modules that the process which forks the workers imports once for all of them."""


@runtime_checkable
class _Checkable(Protocol):
    """An executor that does not always notice by itself that it is broken."""

    def check(self) -> None:
        """Break it if it is."""


class Workers:
    """An executor that is replaced when it breaks; leaving the context ends the workers.

    Args:
        make: Returns a new executor.
        in_flight: How many calls to have submitted at a time.
        chunk_s: Seconds of work that a chunk should have.
    """

    def __init__(self, make: Callable[[], Executor], in_flight: int, chunk_s: float = CHUNK_S) -> None:
        self._in_flight = in_flight
        self.chunk_s = chunk_s
        self._make = make
        self._finished: SimpleQueue[Future[Any]] = SimpleQueue()
        self.executor = make()

    @property
    def in_flight(self) -> int:
        """The number of calls to have submitted at a time."""
        return self._in_flight

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call; its future has a BrokenExecutor if the workers are gone."""
        future: Future[T]
        try:
            future = self.executor.submit(function, *args, **kwargs)
        except BrokenExecutor as error:  # it broke since the last check
            future = Future()
            future.set_exception(error)
        with block_interrupts():
            future.add_done_callback(self._finished.put)
        return future

    def finished(self, timeout: float) -> list[Future[Any]]:
        """Return the futures that have finished since the last call; wait up to `timeout` seconds for one.

        `concurrent.futures.wait` holds the locks of futures: Ctrl-C at that moment would leave one locked,
        and a pool that is shut down would wait for it for ever.
        """
        chunks = []
        try:
            chunks.append(self._finished.get(timeout=timeout))
            while True:
                chunks.append(self._finished.get_nowait())
        except Empty:
            return chunks

    def map(self, function: Callable[[Item], T], items: Iterable[Item]) -> Iterator[T]:
        """Yield the function's result for each item, in order, computed some items ahead."""
        rest = iter(items)
        waiting: deque[tuple[Item, Future[T]]] = deque()
        finished: set[Future[T]] = set()
        deaths = 0
        while True:
            for item in islice(rest, max(self.in_flight - len(waiting), 0)):  # workers may have gone
                waiting.append((item, self.submit(function, item)))
            if not waiting:
                return
            _, first = waiting[0]
            while first not in finished:
                if arrived := self.finished(timeout=1.0):
                    finished.update(arrived)
                else:
                    self.check()
            finished.remove(first)
            if isinstance(error := first.exception(), BrokenExecutor):
                deaths += 1
                if deaths == MAX_ATTEMPTS:
                    raise ArenaError(f"{deaths} workers died: out of memory, or killed by someone") from error
                self.renew()
                waiting = deque([(item, self.submit(function, item)) for item, _ in waiting])
            else:
                waiting.popleft()
                deaths = 0
                yield first.result()

    def check(self) -> None:
        """Break an executor that lost a worker unnoticed; to be called when no result comes."""
        if isinstance(self.executor, _Checkable):
            self.executor.check()

    def renew(self) -> None:
        """Replace the executor."""
        self.executor.shutdown(wait=False)
        self.executor = self._make()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.executor.shutdown(wait=kind is None, cancel_futures=True)


def make_workers(jobs: int, start: StartMethod = "forkserver", chunk_s: float = CHUNK_S) -> Workers:
    """Return this process as the worker for one job, else as many worker processes as jobs."""
    if jobs == 1:
        return Workers(InlineExecutor, in_flight=1, chunk_s=chunk_s)
    return Workers(
        lambda: _WorkerPool(jobs, start), in_flight=2 * jobs + 1, chunk_s=chunk_s
    )  # a pool reads so far ahead


class InlineExecutor(Executor):
    """Runs each call at once, in this process and thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _WorkerPool(ProcessPoolExecutor):
    """Worker processes that log through this process, ignore Ctrl-C, and end with this process.

    The standard pool notices by itself when a worker dies, unless that was killed while it held one of the
    pool's pipes: then the others and the pool wait for it. See `check`.
    """

    def __init__(self, jobs: int, start: StartMethod) -> None:
        os.environ["PYTHONSAFEPATH"] = "1"  # of workers: else they import from the folder they start in
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of workers: they use all cores without
        self._logging = ExitStack()
        set_up_logging = self._logging.enter_context(worker_logging(start))
        context = multiprocessing.get_context(start)
        context.set_forkserver_preload(PRELOADED)
        super().__init__(jobs, context, initializer=_start_worker, initargs=(set_up_logging, loaded_games()))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            with block_interrupts():
                return super().submit(fn, *args, **kwargs)
        except (EOFError, ConnectionError) as error:
            raise BrokenProcessPool("the process that starts the workers died") from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: at once without `wait`, else when all that was submitted is done.

        To be called when it is done: after ten more seconds the workers are killed.
        """
        if not wait:
            self._kill()
        timer = threading.Timer(SHUTDOWN_TIMEOUT_S, self._kill)
        timer.start()
        super().shutdown(wait, cancel_futures=cancel_futures)
        timer.cancel()
        self._logging.close()

    def check(self) -> None:
        """Break the pool if a worker is dead; to be called when no result has come for a while."""
        sentinels = [process.sentinel for process in (self._processes or {}).values()]
        if connection.wait(sentinels, timeout=0):
            self._kill()

    def _kill(self) -> None:
        for process in list((self._processes or {}).values()):
            process.kill()
        if self._result_queue is not None:
            self._result_queue._writer.close()  # type: ignore[attr-defined]  # else its reader may wait on


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in this thread and in the processes it starts, until those can handle it themselves."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(set_up_logging: Callable[[], None], games: Mapping[str, str]) -> None:
    """Set up a worker process, with the games that its parent has loaded.

    It ignores Ctrl-C and a closed terminal: the parent ends it in order.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a forked one has its parent's handler
    set_up_logging()
    load_same_games(games)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit when the parent ends: a pool's workers hold both ends of its queues and would not notice."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
