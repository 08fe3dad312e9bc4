"""Workers are any executor, made anew when it breaks."""

import gc
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from types import FrameType
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.tournament.engine.workers import PRELOADED, InlineExecutor, Workers, make_workers


class Watched(InlineExecutor):
    """An executor that tells how it was shut down."""

    def __init__(self, shutdowns: list[tuple[bool, bool]]) -> None:
        self._shutdowns = shutdowns

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._shutdowns.append((wait, cancel_futures))


def test_one_job_is_done_in_this_process_at_once() -> None:
    calls: list[int] = []
    with make_workers(jobs=1) as workers:
        future = workers.submit(calls.append, 3)
        assert calls == [3]
        assert future.done()


def test_an_error_waits_in_the_future() -> None:
    with make_workers(jobs=1) as workers:
        future = workers.submit(int, "seven")
        assert isinstance(future.exception(), ValueError)


def test_a_second_ctrl_c_does_not() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), make_workers(jobs=1) as workers:
        workers.submit(interrupted)


def test_at_the_end_workers_finish_and_after_an_error_they_are_stopped() -> None:
    shutdowns: list[tuple[bool, bool]] = []
    with Workers(lambda: Watched(shutdowns), in_flight=1):
        pass
    with pytest.raises(KeyError), Workers(lambda: Watched(shutdowns), in_flight=1):
        raise KeyError
    assert shutdowns == [(True, True), (False, True)]


def has_module(name: str) -> bool:
    """Return whether this process has imported a module."""
    return name in sys.modules


def test_workers_share_what_their_parent_has_imported() -> None:
    with make_workers(jobs=2) as workers:
        assert all(workers.map(has_module, PRELOADED))


def test_renewed_workers_are_others() -> None:
    made: list[Executor] = []

    class Numbered(InlineExecutor):
        def __init__(self) -> None:
            made.append(self)

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return super().submit(lambda: made.index(self))

    with Workers(Numbered, in_flight=1) as workers:
        assert workers.submit(print).result() == 0
        workers.renew()
        assert workers.submit(print).result() == 1


class Mortal(InlineExecutor):
    """An executor whose workers die over what is told, that many times."""

    def __init__(self, deaths: list[int]) -> None:
        self._deaths = deaths

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self._deaths and args == (self._deaths[0],):
            raise BrokenExecutor(f"died over {self._deaths.pop(0)}")
        return super().submit(fn, *args, **kwargs)


def test_pieces_come_back_in_their_order_also_when_workers_die() -> None:
    deaths = [3, 3, 5]
    with Workers(lambda: Mortal(deaths), in_flight=2) as workers:
        assert list(workers.map(str, range(8))) == list("01234567")
    assert not deaths


def test_a_piece_that_kills_each_worker_ends_the_work() -> None:
    with Workers(lambda: Mortal([3] * 3), in_flight=1) as workers:
        pieces = workers.map(str, range(8))
        assert [next(pieces) for _ in range(3)] == ["0", "1", "2"]
        with pytest.raises(ArenaError, match="3 workers died"):
            next(pieces)


def test_nothing_is_begun_that_nobody_may_ask_for() -> None:
    begun: list[int] = []
    with Workers(InlineExecutor, in_flight=2) as workers:
        assert next(workers.map(begun.append, range(1000))) is None
    assert begun == [0, 1]


def test_workers_are_had_again_when_what_starts_them_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    submit, deaths = ProcessPoolExecutor.submit, iter([EOFError(), ConnectionResetError()])

    def dying(self: ProcessPoolExecutor, *call: Any) -> Future[Any]:
        for death in deaths:
            raise death
        return submit(self, *call)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", dying)
    with make_workers(2, "forkserver") as workers:
        assert list(workers.map(abs, [-1, -2, -3])) == [1, 2, 3]


class Unhurried(InlineExecutor):
    """An executor that finishes nothing."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return Future()


@pytest.mark.parametrize("instant", range(60))
def test_ctrl_c_leaves_no_lock_whenever_it_comes_while_results_are_waited_for(instant: int) -> None:
    with Workers(Unhurried, in_flight=1) as workers:
        future = workers.submit(print)
        with suppress(KeyboardInterrupt), interrupted_at(instant):
            workers.finished(timeout=0.001)
        finishing = threading.Thread(target=future.set_result, args=(None,), daemon=True)
        finishing.start()
        finishing.join(10)
        assert not finishing.is_alive()


@contextmanager
def interrupted_at(instant: int) -> Iterator[None]:
    """A Ctrl-C when so many lines have been run, in this code or what it calls."""
    lines = count()

    def line(frame: FrameType, event: str, argument: object) -> Any:
        if next(lines) == instant:
            sys.settrace(None)
            raise KeyboardInterrupt
        return line

    before = sys.gettrace()
    gc.disable()  # whom it tells of its work is not to be interrupted
    sys.settrace(line)
    try:
        yield
    finally:
        sys.settrace(before)
        gc.enable()
