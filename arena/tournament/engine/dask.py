"""A run played on the workers of a dask.distributed cluster.

A call on a worker returns log records, or reasons why it cannot play the run; the code of the worker follows
these. The registry of workers and the executor belong to the process of the run.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import platform
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from logging.handlers import QueueHandler
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

import dask
import msgspec
from distributed import Client, KilledWorker, Worker, WorkerPlugin, get_worker
from distributed.client import ClosedClientError
from distributed.comm import CommClosedError
from distributed.utils import sync

from arena import __version__
from arena.errors import ArenaError, PluginError, UnknownVariant
from arena.game_source_files import describe_error
from arena.play.isolation import probe
from arena.plugins.games import forget_games
from arena.tournament.engine.block_player import (
    MAX_BOT_PROCESSES,
    BlockPlayer,
    PlayChunk,
    RunPlan,
    processes_per_table,
    processes_with_memory,
)
from arena.tournament.engine.run_bundle import RunBundle, build_bundle, extract, remove_folder
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.engine.workers import Workers
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.metadata import digest_variants

log = logging.getLogger(__name__)


# --- log forwarding ---
# Log records of a call on a worker are returned with its result and logged again by the run:
# `Client.forward_logging` would send each run the lines of all runs of the cluster.

MAX_RECORDS: Final = 1000
"""Returned with a result; of more there is only the number."""


@contextmanager
def collect_records(level: int, worker: str) -> Iterator[list[logging.LogRecord]]:
    """Collect what this thread logs from a level on, with the worker's address as the process name."""
    root, collector = logging.getLogger(), _RecordCollector(worker)
    level_before = root.level
    root.addHandler(collector)
    root.setLevel(level)
    try:
        yield collector.records
    finally:
        root.setLevel(level_before)
        root.removeHandler(collector)
        collector.close()
        if collector.dropped:
            text = f"{collector.dropped} more lines were logged"
            last = logging.LogRecord(__name__, logging.WARNING, __file__, 0, text, None, None)
            last.processName = worker
            collector.records.append(last)


def log_again(records: Iterable[logging.LogRecord]) -> None:
    """Log here, by the loggers of the same names, what a worker has logged."""
    for record in records:
        logging.getLogger(record.name).handle(record)


class _RecordCollector(QueueHandler):
    """Keeps the first records of the thread that makes it, ready to be pickled, and counts the others."""

    def __init__(self, worker: str) -> None:
        super().__init__(None)  # type: ignore[arg-type]  # it collects and queues nothing
        self.records: list[logging.LogRecord] = []
        self.dropped = 0
        self._worker = worker
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._thread:
            return
        if len(self.records) == MAX_RECORDS:
            self.dropped += 1
        else:
            kept = self.prepare(record)
            kept.processName = self._worker
            self.records.append(kept)


# --- compatibility ---
# Differences for which a worker cannot play a run: the arena, Python, rules, bots or isolation levels.

DIGEST_CHARS: Final = 12


class Installation(msgspec.Struct, frozen=True):
    """An installed arena: its version, Python's (as in 3.11), and a hash of its source files."""

    version: str
    python: str
    source: str

    @classmethod
    def local(cls) -> Installation:
        """Return that of this process."""
        top = Path(__file__).parents[2]  # arena/
        digest = hashlib.sha256()
        for path in sorted(top.rglob("*.py")):
            if not path.with_name("__init__.py").exists():
                continue  # a template, which may be installed elsewhere
            digest.update(path.relative_to(top).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        python = ".".join(platform.python_version_tuple()[:2])
        return cls(__version__, python, digest.hexdigest()[:DIGEST_CHARS])

    def differences(self, other: Installation) -> Iterator[str]:
        """Yield what differs in another one."""
        if other.python != self.python:
            yield f"it runs Python {other.python}, and this is {self.python}"
        if other.version != self.version:
            yield f"its arena is of version {other.version}, and this is {self.version}"
        elif other.source != self.source:
            yield f"its arena {other.version} has other files ({other.source}) than this one ({self.source})"


def rule_differences(bundle: RunBundle) -> Iterator[str]:
    """Yield the variants whose rules have another version here."""
    for entry in bundle.plan.variants:
        variant = str(entry.rules)
        if entry.rules.version != bundle.rules[variant]:
            yield f"its rules of {variant} are {entry.rules.version}, and these are {bundle.rules[variant]}"
    here = digest_variants(bundle.plan.variants)
    for variant in sorted({*here, *bundle.codes}):
        if here.get(variant) != bundle.codes.get(variant):
            yield f"its code of {variant} is another than this one"


def bot_differences(bundle: RunBundle, plan: RunPlan) -> Iterator[str]:
    """Yield the bots that differ or lack packages here, given the plan as it was extracted here."""
    for spec in plan.bots:
        if spec.source.digest() != bundle.digests[spec.name]:
            yield f"its {spec.name} is made of something else than this one"
        try:
            spec.source.launch()
        except PluginError as error:
            yield f"it cannot start {spec.name}: {error}"


def missing_levels(bundle: RunBundle) -> Iterator[str]:
    """Yield the isolation levels of the run that do not work here."""
    for support in map(probe, sorted(set(bundle.plan.levels.values()))):
        if not support.usable:
            yield f"it cannot run bots at the level {support.level}: {support.reason} ({support.fix})"


# --- worker ---
# A worker that may play has a resource named after the run, so that the scheduler sends calls to no other. A
# `WorkerPlugin` removes the run's files and processes when the run or the worker ends. That plugin is not
# registered at the scheduler, where a killed run would leave it: every worker that joins would unpickle it,
# and one without the arena would end, not be refused. Instead each worker is asked by a call, which returns
# the reasons for a refusal.


class _JoinRequest(msgspec.Struct, frozen=True):
    """A request to a worker to play a run."""

    installation: Installation
    """Installation of the arena that asks."""
    workers_on_machine: int
    """Workers that share the memory of the worker's machine, it among them."""
    bundle: msgspec.Raw
    """Decoded only if the installations are equal."""


class _RunPlugin(WorkerPlugin):  # type: ignore[misc]  # dask is not typed
    """A run on this worker: its files and the processes of its bots."""

    def __init__(self, folder: Path, plan: RunPlan) -> None:
        self.folder = folder
        self.player = BlockPlayer(plan)

    def teardown(self, worker: Worker) -> None:
        """Remove both: dask calls this when the plugin is removed, and when the worker ends."""
        self.player.close()
        _remove_files(self.folder)


def join(request: bytes) -> list[str]:
    """Prepare this worker to play a run; return the reasons why it cannot, none if it can.

    A worker that can has the run's resource, named by its token.
    """
    asked, worker = msgspec.msgpack.decode(request, type=_JoinRequest), get_worker()
    if differences := list(asked.installation.differences(Installation.local())):
        return differences
    bundle = msgspec.msgpack.decode(asked.bundle, type=RunBundle)
    if bundle.token in worker.plugins:
        return []
    for plugin in worker.plugins.values():
        if isinstance(plugin, _RunPlugin):
            plugin.player.close()  # its run may have been cut off, which leaves its bots' processes idle
    folder = Path(worker.local_directory, f"arena-{bundle.token}")
    plan, reasons = _prepare(bundle, folder, asked.workers_on_machine)
    if plan is None or reasons:
        _remove_files(folder)
    else:
        sync(worker.loop, worker.plugin_add, plugin=_RunPlugin(folder, plan), name=bundle.token)
        sync(worker.loop, worker.set_resources, **{bundle.token: 1})
    return reasons


def _play_here(token: str, blocks: Sequence[Block]) -> Iterable[BlockResult]:
    """Play blocks of a run that this worker has joined, in their order."""
    return cast(_RunPlugin, get_worker().plugins[token]).player.play_all(blocks)


def call(
    function: Callable[..., Any], args: Any, kwargs: Any, level: int
) -> tuple[Any, list[logging.LogRecord]]:
    """Return a call's result, and what is logged meanwhile from a level on."""
    with collect_records(level, get_worker().address) as records:
        result = function(*args, **kwargs)
    return result, records


def _remove_files(folder: Path) -> None:
    """Remove the files of a run, and forget its games, for which later runs would look there."""
    forget_games(folder)
    remove_folder(folder)


def _prepare(bundle: RunBundle, folder: Path, sharers: int) -> tuple[RunPlan | None, list[str]]:
    """Return the run's plan on this worker, None without its files, and the reasons against playing it."""
    memory_mb = bundle.plan.limits.memory_mb
    processes = min(processes_with_memory(memory_mb, sharers), MAX_BOT_PROCESSES)
    reasons = [*missing_levels(bundle)]
    if processes < bundle.min_processes:
        reasons.append(
            f"it has room for {processes} bots with {memory_mb} MB each, "
            f"and a table has {bundle.min_processes}"
        )
    try:
        plan = msgspec.structs.replace(extract(bundle, folder), max_processes=processes)
        return plan, [*reasons, *rule_differences(bundle), *bot_differences(bundle, plan)]
    except (PluginError, UnknownVariant, OSError) as error:
        return None, [*reasons, str(error)]


class _FrozenCall:
    """A call of a module's function; unpickling it makes the call."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self._parts = (function, args)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._parts


def _freeze_call(function: Callable[..., Any], *args: Any) -> bytes:
    """Pickle a call, so that `run_frozen` makes it and returns its result.

    dask sees bytes and a function of the standard library only: a scheduler may be without the arena, and a
    worker without it fails in this call alone.
    """
    return pickle.dumps(_FrozenCall(function, args))


run_frozen = pickle.loads


# --- worker registry ---
# Which workers of the cluster play the run, and why the others do not.

SILENCE_TIMEOUT_S: Final = 60.0
"""Seconds without a heartbeat after which a worker is removed; a busy one sends it every few seconds, too."""
MAX_GAP_S: Final = 2.0
"""Most seconds of silence counted between two looks at the workers, as this process may have been stopped."""
ANSWER_TIMEOUT_S: Final = 60.0
"""Seconds that the scheduler may take to answer before it counts as lost."""
LEAVE_TIMEOUT_S: Final = 5.0
"""Seconds that all workers may take to remove the files of the run."""

WorkerKey = tuple[str, str]
"""A worker's address, and its local directory, which no other process has."""


class _WorkerRegistry:
    """The workers of a cluster, each of which is asked once whether it can play the run."""

    def __init__(self, client: Client, bundle: RunBundle) -> None:
        self.playing: set[WorkerKey] = set()
        self.refused: dict[WorkerKey, str] = {}
        """Workers that cannot play, with the reasons."""
        self._client, self._token = client, bundle.token
        self._executor = client.get_executor(pure=False)
        self._installation, self._bundle = Installation.local(), msgspec.Raw(msgspec.msgpack.encode(bundle))
        self._requests: dict[WorkerKey, Future[list[str]]] = {}
        self._heartbeats: dict[WorkerKey, tuple[float, float]] = {}
        """The scheduler's time of the last heartbeat of each worker, and the seconds of silence since."""
        self._refreshed_at = time.monotonic()

    def refresh(self) -> None:
        """Take in the answers, ask workers that are new, and forget those that are gone or silent."""
        for worker in [worker for worker, future in self._requests.items() if future.done()]:
            self._receive(worker, self._requests.pop(worker))
        present = self._remove_silent(self._present())
        for worker in self._requests.keys() - present.keys():
            self._requests.pop(worker).cancel()
        self._report_gone(present)
        self.refused = {worker: why for worker, why in self.refused.items() if worker in present}
        self.playing = {worker for worker, info in present.items() if self._token in info["resources"]}
        for worker in present.keys() - self._requests.keys() - self.playing - self.refused.keys():
            self._ask(worker, present)

    def wait_for_answer(self, seconds: float) -> None:
        """Wait until a worker answers a request, or that long."""
        if self._requests:
            wait(self._requests.values(), seconds, FIRST_COMPLETED)
        else:
            time.sleep(seconds)

    @property
    def may_change(self) -> bool:
        """True if a worker has yet to answer, or none has come."""
        return bool(self._requests) or not self.refused

    def leave(self) -> None:
        """Have all workers remove what the run has brought them."""
        present = self._present()
        self._report_gone(present)  # a short run may end before the next refresh
        joining = {worker: answer for worker, answer in self._requests.items() if worker in present}
        wait(joining.values(), LEAVE_TIMEOUT_S)  # one that joins later would keep the files of the run
        removal = {"op": "plugin-remove", "name": self._token}
        addresses = [address for address, _ in self.playing | joining.keys()]
        self._client.sync(
            self._client.scheduler.broadcast,
            msg=removal,
            workers=addresses,
            on_error="ignore",
            callback_timeout=LEAVE_TIMEOUT_S,
        )

    def _remove_silent(self, present: dict[WorkerKey, dict[str, Any]]) -> dict[WorkerKey, dict[str, Any]]:
        """Have the scheduler remove workers without a heartbeat for too long; return the others.

        A frozen process keeps its connections, so that the scheduler would wait for its blocks for minutes.
        It gives them to other workers, and ignores what the removed one sends when it wakes up.
        """
        now = time.monotonic()
        gap = min(now - self._refreshed_at, MAX_GAP_S)
        self._refreshed_at = now
        heartbeats = {}
        for worker, info in present.items():
            last, silence = self._heartbeats.get(worker, (0.0, 0.0))
            heard = info["last_seen"]
            heartbeats[worker] = (heard, silence + gap if heard == last else 0.0)
        self._heartbeats = heartbeats
        silent = {worker for worker, (_, silence) in heartbeats.items() if silence >= SILENCE_TIMEOUT_S}
        for address, _ in silent:
            log.warning(
                "the worker %s has not answered for %.0f s and is removed; another worker plays its blocks",
                address,
                SILENCE_TIMEOUT_S,
            )
            self._client.sync(
                self._client.scheduler.unregister,
                address=address,
                stimulus_id=f"arena-{self._token}",
                callback_timeout=ANSWER_TIMEOUT_S,
            )
        self.playing = self.playing - silent
        return {worker: info for worker, info in present.items() if worker not in silent}

    def _report_gone(self, present: dict[WorkerKey, dict[str, Any]]) -> None:
        for address, _ in self.playing - present.keys():
            log.warning("the worker %s is gone; another worker plays its blocks", address)

    def _present(self) -> dict[WorkerKey, dict[str, Any]]:
        """Return what the scheduler knows of the workers that have joined it."""
        if self._client.status != "running":
            raise ConnectionError("the connection is lost")
        # `scheduler_info` returns what the client last got, which may be its own look without workers.
        identity = self._client.sync(self._client.scheduler.identity, callback_timeout=ANSWER_TIMEOUT_S)
        workers = identity["workers"]
        return {(address, info["local_directory"]): info for address, info in workers.items()}

    def _ask(self, worker: WorkerKey, present: dict[WorkerKey, dict[str, Any]]) -> None:
        threads, host = present[worker]["nthreads"], present[worker]["host"]
        if threads != 1:
            self._refuse(worker, f"it has {threads} threads; start it with --nthreads 1")
            return
        sharers = sum(info["host"] == host for info in present.values())
        request = msgspec.msgpack.encode(_JoinRequest(self._installation, sharers, self._bundle))
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):
            self._requests[worker] = self._executor.submit(
                run_frozen, _freeze_call(join, request), workers=[worker[0]]
            )

    def _receive(self, worker: WorkerKey, answer: Future[list[str]]) -> None:
        try:
            reasons = answer.result()
        except ModuleNotFoundError as error:
            reasons = [f"it has no {error.name}, which is part of this one"]
        except Exception as error:
            reasons = [f"it cannot be asked what it has: {describe_error(error)}"]
        if reasons:
            self._refuse(worker, "; ".join(reasons))
        else:
            log.info("%s plays", worker[0], extra={"file_only": True})

    def _refuse(self, worker: WorkerKey, why: str) -> None:
        self.refused[worker] = why
        log.warning("the worker %s does not play: %s", worker[0], why)


# --- executor ---

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


def make_cluster_workers(cluster: Cluster, config: Config, plan: RunPlan) -> tuple[Workers, PlayChunk]:
    """Return the workers of a cluster for the plan of a config, and the function that plays it there."""
    bundle = build_bundle(plan, processes_per_table(config, plan.levels))
    return _ClusterWorkers(cluster, bundle), partial(_play_here, bundle.token)


class _ClusterWorkers(Workers):
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
        self._registry = _WorkerRegistry(self._client, bundle)
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
        """The number of workers that play."""
        return len(self._registry.playing)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self.check()
        ours: Future[T] = Future()
        with self._lock:
            if self._broken:
                raise BrokenExecutor(f"the cluster at {self._address} was lost") from self._broken
            self._pending.add(ours)
        frozen = _freeze_call(call, fn, args, kwargs, logging.getLogger().getEffectiveLevel())
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
        # When all workers are gone, the scheduler does not give their calls to workers that join later.
        if before.isdisjoint(self._registry.playing):
            self._break(BrokenExecutor("all workers that played are gone"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster; with `wait`, to be called when all is done, also clean up there."""
        if wait and not self._broken:
            with suppress(OSError):
                self._registry.leave()
        self._client.close()

    def _wait_for_workers(self) -> None:
        """Wait until a worker plays."""
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
    """Return a client of the cluster's scheduler."""
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
