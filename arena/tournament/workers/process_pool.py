"""A pool of worker processes that neither outlives its parent nor hangs on a worker that was killed."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import connection
from typing import Literal, ParamSpec, TypeVar

from arena.tournament.workers.run_logging import worker_logging

P = ParamSpec("P")
T = TypeVar("T")
StartMethod = Literal["fork", "forkserver", "spawn"]

FAREWELL_S = 10.0  # in which idle workers are to end


class ProcessPool(ProcessPoolExecutor):
    """Worker processes whose log lines come out here and that leave Ctrl-C to this process.

    The standard pool notices by itself when a worker dies, unless that was killed while it held one of the
    pool's pipes: then the others and the pool wait for it. See `check`.
    """

    def __init__(self, jobs: int, start: StartMethod) -> None:
        self._logging = ExitStack()
        set_up_logging = self._logging.enter_context(worker_logging(start))
        context = multiprocessing.get_context(start)
        super().__init__(jobs, context, initializer=_begin_work, initargs=(set_up_logging,))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            with block_interrupts():
                return super().submit(fn, *args, **kwargs)
        except (EOFError, ConnectionError) as error:
            raise BrokenProcessPool("the process that starts the workers died") from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the workers: at once without `wait`, else when all is done that was submitted before.

        It is to be called when that is so: after ten more seconds the workers are killed.
        """
        if not wait:
            self._kill()
        farewell = threading.Timer(FAREWELL_S, self._kill)
        farewell.start()
        super().shutdown(wait, cancel_futures=cancel_futures)
        farewell.cancel()
        self._logging.close()

    def check(self) -> None:
        """Breaks the pool if a worker is dead; to be called when nothing has come for a while."""
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
