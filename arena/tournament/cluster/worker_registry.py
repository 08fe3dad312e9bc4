"""The workers of a cluster: which of them play the run, and why the others do not."""

from __future__ import annotations

import logging
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Final

import dask
import msgspec
from distributed import Client

from arena.module_loading import describe_error
from arena.tournament.cluster.compatibility import Installation
from arena.tournament.cluster.run_bundle import RunBundle
from arena.tournament.cluster.worker import JoinRequest, freeze_call, join, run_frozen

SILENCE_TIMEOUT_S: Final = 60.0
"""Seconds without a heartbeat after which a worker is removed; also one at work has one every few seconds."""
MAX_GAP_S: Final = 2.0
"""Most that one look at the workers adds to their silence, in seconds: this process may have been stopped."""
ANSWER_TIMEOUT_S: Final = 60.0
"""Seconds that the scheduler may take to answer before it counts as lost."""
LEAVE_TIMEOUT_S: Final = 5.0
"""Seconds that all workers may take to remove the files of the run."""

WorkerKey = tuple[str, str]
"""A worker's address, and its local directory, which no other process has."""

log = logging.getLogger(__name__)


class WorkerRegistry:
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
        """Take in the answers, ask workers that are new, and forget those that are gone or silent.

        Raises:
            OSError: If the scheduler is lost.
        """
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
        """Have all workers remove what the run has brought them.

        Raises:
            OSError: If the scheduler is lost or they take too long.
        """
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
        request = msgspec.msgpack.encode(JoinRequest(self._installation, sharers, self._bundle))
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):
            self._requests[worker] = self._executor.submit(
                run_frozen, freeze_call(join, request), workers=[worker[0]]
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
