"""Where chunks are played: in this process, or in a pool of worker processes.

Both are `concurrent.futures` executors behind `Workers`, so that any other executor can stand in.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, Protocol, Self, TypeVar, runtime_checkable

from arena.errors import ArenaError
from arena.tournament.workers.process_pool import ProcessPool, StartMethod, block_interrupts

__all__ = ["InlineExecutor", "StartMethod", "Workers", "make_workers"]

P = ParamSpec("P")
T = TypeVar("T")
Piece = TypeVar("Piece")

MAX_ATTEMPTS = 3  # at a piece of work whose workers die
CHUNK_S = 0.05  # of work in a chunk: far more than the 0.1 ms that handing one over costs


@runtime_checkable
class Checked(Protocol):
    """An executor that does not always notice by itself that it is broken."""

    def check(self) -> None:
        """Breaks it if it is."""


HOSTED_CHUNK_S = (
    0.5  # where bots have processes of their own: many matches are played at once, and few at the end
)


class Workers:
    """An executor that is made anew when it breaks; leaving it ends the workers.

    `chunk_s` is how long a chunk should take.
    """

    def __init__(self, make: Callable[[], Executor], in_flight: int, chunk_s: float = CHUNK_S) -> None:
        self._in_flight = in_flight
        self.chunk_s = chunk_s
        self._make = make
        self._finished: SimpleQueue[Future[Any]] = SimpleQueue()
        self.executor = make()

    @property
    def in_flight(self) -> int:
        """How many chunks to have submitted at a time."""
        return self._in_flight

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """What the function will have returned; BrokenExecutor is in it if the workers are gone."""
        future: Future[T]
        try:
            future = self.executor.submit(function, *args, **kwargs)
        except BrokenExecutor as error:  # it broke since we looked
            future = Future()
            future.set_exception(error)
        with block_interrupts():
            future.add_done_callback(self._finished.put)
        return future

    def finished(self, timeout: float) -> list[Future[Any]]:
        """What was submitted and is finished since this was last asked, waited for so many seconds at most.

        `concurrent.futures.wait` holds the locks of futures for moments: Ctrl-C in one of them would leave
        it locked, and the thread of a pool that is shut down would wait for it for ever.
        """
        found = []
        try:
            found.append(self._finished.get(timeout=timeout))
            while True:
                found.append(self._finished.get_nowait())
        except Empty:
            return found

    def map(self, function: Callable[[Piece], T], pieces: Iterable[Piece]) -> Iterator[T]:
        """What the function gives for each piece, in their order, worked out some pieces ahead.

        Raises: ArenaError, when the workers that have a piece die again and again.
        """
        rest = iter(pieces)
        waiting: deque[tuple[Piece, Future[T]]] = deque()
        finished: set[Future[T]] = set()
        deaths = 0
        while True:
            for piece in islice(rest, max(self.in_flight - len(waiting), 0)):  # workers may have gone
                waiting.append((piece, self.submit(function, piece)))
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
                waiting = deque([(piece, self.submit(function, piece)) for piece, _ in waiting])
            else:
                waiting.popleft()
                deaths = 0
                yield first.result()

    def check(self) -> None:
        """Breaks an executor that lost a worker and did not notice; to be called when nothing comes in."""
        if isinstance(self.executor, Checked):
            self.executor.check()

    def renew(self) -> None:
        """Puts fresh workers in the place of those that are there."""
        self.executor.shutdown(wait=False)
        self.executor = self._make()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.executor.shutdown(wait=kind is None, cancel_futures=True)


def make_workers(jobs: int, start: StartMethod = "forkserver", chunk_s: float = CHUNK_S) -> Workers:
    """This process for one job, else so many worker processes, begun in the way that `start` says."""
    if jobs == 1:
        return Workers(InlineExecutor, in_flight=1, chunk_s=chunk_s)
    return Workers(
        lambda: ProcessPool(jobs, start), in_flight=2 * jobs + 1, chunk_s=chunk_s
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
