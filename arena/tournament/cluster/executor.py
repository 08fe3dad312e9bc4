"""An executor that submits a run's calls to the workers of a cluster."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from distributed import Client, KilledWorker
from distributed.client import ClosedClientError
from distributed.comm import CommClosedError

from arena.errors import ArenaError
from arena.tournament.cluster.log_forwarding import log_again
from arena.tournament.cluster.run_bundle import RunBundle, build_bundle
from arena.tournament.cluster.scheduler_address import Cluster
from arena.tournament.cluster.worker import call, freeze_call, play_here, run_frozen
from arena.tournament.cluster.worker_registry import WorkerRegistry
from arena.tournament.setup.config import Config
from arena.tournament.workers.block_player import RunPlan
from arena.tournament.workers.chunks import PlayChunk
from arena.tournament.workers.executors import Workers
from arena.tournament.workers.process_budget import processes_per_table

P = ParamSpec("P")
T = TypeVar("T")

CHUNK_S: Final = 0.5
"""Seconds of work in a chunk: far more than the few milliseconds that a scheduler takes for one."""
CONNECT_TIMEOUT_S: Final = 10.0
"""Seconds that a scheduler may take to answer."""
JOIN_TIMEOUT_S: Final = 60.0
"""Seconds to wait for the first worker that can play."""
CHECK_EVERY_S: Final = 1.0
LOST_WORK: Final = (BrokenExecutor, KilledWorker, CommClosedError)
"""Errors that the call did not cause."""

log = logging.getLogger(__name__)


def make_cluster_workers(cluster: Cluster, config: Config, plan: RunPlan) -> tuple[Workers, PlayChunk]:
    """Return the workers of a cluster for the plan of a config, and the function that plays it there.

    Raises:
        ArenaError: For a cluster that is not there or cannot play it, and bots that cannot be sent.
    """
    bundle = build_bundle(plan, processes_per_table(config, plan.levels))
    return ClusterWorkers(cluster, bundle), partial(play_here, bundle.token)


class ClusterWorkers(Workers):
    """The workers of a cluster: as many chunks are submitted as keep all that play busy."""

    def __init__(self, cluster: Cluster, bundle: RunBundle) -> None:
        super().__init__(lambda: ClusterExecutor(cluster, bundle), in_flight=1, chunk_s=CHUNK_S)

    @property
    def in_flight(self) -> int:
        """The number of chunks to have submitted at a time: for each worker one to play and one to follow."""
        assert isinstance(self.executor, ClusterExecutor)
        return 2 * self.executor.size + 1


class ClusterExecutor(Executor):
    """Submits calls to the workers that have joined the run, and logs what they log.

    A call whose worker dies goes to another. When that fails several times, or the scheduler is lost, all
    pending calls break together, as in the standard pool of processes.
    """

    def __init__(self, cluster: Cluster, bundle: RunBundle) -> None:
        self._address = cluster.address
        self._client = _connect(cluster)
        self._executor = self._client.get_executor(pure=False, resources={bundle.token: 1})
        self._registry = WorkerRegistry(self._client, bundle)
        self._checked_at = 0.0
        self._lock = threading.Lock()
        self._pending: set[Future[Any]] = set()
        self._broken: BaseException | None = None
        try:
            self._wait_for_workers()
        except OSError as error:
            self._client.close()
            raise _scheduler_lost(self._address, error) from error
        except BaseException:
            self._client.close()
            raise

    @property
    def size(self) -> int:
        """The number of workers play."""
        return len(self._registry.playing)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self.check()
        ours: Future[T] = Future()
        with self._lock:
            if self._broken:
                raise BrokenExecutor(f"the cluster at {self._address} was lost") from self._broken
            self._pending.add(ours)
        frozen = freeze_call(call, fn, args, kwargs, logging.getLogger().getEffectiveLevel())
        try:
            theirs = self._executor.submit(run_frozen, frozen)
        except ClosedClientError as error:
            self._break(error)
            return ours
        theirs.add_done_callback(partial(self._copy_outcome, ours))
        return ours

    def check(self) -> None:
        """Update the list of workers, at most once a second; break if none is left that played."""
        now = time.monotonic()
        if self._broken or now < self._checked_at + CHECK_EVERY_S:
            return
        self._checked_at = now
        before = self._registry.playing
        try:
            self._registry.refresh()
        except OSError as error:
            self._break(error)
            return
        # The scheduler gives calls that are left without a worker to none that joins later.
        if before.isdisjoint(self._registry.playing):
            self._break(BrokenExecutor("all workers that played are gone"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster; with `wait`, to be called when all is done, also clean up there."""
        if wait and not self._broken:
            with suppress(OSError):
                self._registry.leave()
        self._client.close()

    def _wait_for_workers(self) -> None:
        """Wait until a worker plays.

        Raises:
            ArenaError: If none can or comes.
        """
        deadline = time.monotonic() + JOIN_TIMEOUT_S
        self._registry.refresh()
        while not self._registry.playing:
            if not self._registry.may_change:
                reasons = "; ".join(sorted(set(self._registry.refused.values())))
                raise ArenaError(f"no worker at {self._address} can play this run: {reasons}")
            if time.monotonic() > deadline:
                raise ArenaError(
                    f"no worker joined {self._address} and answered within {JOIN_TIMEOUT_S:g} s: start some "
                    f"with `dask worker {self._address} --nthreads 1`, then continue with `arena resume`"
                )
            self._registry.wait_for_answer(seconds=0.2)
            self._registry.refresh()

    def _copy_outcome(self, ours: Future[Any], theirs: Future[Any]) -> None:
        """Copy the outcome of dask's future to ours, in a thread of dask's."""
        with self._lock:
            if ours not in self._pending:
                return  # it broke with the others
            self._pending.remove(ours)
        if theirs.cancelled():
            self._break(BrokenExecutor("the scheduler is lost"), ours)
        elif isinstance(error := theirs.exception(), LOST_WORK):
            self._break(error, ours)
        elif error is not None:
            ours.set_exception(error)
        else:
            result, records = theirs.result()
            log_again(records)
            ours.set_result(result)

    def _break(self, cause: BaseException, *more: Future[Any]) -> None:
        with self._lock:
            self._broken = cause
            broken, self._pending = [*more, *self._pending], set()
        for future in broken:
            future.set_exception(BrokenExecutor(str(cause)))


def _connect(cluster: Cluster) -> Client:
    """Return a client of the cluster's scheduler.

    Raises:
        ConfigError: If the certificates are wrong.
        ArenaError: If the scheduler does not answer.
    """
    security = cluster.security()
    for module in ("client", "batched"):
        logging.getLogger(f"distributed.{module}").setLevel(logging.CRITICAL)  # what is lost is reported here
    try:
        return Client(cluster.address, security=security, timeout=CONNECT_TIMEOUT_S, set_as_default=False)
    except OSError as error:
        raise _scheduler_lost(cluster.address, error) from error


def _scheduler_lost(address: str, error: OSError) -> ArenaError:
    return ArenaError(
        f"no scheduler answers at {address} ({error}): when one does, continue with `arena resume`"
    )
