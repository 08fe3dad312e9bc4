"""Where chunks are played: in this process, or in a pool of worker processes.

Both are `concurrent.futures` executors behind `Workers`, so that any other executor can stand in.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Literal, ParamSpec, Self, TypeVar

from arena.tournament.logs import worker_logging

P = ParamSpec("P")
T = TypeVar("T")
Start = Literal["fork", "forkserver", "spawn"]

CHUNK_S = 0.05  # of work in a chunk: far more than the 0.1 ms that handing one over costs


class Workers:
    """An executor that is made anew when it breaks; leaving it ends the workers.

    `in_flight` is how many chunks to have submitted at a time, `chunk_s` how long one should take.
    """

    def __init__(self, make: Callable[[], Executor], in_flight: int, chunk_s: float = CHUNK_S) -> None:
        self.in_flight = in_flight
        self.chunk_s = chunk_s
        self._make = make
        self._executor = make()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """What the function will have returned; raises BrokenExecutor if the workers are gone."""
        return self._executor.submit(function, *args, **kwargs)

    def renew(self) -> None:
        """Puts fresh workers in the place of those that are there."""
        self._executor.shutdown(wait=False)
        self._executor = self._make()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._executor.shutdown(wait=kind is None, cancel_futures=True)


def workers(jobs: int, start: Start = "forkserver") -> Workers:
    """This process for one job, else so many worker processes, begun in the way that `start` says."""
    if jobs == 1:
        return Workers(Serial, in_flight=1)
    return Workers(lambda: Pool(jobs, start), in_flight=2 * jobs + 1)  # a pool reads that far ahead


class Serial(Executor):
    """Runs each call at once, in this process and thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Pool(ProcessPoolExecutor):
    """Worker processes whose log lines come out here, and which end with this process, however it ends."""

    def __init__(self, jobs: int, start: Start) -> None:
        self._logging = ExitStack()
        set_up_logging = self._logging.enter_context(worker_logging(start))
        context = multiprocessing.get_context(start)
        super().__init__(jobs, context, initializer=_begin_work, initargs=(set_up_logging,))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _no_interrupts():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the workers: when they have done what they are at, or without `wait` at once."""
        processes = list((self._processes or {}).values())
        super().shutdown(wait, cancel_futures=cancel_futures)
        if not wait:
            for process in processes:
                process.kill()
        self._logging.close()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Keeps Ctrl-C from this thread and from the processes it starts, until they can see to it themselves."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_work(set_up_logging: Callable[[], None]) -> None:
    """What a worker does first. Ctrl-C is for the parent to handle, which ends its workers in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a forked one has its parent's handler
    set_up_logging()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A pool's workers hold both ends of its queues, so they would never notice a parent killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
