"""The workers of a cluster as an executor, and as the workers of a run."""

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
from arena.tournament.cluster.connection import Cluster
from arena.tournament.cluster.log_forwarding import log_again
from arena.tournament.cluster.opaque_call import sealed, unseal
from arena.tournament.cluster.run_bundle import Luggage, packed
from arena.tournament.cluster.worker import NotWelcomed, call, play_here
from arena.tournament.cluster.worker_registry import Crew
from arena.tournament.setup.config import Config
from arena.tournament.workers.block_player import RunPlan
from arena.tournament.workers.chunks import PlayChunk
from arena.tournament.workers.executors import Workers
from arena.tournament.workers.isolation_plan import processes_per_table

P = ParamSpec("P")
T = TypeVar("T")

CHUNK_S: Final = 0.5
"""Of work in a chunk: far more than the some milliseconds that a scheduler takes over one."""
CONNECT_S: Final = 10.0
"""In which a scheduler is to answer."""
JOIN_S: Final = 60.0
"""In which a worker is to be there that can play."""
LOOK_S: Final = 1.0
"""Between looks at who is there."""
LOST: Final = (BrokenExecutor, KilledWorker, CommClosedError, NotWelcomed)
"""What became of a call that says nothing against it."""

log = logging.getLogger(__name__)


def at_cluster(cluster: Cluster, config: Config, plan: RunPlan) -> tuple[Workers, PlayChunk]:
    """The workers of a cluster for the plan of a config, and what plays it there.

    Raises: ArenaError, for a cluster that is not there or cannot play it, and bots that cannot travel.
    """
    luggage = packed(plan, processes_per_table(config, plan.levels))
    return ClusterWorkers(cluster, luggage), partial(play_here, luggage.token)


class ClusterWorkers(Workers):
    """The workers of a cluster: as many chunks are submitted as keep all busy that are there."""

    def __init__(self, cluster: Cluster, luggage: Luggage) -> None:
        super().__init__(lambda: ClusterExecutor(cluster, luggage), in_flight=1, chunk_s=CHUNK_S)

    @property
    def in_flight(self) -> int:
        """One chunk to be played and one to follow, for each worker."""
        assert isinstance(self.executor, ClusterExecutor)
        return 2 * self.executor.size + 1


class ClusterExecutor(Executor):
    """Hands calls to those workers of a cluster that are as this process is, and logs what they log.

    A call whose worker dies goes to another; when that fails again and again, or the scheduler is lost,
    all that is in hand breaks together, as in the standard pool of processes.
    """

    def __init__(self, cluster: Cluster, luggage: Luggage) -> None:
        self._address = cluster.address
        self._client = _connected(cluster)
        self._executor = self._client.get_executor(pure=False)
        self._crew = Crew(self._client, self._executor, luggage)
        self._looked_at = 0.0
        self._lock = threading.Lock()
        self._open: dict[Future[Any], frozenset[str]] = {}
        """What is in hand, and whom it may go to."""
        self._broken: BaseException | None = None
        try:
            self._await_crew()
        except OSError as error:
            self._client.close()
            raise _lost(self._address, error) from error
        except BaseException:
            self._client.close()
            raise

    @property
    def size(self) -> int:
        """How many workers play."""
        return len(self._crew.addresses)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self.check()
        if self._broken:
            raise BrokenExecutor(f"the cluster at {self._address} has been lost") from self._broken
        ours: Future[T] = Future()
        crew = self._crew.addresses
        with self._lock:
            self._open[ours] = crew
        what = sealed(call, fn, args, kwargs, logging.getLogger().getEffectiveLevel())
        try:
            theirs = self._executor.submit(unseal, what, workers=sorted(crew))
        except ClosedClientError as error:
            self._break(error)
            return ours
        theirs.add_done_callback(partial(self._hand_on, ours))
        return ours

    def check(self) -> None:
        """Looks, now and then, who is there; breaks what nobody can play any more who is."""
        now = time.monotonic()
        if self._broken or now < self._looked_at + LOOK_S:
            return
        self._looked_at = now
        try:
            self._crew.look_around()
        except OSError as error:
            self._break(error)
            return
        with self._lock:
            stuck = any(crew.isdisjoint(self._crew.addresses) for crew in self._open.values())
        if stuck or not self._crew.addresses:
            self._break(BrokenExecutor("all workers are gone"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster: with `wait`, when all is done, and nothing of the run is left there."""
        if wait and not self._broken:
            with suppress(OSError):
                self._crew.dismiss()
        self._client.close()

    def _await_crew(self) -> None:
        """Waits until somebody can play.

        Raises: ArenaError, if nobody can.
        """
        deadline = time.monotonic() + JOIN_S
        self._crew.look_around()
        while not self._crew.addresses:
            if not self._crew.is_awaited:
                why = "; ".join(sorted(set(self._crew.refused.values())))
                raise ArenaError(f"no worker at {self._address} can play this run: {why}")
            if time.monotonic() > deadline:
                raise ArenaError(
                    f"no worker has joined {self._address} and answered within {JOIN_S:g} s: start some with "
                    f"`dask worker {self._address} --nthreads 1`, and go on with `arena resume`"
                )
            self._crew.await_answer(seconds=0.2)
            self._crew.look_around()

    def _hand_on(self, ours: Future[Any], theirs: Future[Any]) -> None:
        """Does with our future what became of theirs, in a thread of dask's."""
        with self._lock:
            if self._open.pop(ours, None) is None:
                return  # it broke with the others
        if theirs.cancelled():
            self._break(BrokenExecutor("the scheduler is lost"), ours)
        elif isinstance(error := theirs.exception(), LOST):
            self._break(error, ours)
        elif error is not None:
            ours.set_exception(error)
        else:
            result, worker, lines = theirs.result()
            log_again(lines, worker)
            ours.set_result(result)

    def _break(self, cause: BaseException, *more: Future[Any]) -> None:
        self._broken = cause
        with self._lock:
            broken, self._open = [*more, *self._open], {}
        for future in broken:
            future.set_exception(BrokenExecutor(str(cause)))


def _connected(cluster: Cluster) -> Client:
    """A client of the cluster's scheduler.

    Raises: ConfigError; ArenaError, if it does not answer.
    """
    security = cluster.security()
    if cluster.is_open:
        log.warning("%s is not encrypted, and whoever reaches it runs code on its workers", cluster.address)
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # of what is lost we speak ourselves
    try:
        return Client(cluster.address, security=security, timeout=CONNECT_S, set_as_default=False)
    except OSError as error:
        raise _lost(cluster.address, error) from error


def _lost(address: str, error: OSError) -> ArenaError:
    return ArenaError(
        f"no scheduler answers at {address} ({error}): when one does, `arena resume` goes on with the run"
    )
